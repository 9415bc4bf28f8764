"""Problems as values. An id is semantic and says everything: `parse` turns it back."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.errors import UsageError
from augury.engine.types import JSON


class ProblemCard(ABC):
    """What planner, store and boards need of a problem."""

    __slots__ = ()

    @property
    @abstractmethod
    def id(self) -> str:
        """Semantic, stable, lower case."""

    @property
    @abstractmethod
    def setting(self) -> str:
        """All but the environment: the stratum within which environments are exchangeable."""

    @property
    def unit(self) -> int:
        """Seed of the environment; 0 where there is one only."""
        return getattr(self, "environment", 0)

    @abstractmethod
    def columns(self) -> Mapping[str, JSON]:
        """Setting by name, for filters and group headers."""

    def training(self) -> str:
        """What a training depends on; problems that only differ in their test share it."""
        return self.id

    @abstractmethod
    def shape(self) -> tuple[JSON, ...]:
        """What forces another compiled program."""


@dataclass(frozen=True, slots=True)
class TestbedProblem(ProblemCard):
    """A random generative network in `input_dim` dimensions; ratio * input_dim rows."""

    input_dim: int
    ratio: int  # lambda in the paper
    temperature: float
    environment: int = 0
    scenario: ClassVar[str] = "testbed"
    __test__: ClassVar[bool] = False

    @property
    def num_train(self) -> int:
        """Training rows."""
        return self.ratio * self.input_dim

    @property
    def setting(self) -> str:
        """Dimension, ratio and temperature."""
        return f"d{self.input_dim}-l{self.ratio}-t{self.temperature:g}"

    @property
    def id(self) -> str:
        """`testbed/d10-l10-t0.1/e3`."""
        return f"testbed/{self.setting}/e{self.environment}"

    def columns(self) -> Mapping[str, JSON]:
        """Dimension, ratio, temperature, rows."""
        return {
            "input_dim": self.input_dim,
            "ratio": self.ratio,
            "temperature": self.temperature,
            "num_train": self.num_train,
        }

    def shape(self) -> tuple[JSON, ...]:
        """Rows, temperature and seed are traced: one program for each dimension."""
        return ("testbed", self.input_dim)


@dataclass(frozen=True, slots=True)
class PlaneProblem(ProblemCard):
    """The 2-D sweep's problem, which counts rows instead of a ratio."""

    num_train: int
    temperature: float
    environment: int = 0
    input_dim: ClassVar[int] = 2
    scenario: ClassVar[str] = "testbed"
    __test__: ClassVar[bool] = False

    @property
    def setting(self) -> str:
        """Rows and temperature."""
        return f"2d-n{self.num_train}-t{self.temperature:g}"

    @property
    def id(self) -> str:
        """`testbed/2d-n100-t0.1/e3`."""
        return f"testbed/{self.setting}/e{self.environment}"

    def columns(self) -> Mapping[str, JSON]:
        """As `TestbedProblem`; the ratio may be a fraction."""
        return {
            "input_dim": 2,
            "ratio": self.num_train / 2,
            "temperature": self.temperature,
            "num_train": self.num_train,
        }

    def shape(self) -> tuple[JSON, ...]:
        """As `TestbedProblem`."""
        return ("testbed", 2)


@dataclass(frozen=True, slots=True)
class FileProblem(ProblemCard):
    """A person's own environment in an .npz file; the id holds a digest of its bytes."""

    name: str
    digest: str
    scenario: ClassVar[str] = "testbed"

    @property
    def setting(self) -> str:
        """Name and digest of the file."""
        return f"file-{self.name}-{self.digest}"

    @property
    def id(self) -> str:
        """`testbed/file-NAME-DIGEST/e0`."""
        return f"testbed/{self.setting}/e0"

    def columns(self) -> Mapping[str, JSON]:
        """The file's name."""
        return {"file": self.name}

    def shape(self) -> tuple[JSON, ...]:
        """Every file is its own program."""
        return ("file", self.digest)


@dataclass(frozen=True, slots=True)
class RealProblem(ProblemCard):
    """The first `num_train` rows of a data set against its test rows."""

    dataset: str
    num_train: int
    scenario: ClassVar[str] = "real"

    @property
    def setting(self) -> str:
        """Data set and rows."""
        return f"{self.dataset}/n{self.num_train}"

    @property
    def id(self) -> str:
        """`real/wine_quality/n1000`."""
        return f"real/{self.setting}"

    def columns(self) -> Mapping[str, JSON]:
        """Data set and rows."""
        return {"dataset": self.dataset, "num_train": self.num_train}

    def shape(self) -> tuple[JSON, ...]:
        """One program for each data set; rows are traced."""
        return ("real", self.dataset)


