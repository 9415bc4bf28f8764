"""Posterior predictive checks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.catalog.problems.card import INT, ProblemCard
from augury.engine.types import JSON


@dataclass(frozen=True, slots=True)
class NormalProblem(ProblemCard):
    """`num_rows` observations with y|theta ~ N(theta, 1), theta ~ N(0, 1)."""

    truth: str  # latent: theta ~ N(0,1) once for all rows; iid: fresh for each row
    num_rows: int
    environment: int = 0
    scenario: ClassVar[str] = "ppc"

    @property
    def setting(self) -> str:
        """Truth and rows: `normal-latent-n1000`."""
        return f"normal-{self.truth}-n{self.num_rows}"

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
        """Where it is tested: `quadratic-gap`."""
        return f"quadratic-{self.region}"

    def columns(self) -> Mapping[str, JSON]:
        """Family and region."""
        return {"family": "quadratic", "region": self.region}

    def training(self) -> str:
        """The region is a matter of the test rows."""
        return f"quadratic/e{self.environment}"

    def shape(self) -> tuple[JSON, ...]:
        """Both regions share one training."""
        return ("quadratic",)


PATTERNS = (
    (rf"ppc/normal-(latent|iid)-n{INT}/e{INT}",
     lambda g: NormalProblem(g[0], int(g[1]), int(g[2]))),
    (rf"ppc/quadratic-(gap|iid)/e{INT}", lambda g: QuadraticProblem(g[0], int(g[1]))),
)  # fmt: skip
