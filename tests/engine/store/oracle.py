"""Board arithmetic once more, in NumPy over plain lists: what the SQL is checked against."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np


class Number(NamedTuple):
    """One stored number of one subject."""

    label: str
    setting: str
    unit: int
    seed: int
    value: float
    stderr: float


def mean(numbers: Iterable[Number]) -> tuple[float, float]:
    """Mean over (setting, unit), agent seeds averaged inside, and its stratified error."""
    cells = defaultdict(list)
    for n in numbers:
        cells[n.setting, n.unit].append((n.value, n.stderr))
    strata = defaultdict(list)
    for (setting, _), values in cells.items():
        strata[setting].append(np.mean(values, axis=0))
    total = sum(len(units) for units in strata.values())
    everything = np.concatenate([[u[0] for u in units] for units in strata.values()])
    variance = 0.0
    for units in strata.values():
        table = np.array(units)
        size = len(table)
        within = table[:, 0].var(ddof=1) / size if size > 1 else table[0, 1] ** 2
        variance += (size / total) ** 2 * within
    return float(everything.mean()), float(np.sqrt(variance))


def ratio(top: Iterable[Number], bottom: Iterable[Number]) -> tuple[float, float]:
    """Ratio of the two means over pairs that both have, by the delta method, paired by unit."""
    tops = {(n.setting, n.unit, n.seed): n for n in top}
    bottoms = {(n.setting, n.unit, n.seed): n for n in bottom}
    cells = defaultdict(list)
    for key in tops.keys() & bottoms.keys():
        a, b = tops[key], bottoms[key]
        cells[key[:2]].append((a.value, b.value, a.stderr, b.stderr))
    strata = defaultdict(list)
    for (setting, _), values in cells.items():
        strata[setting].append(np.mean(values, axis=0))
    table = np.concatenate([np.array(units) for units in strata.values()])
    quotient = table[:, 0].mean() / table[:, 1].mean()
    variance = 0.0
    for setting, units in strata.items():
        rows = np.array(units)
        size = len(rows)
        if size > 1:
            within = (rows[:, 0] - quotient * rows[:, 1]).var(ddof=1) / size
        else:
            # Errors that are all their own: those of seeds are independent.
            (own,) = [np.array(v)[:, 2:] for key, v in cells.items() if key[0] == setting]
            within = (own**2 @ [1.0, quotient**2]).sum() / len(own) ** 2
        variance += (size / len(table)) ** 2 * within
    return float(quotient), float(np.sqrt(variance) / table[:, 1].mean())
