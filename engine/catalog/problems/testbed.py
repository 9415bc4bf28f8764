"""Random generative networks, and a person's own environment."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.catalog.problems.card import FLOAT, INT, POSITIVE, ProblemCard
from augury.engine.types import JSON


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
        """Dimension, ratio and temperature: `d10-l10-t0.1`."""
        return f"d{self.input_dim}-l{self.ratio}-t{self.temperature:g}"

    def columns(self) -> Mapping[str, JSON]:
        """Dimension, ratio, temperature, rows."""
        return {
            "input_dim": self.input_dim,
            "ratio": self.ratio,
            "temperature": self.temperature,
            "num_train": self.num_train,
        }

    def rows_per_dimension(self) -> float:
        """The ratio."""
        return self.ratio

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
        """Rows and temperature: `2d-n100-t0.1`."""
        return f"2d-n{self.num_train}-t{self.temperature:g}"

    def columns(self) -> Mapping[str, JSON]:
        """As `TestbedProblem`; the ratio may be a fraction."""
        return {
            "input_dim": 2,
            "ratio": self.rows_per_dimension(),
            "temperature": self.temperature,
            "num_train": self.num_train,
        }

    def rows_per_dimension(self) -> float:
        """As `TestbedProblem`'s ratio."""
        return self.num_train / self.input_dim

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
        """Name and digest of the file: `file-NAME-DIGEST`."""
        return f"file-{self.name}-{self.digest}"

    def columns(self) -> Mapping[str, JSON]:
        """The file's name."""
        return {"file": self.name}

    def shape(self) -> tuple[JSON, ...]:
        """Every file is its own program."""
        return ("file", self.digest)


PATTERNS = (
    (rf"testbed/d{POSITIVE}-l{INT}-t{FLOAT}/e{INT}",
     lambda g: TestbedProblem(int(g[0]), int(g[1]), float(g[2]), int(g[3]))),
    (rf"testbed/2d-n{INT}-t{FLOAT}/e{INT}",
     lambda g: PlaneProblem(int(g[0]), float(g[1]), int(g[2]))),
    (r"testbed/file-(.+)-([0-9a-f]+)/e0", lambda g: FileProblem(g[0], g[1])),
)  # fmt: skip
