"""The words of the project as types. Imports the standard library only."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias

from augury.engine.canonical import JSON as JSON
from augury.engine.canonical import canonical as canonical

if TYPE_CHECKING:
    from pathlib import Path

    from jaxtyping import Array, Float, Int, PRNGKeyArray


class Data(NamedTuple):
    """Rows of a supervised problem."""

    x: Float[Array, "data dim"]
    y: Int[Array, "data 1"] | Float[Array, "data 1"]


@dataclass(frozen=True, slots=True)
class Prior:
    """What an agent is told about a problem before it sees data."""

    input_dim: int
    num_train: int
    num_classes: int = 2
    temperature: float | None = None
    noise_std: float | None = None
    layers: int | None = None


class EpistemicSampler(Protocol):
    """One draw of the function, the same for all rows of `x`: hence joint predictions."""

    def __call__(
        self, x: Float[Array, "data dim"], key: PRNGKeyArray
    ) -> Float[Array, "data classes"]:
        """Logits of one epistemic sample at every row."""
        ...


class Agent(Protocol):
    """Learns from data; returns a sampler of what it believes."""

    def __call__(self, data: Data, prior: Prior, key: PRNGKeyArray) -> EpistemicSampler:
        """Train."""
        ...


class Problem(Protocol):
    """Training data, what may be known, and a score."""

    train: Data
    prior: Prior

    def score(self, sampler: EpistemicSampler, key: PRNGKeyArray) -> Sequence[MetricRow]:
        """Evaluate one sampler: one row for each metric."""
        ...


class RowSums(NamedTuple):
    """How an evaluation's error comes from its test rows, which other subjects share.

    `groups` sum to zero; G / (G - 1) times the sum of their squares is the variance of the value
    over test rows. Of two subjects it is that of the difference of their groups.
    """

    own: float  # standard error of what is the subject's own, such as its epistemic samples
    groups: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class MetricRow:
    """One number. tau = kappa = 0 where meaningless; kappa 0 with tau > 1 means iid inputs."""

    metric: str
    value: float | None
    stderr: float | None = None
    tau: int = 0
    kappa: int = 0
    split: str = ""
    num_samples: int = 0
    reason: str = ""  # why the value is missing, or rests on less than was asked; else empty
    sums: RowSums | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Cell:
    """One subject config on one problem with one seed: the unit of record."""

    scenario: str
    problem: str
    subject: str
    config: Mapping[str, JSON] = field(default_factory=dict)  # fields that differ from defaults
    settings: Mapping[str, JSON] = field(default_factory=dict)  # likewise
    seed: int = 0
    scenario_version: int = 1
    subject_version: int = 1
    precision: str = "float32"
    source: str = ""  # sha256 of code or data from outside the project
    resources: Mapping[str, str] = field(default_factory=dict)  # where that lies; not identity

    @property
    def cell_id(self) -> str:
        """32 hex digits of blake2b over the canonical JSON of all that changes the number."""
        identity = self.to_json()
        del identity["resources"]
        return hashlib.blake2b(canonical(identity).encode(), digest_size=16).hexdigest()

    def to_json(self) -> dict[str, JSON]:
        """A JSON object that `from_json` restores."""
        return {name: getattr(self, name) for name in self.__slots__}

    @classmethod
    def from_json(cls, value: Mapping[str, JSON]) -> Cell:
        """The inverse of `to_json`."""
        return cls(**value)


@dataclass(frozen=True, slots=True)
class Seconds:
    """Monotonic seconds one cell took; shared work (compilation) is divided among the batch."""

    compile: float = 0.0
    train: float = 0.0
    evaluate: float = 0.0


@dataclass(frozen=True, slots=True)
class Progress:
    """A batch advanced. Only the newest matters; may be dropped."""

    cell_ids: tuple[str, ...]
    phase: str  # compile | train | evaluate
    step: int = 0
    num_steps: int = 0
    loss: float | None = None


@dataclass(frozen=True, slots=True)
class CellFinished:
    """All numbers of one cell; never dropped."""

    cell_id: str
    rows: tuple[MetricRow, ...]
    seconds: Seconds
    width: int = 1
    curves: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)


Emit: TypeAlias = Callable[[Progress | CellFinished], None]


@dataclass(frozen=True, slots=True)
class BatchContext:
    """What a batch is told about where it runs."""

    device: str = "cpu"  # device kind, as JAX names it
    width: int | None = None  # cells in one program; None: measure or choose, then report it
    checkpoints: Path | None = None  # a directory where long scans may keep their carry
    waiting: int = 0  # trainings of this program that wait behind the batch


class OutOfMemory(Exception):
    """A width that does not fit the device; the engine halves it there for good."""
