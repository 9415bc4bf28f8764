"""Real data sets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.problems.card import INT, ProblemCard
from augury.engine.types import JSON


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
        return f"{self.scenario}/{self.setting}"

    def columns(self) -> Mapping[str, JSON]:
        """Data set and rows."""
        return {"dataset": self.dataset, "num_train": self.num_train}

    def rows_per_dimension(self) -> float:
        """Of the rows that are used."""
        return self.num_train / DATASETS[self.dataset].input_dim

    def shape(self) -> tuple[JSON, ...]:
        """One program for each data set; rows are traced."""
        return ("real", self.dataset)


PATTERNS = ((rf"real/([a-z0-9_/]+)/n{INT}", lambda g: RealProblem(g[0], int(g[1]))),)
