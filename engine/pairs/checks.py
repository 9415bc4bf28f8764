"""What an estimator must agree with, whatever the truth is: three rules about information.

Song and Ermon 2020 (arXiv:1910.06222) judge estimators so where nobody knows the truth.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from augury.engine.pairs.draws import draws
from augury.engine.pairs.estimate import Estimate
from augury.engine.pairs.sides import Side

ERRORS = 2.0  # standard errors that a rule may be missed by
SHARE = 0.1  # or so much of the value, where errors are smaller than the bias of any estimator


@dataclass(frozen=True, slots=True)
class Rule:
    """Other pairs made of the given ones, and what an estimate of them must be."""

    title: str
    summary: str
    pairs: Callable[[Side, Side, np.random.Generator], tuple[Side, Side]]
    times: float  # the value that is expected, as a multiple of the estimate
    at_most: bool  # or less


@dataclass(frozen=True, slots=True)
class Checked:
    """A rule held against one estimator; in nats."""

    found: Estimate
    expected: float
    tolerance: float
    holds: bool


def _shuffled(x: Side, y: Side, draw: np.random.Generator) -> tuple[Side, Side]:
    return x, y.take(draw.permutation(y.num_rows))


def _noisier(x: Side, y: Side, draw: np.random.Generator) -> tuple[Side, Side]:
    return x, y.noisier(draw)


def _doubled(x: Side, y: Side, draw: np.random.Generator) -> tuple[Side, Side]:
    order = draw.permutation(x.num_rows)
    half = len(order) // 2
    one, other = order[:half], order[half : 2 * half]
    return x.take(one).beside(x.take(other)), y.take(one).beside(y.take(other))


RULES: Mapping[str, Rule] = {
    "independence": Rule("y shuffled", "with y shuffled: nothing", _shuffled, 0.0, True),
    "processing": Rule("y noisier", "with noise added to y: no more", _noisier, 1.0, True),
    "additivity": Rule("two at once", "of two rows as one: twice", _doubled, 2.0, False),
}


def pairs_of(rule: str, x: Side, y: Side, seed: int) -> tuple[Side, Side]:
    """The pairs of a rule; the same for every estimator."""
    return RULES[rule].pairs(x, y, draws(rule, seed))


def checked(rule: str, given: Estimate, found: Estimate) -> Checked | None:
    """Whether a rule holds; None where there is no value to hold it against."""
    if given.value is None or found.value is None:
        return None
    card = RULES[rule]
    expected = card.times * given.value
    error = math.hypot(card.times * (given.stderr or 0.0), found.stderr or 0.0)
    tolerance = max(ERRORS * error, SHARE * max(card.times, 0.5) * abs(given.value))
    missed = found.value - expected
    holds = missed <= tolerance and (card.at_most or missed >= -tolerance)
    return Checked(found, expected, tolerance, holds)
