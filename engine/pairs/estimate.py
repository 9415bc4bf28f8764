"""Estimators that train nothing, on a person's rows, each with an interval. In nats."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy.stats import t as student

from augury.engine.estimators.correlations import gaussian_information
from augury.engine.estimators.counts import counted
from augury.engine.estimators.neighbours import by_distance, by_tree, distances, information
from augury.engine.pairs.sides import Side

GROUPS = 10  # of rows, each left out once
APART = 10.0  # between labels, in standard deviations of a number: rows of a label are nearest
MOST_ROWS = 100_000
MOST_NEAR = (5_000, 2_000)  # rows of few columns, that a tree takes; of many
FEW_COLUMNS = 3
_SMALL = 200  # rows below which fewer neighbours are looked at


@dataclass(frozen=True, slots=True)
class Estimate:
    """What one estimator finds in some rows."""

    value: float | None
    stderr: float | None = None
    rows: int = 0  # that it rests on
    freedom: int = 0  # of `stderr`; 0: as good as known
    half: float | None = None  # mean of the values of both halves of the rows
    bias: float = 0.0  # that estimators of this kind have at this size, not taken off
    correction: float = 0.0  # bias that was taken off
    pairs: int = 0  # in a batch of scores
    reason: str = ""  # why there is no value

    @property
    def interval(self) -> tuple[float, float] | None:
        """95 %: of what the estimator gives on other rows of this number, not of the truth."""
        if self.value is None or self.stderr is None:
            return None
        wide = (float(student.ppf(0.975, self.freedom)) if self.freedom else 1.96) * self.stderr
        return self.value - wide, self.value + wide


def estimate(name: str, x: Side, y: Side, draw: np.random.Generator) -> Estimate:
    """One of `SAMPLED`; of more rows than it can do, as many at random.

    The error is by the jackknife over `GROUPS` of rows, which on average is never too small (Efron
    and Stein 1981).
    """
    order = draw.permutation(x.num_rows)[: _most(name, x, y)]
    x, y = x.take(order), y.take(order)
    rows, group = len(order), np.arange(len(order)) % GROUPS
    why = _lacks(name, x, y)
    if why:
        return Estimate(None, rows=rows, reason=why)
    value = SAMPLED[name](x, y)
    whole = value(np.arange(rows))
    if not math.isfinite(whole):
        return Estimate(None, rows=rows, reason="infinite: a part of x is a linear function of y")
    without = np.array([value(np.flatnonzero(group != g)) for g in range(GROUPS)])
    spread = math.sqrt((GROUPS - 1) / GROUPS * float(np.sum((without - without.mean()) ** 2)))
    halves = [value(np.arange(first, rows, 2)) for first in (0, 1)]
    correction = counted(x.codes(), y.codes()).correction if name == "counts" else 0.0
    bias = x.matrix_width * y.matrix_width / (2.0 * rows) if name == "cca" else 0.0
    return Estimate(
        whole, spread if math.isfinite(spread) else None, rows, GROUPS - 1,
        float(np.mean(halves)), bias, correction,
    )  # fmt: skip


def fitting(x: Side, y: Side) -> tuple[str, ...]:
    """Those of `SAMPLED` that are made for such columns."""
    if x.is_labels and y.is_labels:
        return ("counts",)
    return ("ksg",) if x.is_labels or y.is_labels else ("ksg", "cca")


def _most(name: str, x: Side, y: Side) -> int:
    return MOST_NEAR[_has_many(x, y)] if name == "ksg" else MOST_ROWS


def _has_many(x: Side, y: Side) -> bool:
    return x.matrix_width + y.matrix_width > FEW_COLUMNS


def _lacks(name: str, x: Side, y: Side) -> str:
    """Why these rows are nothing for an estimator, if so."""
    if name == "counts" and not (x.is_labels and y.is_labels):
        return "not every column has labels"
    need = 2 * (x.matrix_width + y.matrix_width)
    if name == "cca" and x.num_rows < need:
        return f"needs {need:,} rows, twice the columns"
    return ""


def _ksg(x: Side, y: Side) -> Value:
    one, other = x.matrix(APART), y.matrix(APART)
    if not _has_many(x, y):
        return lambda rows: information(by_tree(one[rows], other[rows], _rank(rows)))
    far_x, far_y = distances(one), distances(other)

    def value(rows: Rows) -> float:
        part = np.ix_(rows, rows)
        return information(by_distance(far_x[part], far_y[part], _rank(rows)))

    return value


def _rank(rows: Rows) -> int:
    return 3 if len(rows) < _SMALL else 5


def _cca(x: Side, y: Side) -> Value:
    one, other = x.matrix(), y.matrix()
    return lambda rows: gaussian_information(one[rows], other[rows])


def _counts(x: Side, y: Side) -> Value:
    one, other = x.codes(), y.codes()
    return lambda rows: float(np.mean(counted(one[rows], other[rows]).terms))


Rows: TypeAlias = np.ndarray  # places
Value: TypeAlias = Callable[[Rows], float]
SAMPLED: Mapping[str, Callable[[Side, Side], Value]] = {
    "ksg": _ksg, "counts": _counts, "cca": _cca,
}  # fmt: skip
