"""The two sides of a person's pairs: numbers and labels, and the matrix that estimators see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import ndtri

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Float, Int

MOST_LEVELS = 64  # distinct values of a column of labels
ROWS_A_LEVEL = 5  # on average, else the values are numbers
MOST_NUMBERS = 2**28  # rows x columns


@dataclass(frozen=True, slots=True)
class Side:
    """Rows of x or of y. A column has a few values that come again (labels), or many (numbers)."""

    numbers: Float[np.ndarray, "rows numbers"]
    labels: Int[np.ndarray, "rows labels"]  # codes from 0 on

    @property
    def num_rows(self) -> int:
        """Rows."""
        return len(self.numbers)

    @property
    def is_labels(self) -> bool:
        """Whether every column has labels."""
        return not self.numbers.shape[1]

    def take(self, rows: Int[np.ndarray, " some"]) -> Side:
        """Those rows, in that order."""
        return Side(self.numbers[rows], self.labels[rows])

    def noisier(self, draw: np.random.Generator) -> Side:
        """Every row spoilt by itself: as much noise as there is, a quarter of labels drawn anew."""
        scores = [_scores(column) for column in self.numbers.T]
        noise = draw.normal(size=self.numbers.shape)
        numbers = np.stack(scores, axis=1) + noise if scores else self.numbers
        others = draw.permuted(self.labels, axis=0)
        return Side(numbers, np.where(draw.random(self.labels.shape) < 0.25, others, self.labels))

    def beside(self, other: Side) -> Side:
        """The columns of both."""
        return Side(
            np.hstack([self.numbers, other.numbers]), np.hstack([self.labels, other.labels])
        )

    @property
    def matrix_width(self) -> int:
        """Columns of `matrix`."""
        levels = [len(np.unique(column)) for column in self.labels.T]
        return self.numbers.shape[1] + sum(1 if n == 2 else n for n in levels if n > 1)

    def codes(self) -> Int[np.ndarray, " rows"]:
        """One code for each combination of labels that occurs."""
        return np.unique(self.labels, axis=0, return_inverse=True)[1].reshape(-1)

    def matrix(self, apart: float = 1.0) -> Float[np.ndarray, "rows columns"]:
        """Numbers as normal scores of their ranks; `apart` in a column of its own for each label.

        A map of a column that keeps the order of its values changes no information, so neither
        units nor outliers matter.
        """
        parts = [_scores(column)[:, None] for column in self.numbers.T]
        for column in self.labels.T:
            levels, places = np.unique(column, return_inverse=True)
            if len(levels) == 2:
                parts.append(apart * places[:, None])
            elif len(levels) > 2:
                parts.append(apart * np.eye(len(levels))[places])
        return np.hstack([np.zeros((self.num_rows, 0)), *parts])


def _scores(values: Float[np.ndarray, " rows"]) -> Float[np.ndarray, " rows"]:
    """Normal quantiles of mean ranks; equal values stay equal."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return ndtri((ends - counts / 2.0) / len(values))[places]


def side(
    columns: Sequence[np.ndarray], names: Sequence[str], where: str
) -> tuple[Side, tuple[str, ...]]:
    """The rows of one side, and the names of columns that are the same in every row, left out.

    Args:
        columns: [rows] each: numbers, or text.
        names: of the columns.
        where: what a message begins with.

    Raises:
        UsageError: a value that is missing or infinite, or no column that varies.
    """
    numbers: list[np.ndarray] = []
    labels: list[np.ndarray] = []
    constant: list[str] = []
    for name, column in zip(names, columns, strict=True):
        if column.dtype.kind == "f" and not np.isfinite(column).all():
            row = int(np.flatnonzero(~np.isfinite(column))[0])
            raise UsageError(
                f"{where}: {name} of row {row} is {column[row]}; leave such rows out, or fill them."
            )
        levels, places = np.unique(column, return_inverse=True)
        if len(levels) == 1:
            constant.append(name)
        elif column.dtype.kind not in "fiub" or _few(len(levels), len(column)):
            labels.append(places.reshape(-1))
        else:
            numbers.append(column.astype(np.float64))
    if not numbers and not labels:
        raise UsageError(f"{where}: every column is the same in all rows, which tells nothing.")
    rows = len(columns[0])
    return Side(_stacked(numbers, rows, float), _stacked(labels, rows, int)), tuple(constant)


def _few(levels: int, rows: int) -> bool:
    return levels <= 2 or (levels <= MOST_LEVELS and rows >= ROWS_A_LEVEL * levels)


def _stacked(columns: list[np.ndarray], rows: int, kind: type) -> np.ndarray:
    return np.stack(columns, axis=1).astype(kind) if columns else np.zeros((rows, 0), kind)
