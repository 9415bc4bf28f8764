"""Rank correlation of two scores of the same agents: an interval, and a test by permutation."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from math import factorial
from typing import Any

from augury.engine.store.bootstrap import ALPHA, Unit, resampled

MOST_ORDERS = 40_320  # of eight agents; of more, as many are drawn


def spearman(
    pairs: Sequence[tuple[Sequence[Unit], Sequence[Unit]]],
) -> tuple[float | None, float | None, float | None]:
    """Spearman's correlation of agents' means on two sets of units, and a 95 % interval.

    In each bootstrap replicate all agents are ranked anew on the same drawn environments. None
    where all means on one side are equal.
    """
    import numpy as np

    sides = [[pair[side] for pair in pairs] for side in (0, 1)]
    means = [np.array([[np.mean([u.above for u in units])] for units in side]) for side in sides]
    drawn = [np.array([resampled(units)[0] / len(units) for units in side]) for side in sides]
    value = _correlation(*means)[0]
    if np.isnan(value):
        return None, None, None
    many = _correlation(*drawn)
    if np.isnan(many).any():
        return float(value), None, None
    low, high = np.quantile(many, [ALPHA / 2, 1 - ALPHA / 2])
    return float(value), float(low), float(high)


def _correlation(one: Any, two: Any) -> Any:
    """Of ranks along the first axis: [agents, replicates] twice -> [replicates]."""
    import numpy as np

    first, second = _ranked(one), _ranked(two)
    first, second = first - first.mean(0), second - second.mean(0)
    with np.errstate(invalid="ignore"):
        return (first * second).sum(0) / np.sqrt((first**2).sum(0) * (second**2).sum(0))


def _ranked(values: Any) -> Any:
    """Ranks along the first axis; equal values share the mean of theirs."""
    below = (values[:, None] > values[None]).sum(1)
    equal = (values[:, None] == values[None]).sum(1)
    return below + (equal + 1) / 2


def places(values: Sequence[float]) -> list[float]:
    """The place of each, the least first; equal values share the mean of theirs."""
    import numpy as np

    return _ranked(np.array(values, float)[:, None])[:, 0].tolist() if values else []


def permutation_p(one: Sequence[float], two: Sequence[float]) -> float | None:
    """How often agents put at random reach so strong a rank correlation, of either sign.

    Exact for up to eight agents; else 40,320 orders are drawn, the same on every machine, and the
    one that was found is counted too. None where all scores of a side are equal.
    """
    import numpy as np

    first, second = np.array(one, float), np.array(two, float)
    found = float(_correlation(first[:, None], second[:, None])[0])
    if np.isnan(found):
        return None
    size = len(first)
    exact = factorial(size) <= MOST_ORDERS
    if exact:
        orders = np.array(list(permutations(range(size))))
    else:
        draws = np.random.default_rng(0)
        orders = draws.permuted(np.tile(np.arange(size), (MOST_ORDERS, 1)), axis=1)
    ranks = _ranked(second[:, None])[:, 0]
    many = _correlation(np.tile(first[:, None], len(orders)), ranks[orders].T)
    extreme = int((np.abs(many) >= abs(found) - 1e-9).sum())
    return extreme / len(orders) if exact else (extreme + 1) / (len(orders) + 1)