@dataclass(frozen=True, slots=True)
class NormalProblem(ProblemCard):
    """`num_rows` observations with y|theta ~ N(theta, 1), theta ~ N(0, 1)."""

    truth: str  # latent: theta ~ N(0,1) once for all rows; iid: fresh for each row
    num_rows: int
    environment: int = 0
    scenario: ClassVar[str] = "ppc"

    @property
    def setting(self) -> str:
        """Truth and rows."""
        return f"normal-{self.truth}-n{self.num_rows}"

    @property
    def id(self) -> str:
        """`ppc/normal-latent-n1000/e0`."""
        return f"ppc/{self.setting}/e{self.environment}"

    def columns(self) -> Mapping[str, JSON]:
        """Truth and rows."""
        return {"family": "normal", "truth": self.truth, "num_test": self.num_rows}

    def shape(self) -> tuple[JSON, ...]:
        """Rows are an array dimension."""
        return ("normal", self.num_rows)


@dataclass(frozen=True, slots=True)
class QuadraticProblem(ProblemCard):
    """A noisy quadratic whose training inputs miss [-1.5, 0]; tested inside the gap or off it."""

    region: str  # gap | iid
    environment: int = 0
    scenario: ClassVar[str] = "ppc"

    @property
    def setting(self) -> str:
        """Where it is tested."""
        return f"quadratic-{self.region}"

    @property
    def id(self) -> str:
        """`ppc/quadratic-gap/e0`."""
        return f"ppc/{self.setting}/e{self.environment}"

    def columns(self) -> Mapping[str, JSON]:
        """Family and region."""
        return {"family": "quadratic", "region": self.region}

    def training(self) -> str:
        """The region is a matter of the test rows."""
        return f"quadratic/e{self.environment}"

    def shape(self) -> tuple[JSON, ...]:
        """Both regions share one training."""
        return ("quadratic",)


@dataclass(frozen=True, slots=True)
class GaussianProblem(ProblemCard):
    """`num_sources` correlated normal pairs; a list of bits is a schedule of equal stages."""

    num_sources: int
    bits: tuple[float, ...]
    scenario: ClassVar[str] = "mi"

    @property
    def setting(self) -> str:
        """Sources and bits."""
        return f"gaussian-ds{self.num_sources}-{'-'.join(f'{b:g}' for b in self.bits)}bits"

    @property
    def id(self) -> str:
        """`mi/gaussian-ds10-4bits`, `mi/gaussian-ds10-2-4-6-8-10bits`."""
        return f"mi/{self.setting}"

    def columns(self) -> Mapping[str, JSON]:
        """Domain, sources, schedule."""
        kind = "single" if len(self.bits) == 1 else "stepwise"
        return {"domain": "gaussian", "num_sources": self.num_sources, "schedule": kind}

    def shape(self) -> tuple[JSON, ...]:
        """Bits are traced; their number is the number of stages."""
        return ("gaussian", self.num_sources, len(self.bits))


def parse(problem_id: str) -> ProblemCard:
    """The value an id stands for; `UsageError` if it stands for none."""
    for pattern, build in _PATTERNS:
        match = re.fullmatch(pattern, problem_id)
        if match:
            return build(match.groups())
    raise UsageError(
        f"problem id {problem_id!r} has no known form. Example: testbed/d10-l10-t0.1/e3."
    )


_N = r"(\d+)"
_F = r"(\d+(?:\.\d+)?(?:e-?\d+)?)"
_PATTERNS = (
    (rf"testbed/d{_N}-l{_N}-t{_F}/e{_N}",
     lambda g: TestbedProblem(int(g[0]), int(g[1]), float(g[2]), int(g[3]))),
    (rf"testbed/2d-n{_N}-t{_F}/e{_N}",
     lambda g: PlaneProblem(int(g[0]), float(g[1]), int(g[2]))),
    (r"testbed/file-(.+)-([0-9a-f]+)/e0", lambda g: FileProblem(g[0], g[1])),
    (rf"real/([a-z0-9_/]+)/n{_N}", lambda g: RealProblem(g[0], int(g[1]))),
    (rf"ppc/normal-(latent|iid)-n{_N}/e{_N}",
     lambda g: NormalProblem(g[0], int(g[1]), int(g[2]))),
    (rf"ppc/quadratic-(gap|iid)/e{_N}", lambda g: QuadraticProblem(g[0], int(g[1]))),
    (rf"mi/gaussian-ds{_N}-((?:{_F}-?)+)bits",
     lambda g: GaussianProblem(int(g[0]), tuple(float(b) for b in g[1].split("-")))),
)  # fmt: skip
