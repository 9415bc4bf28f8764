"""Real data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.problems.card import INT, ProblemCard
from augury.engine.types import JSON

MOST_VALIDATION = 1_000  # rows that choose configs, where not all training rows are used
HELD_OUT = 10  # at full size one row of so many


@dataclass(frozen=True, slots=True)
class RealProblem(ProblemCard):
    """The first `num_train` rows of a data set against its test rows.

    With `validation` no test row is used: configs are chosen on training rows outside of those,
    the next 1,000 or as many as there are; where all are used, the last tenth is held out.
    """

    dataset: str
    num_train: int
    validation: bool = False
    scenario: ClassVar[str] = "real"

    @property
    def setting(self) -> str:
        """Data set and rows, of a problem and of the one that chooses its configs."""
        return f"{self.dataset}/n{self.num_train}"

    @property
    def id(self) -> str:
        """`real/wine_quality/n1000`."""
        return f"{self.scenario}/{self.setting}{'-validation' if self.validation else ''}"

    @property
    def learned(self) -> int:
        """Rows that are learned from."""
        full = DATASETS[self.dataset].num_train
        if self.validation and self.num_train >= full:
            return full - -(-full // HELD_OUT)
        return self.num_train

    @property
    def held_out(self) -> int:
        """Training rows, right behind those, that choose configs."""
        full = DATASETS[self.dataset].num_train
        if not self.validation:
            return 0
        rest = full - self.learned
        return rest if self.num_train >= full else min(MOST_VALIDATION, rest)

    def columns(self) -> Mapping[str, JSON]:
        """Data set and rows."""
        return {"dataset": self.dataset, "num_train": self.num_train}

    def rows_per_dimension(self) -> float:
        """Of the rows that are used."""
        return self.learned / DATASETS[self.dataset].input_dim

    def shape(self) -> tuple[JSON, ...]:
        """One program for each data set; rows are traced."""
        return ("real", self.dataset)


PATTERNS = (
    (
        rf"real/([a-z0-9_/]+)/n{INT}(-validation)?",
        lambda g: RealProblem(g[0], int(g[1]), bool(g[2])),
    ),
)
