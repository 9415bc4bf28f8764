"""All ways in which tau labels can fall on a few places, and how likely each is."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from math import comb, lgamma, log
from typing import NamedTuple

import numpy as np

MOST_PATTERNS = 400  # at most so many are summed over: 286 for two anchors, two classes, tau 10


class Patterns(NamedTuple):
    """Counts on the places (anchor, label), anchor by anchor."""

    counts: np.ndarray  # [patterns, anchors * labels] float32
    log_ways: np.ndarray  # [patterns] float32: log of tau! / prod counts! / anchors^tau


def num_patterns(tau: int, anchors: int, labels: int) -> int:
    """Compositions of tau into anchors * labels counts."""
    places = anchors * labels
    return comb(tau + places - 1, places - 1)


def summable(tau: int, kappa: int, labels: int) -> bool:
    """Whether the labels of (tau, kappa) are integrated out by a sum over all patterns.

    Inputs that are all distinct (kappa 0) have labels^tau of them, of which tau = 1 alone is few.
    """
    if kappa == 0:
        return tau == 1
    # The number grows with each argument: refuse large ones before binomials of them.
    return tau + kappa * labels < 1_000 and num_patterns(tau, kappa, labels) <= MOST_PATTERNS


@lru_cache(maxsize=32)
def patterns(tau: int, anchors: int, labels: int) -> Patterns:
    """Every pattern: each label takes one of the anchors uniformly, then its value there.

    The probability of a pattern is exp(log_ways + counts @ log p) with log p of the labels at
    the anchors; sequences of one pattern are equally likely under any mixture too, so a joint
    log-likelihood is counts @ log p as well (arXiv:2202.13509, section 4).
    """
    places = anchors * labels
    bars = np.array(list(combinations(range(tau + places - 1), places - 1)), int)
    bars = bars.reshape(num_patterns(tau, anchors, labels), places - 1)
    edges = np.pad(bars, ((0, 0), (1, 1)), constant_values=((0, 0), (-1, tau + places - 1)))
    counts = np.diff(edges, axis=1) - 1
    factorials = np.array([lgamma(n + 1) for n in range(tau + 1)])
    log_ways = lgamma(tau + 1) - factorials[counts].sum(1) - tau * log(anchors)
    return Patterns(counts.astype(np.float32), log_ways.astype(np.float32))
