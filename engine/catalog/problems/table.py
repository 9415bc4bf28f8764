"""A person's own table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from augury.engine.catalog.problems.card import INT, ProblemCard
from augury.engine.types import JSON


@dataclass(frozen=True, slots=True)
class TableProblem(ProblemCard):
    """`num_train` rows of a person's table against its test rows.

    The digest is of the file's bytes and of what was made of them, so that no changed data and no
    other target or split can have the same id.
    """

    name: str
    digest: str
    num_train: int
    scenario: ClassVar[str] = "real"

    @property
    def dataset(self) -> str:
        """Name and digest."""
        return f"table-{self.name}-{self.digest}"

    @property
    def setting(self) -> str:
        """Table and rows."""
        return f"{self.dataset}/n{self.num_train}"

    @property
    def id(self) -> str:
        """`real/table-credit-default-0123456789abcdef/n800`."""
        return f"{self.scenario}/{self.setting}"

    def columns(self) -> Mapping[str, JSON]:
        """As of the data sets that everybody has."""
        return {"dataset": self.dataset, "num_train": self.num_train}

    def shape(self) -> tuple[JSON, ...]:
        """Every table is its own program; so is a number of rows, which steps may depend on."""
        return ("table", self.digest, self.num_train)


PATTERNS = (
    (
        rf"real/table-([a-z0-9_-]+)-([0-9a-f]{{16}})/n{INT}",
        lambda g: TableProblem(g[0], g[1], int(g[2])),
    ),
)
