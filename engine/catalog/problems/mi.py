"""Sources whose mutual information is known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.catalog.problems.card import INT, NUMBER, ProblemCard
from augury.engine.types import JSON


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
        return f"{self.scenario}/{self.setting}"

    def columns(self) -> Mapping[str, JSON]:
        """Domain, sources, schedule."""
        kind = "single" if len(self.bits) == 1 else "stepwise"
        return {"domain": "gaussian", "num_sources": self.num_sources, "schedule": kind}

    def shape(self) -> tuple[JSON, ...]:
        """Bits are traced; their number is the number of stages."""
        return ("gaussian", self.num_sources, len(self.bits))


PATTERNS = (
    (rf"mi/gaussian-ds{INT}-({NUMBER}(?:-{NUMBER})*)bits",
     lambda g: GaussianProblem(int(g[0]), tuple(float(b) for b in g[1].split("-")))),
)  # fmt: skip
