"""Columns as inputs of a network: whatever is fitted is fitted on training rows alone.

* A number or date: missing ones become the median, all are standardised and cut at `FAR` standard
  deviations.
* False and true are 0 and 1; missing ones become what is more frequent.
* Text: an input for each level, 1 where it is that. A missing value is a level of its own. Beyond
  `MOST_LEVELS` the rarer ones share one input. Of a level that no training row has all are 0.
* Numbers, dates and booleans that training rows lack get an input more, 1 where they are missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from augury.engine.datasets.own.columns import Texts

MOST_LEVELS = 64  # inputs of one column of text
FAR = 10.0  # standard deviations

Block: TypeAlias = NDArray[np.float32]  # [rows, inputs of a column]


@dataclass(frozen=True, slots=True)
class Numbers:
    """How a column of numbers is encoded."""

    fill: float
    mean: float
    scale: float  # 0 where nothing but the gaps tells anything
    gaps: bool  # whether an input says that the value is missing

    @property
    def width(self) -> int:
        """Inputs."""
        return int(self.scale > 0) + int(self.gaps)

    def encode(self, values: NDArray[np.float64]) -> Block:
        """[rows] -> [rows, width]."""
        missing = np.isnan(values)
        parts = []
        if self.scale > 0:
            filled = np.where(missing, self.fill, values)
            parts.append(np.clip((filled - self.mean) / self.scale, -FAR, FAR))
        if self.gaps:
            parts.append(missing)
        return np.stack(parts, axis=1).astype(np.float32)


@dataclass(frozen=True, slots=True)
class Levels:
    """How a column of text is encoded."""

    own: tuple[int, ...]  # codes with an input of their own, -1 being a missing value
    rest: frozenset[int]  # codes that share the last input

    @property
    def width(self) -> int:
        """Inputs."""
        return len(self.own) + bool(self.rest)

    def encode(self, texts: Texts) -> Block:
        """[rows] -> [rows, width]."""
        places = np.full(len(texts.levels) + 1, -1)  # the last is that of code -1
        places[list(self.rest)] = len(self.own)
        places[list(self.own)] = np.arange(len(self.own))
        at = places[texts.codes]
        block = np.zeros((len(at), self.width), np.float32)
        rows = np.flatnonzero(at >= 0)
        block[rows, at[rows]] = 1.0
        return block


Encoder: TypeAlias = Numbers | Levels


def fit_numbers(train: NDArray[np.float64]) -> Numbers | None:
    """By training rows [rows], NaN where missing; None where they tell nothing."""
    missing = np.isnan(train)
    given = train[~missing]
    if not len(given):
        return None
    fill = float(np.median(given))
    gaps = bool(missing.any())
    mean, scale = _moments(np.where(missing, fill, train))
    return Numbers(fill, mean, scale, gaps) if scale > 0 or gaps else None


def fit_booleans(train: NDArray[np.float64]) -> Numbers | None:
    """As `fit_numbers`, for 0 and 1, which stay what they are."""
    found = fit_numbers(train)
    if found is None:
        return None
    return Numbers(float(found.fill > 0.5), 0.0, float(found.scale > 0), found.gaps)


def fit_levels(train: NDArray[np.int32]) -> Levels | None:
    """By the codes of training rows; None where all are the same."""
    codes, counts = np.unique(train, return_counts=True)
    if len(codes) < 2:
        return None
    if len(codes) <= MOST_LEVELS:
        return Levels(tuple(codes.tolist()), frozenset())
    # The most frequent; of equals those that come first in the order of levels.
    kept = np.sort(np.lexsort((codes, -counts))[: MOST_LEVELS - 1])
    rest = np.setdiff1d(codes, codes[kept])
    return Levels(tuple(codes[kept].tolist()), frozenset(rest.tolist()))


def _moments(values: NDArray[np.float64]) -> tuple[float, float]:
    """Mean and standard deviation; that is 0 for equal values, whatever their mean rounds to."""
    if values.min() == values.max():
        return float(values[0]), 0.0
    most = float(np.abs(values).max())  # squares of huge numbers are none
    mean = float((values / most).mean())
    deviation = float(np.sqrt(np.square(values / most - mean).mean()))
    return mean * most, deviation * most
