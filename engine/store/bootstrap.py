"""Paired intervals of a ratio of two means, by a stratified bootstrap of environments.

Within each stratum (setting) of n units (environments), n - 1 are drawn with replacement, for
numerator and denominator together; a drawn unit counts n / (n - 1). So the variance of a
bootstrapped mean is the unbiased s^2 / n of its stratum (Rao and Wu 1988), where n of n draws give
(n - 1) / n of it. A stratum of one unit is not resampled: numerator and denominator move by the
errors of their own evaluation. Where both were scored on the same test rows, groups of rows are
drawn in the same way for both together, and what is each one's own moves normally; if the sums of
those groups are not there, nothing is known. Errors that share nothing move independently.

Draws come from a hash of (replicate, stratum, place): they are the same on every machine, and a
pair's interval does not depend on what else is compared.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from augury.engine.store.row_sums import Rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

REPLICATES = 2_000
ALPHA = 0.05  # intervals cover 95 %
# Holm's smallest step is alpha / m; a p-value cannot be below 2 / (replicates + 1).
PER_COMPARISON = 50
MOST_REPLICATES = 20_000


class Unit(NamedTuple):
    """One environment: both values, and their own standard errors where they have one.

    `shared` says why errors are not independent: `rows` tells then how they go together.
    """

    stratum: str
    above: float
    below: float
    above_stderr: float | None = None
    below_stderr: float | None = None
    shared: str = ""
    rows: Rows | None = None

    @property
    def unknown(self) -> bool:
        """Whether nothing tells how both errors go together, nor is either value exact."""
        return bool(self.shared) and not self.rows and 0.0 not in (
            self.above_stderr, self.below_stderr
        )  # fmt: skip

    def variance(self, ratio: float = 1.0) -> float:
        """That of above - ratio * below, by evaluation; NaN where it is not known."""
        if self.unknown:
            return float("nan")
        if self.rows:
            return self.rows.variance(ratio)
        return _known(self.above_stderr) ** 2 + (ratio * _known(self.below_stderr)) ** 2


@dataclass(frozen=True, slots=True)
class Paired:
    """A ratio of means, its interval, and the p-value of both means being equal."""

    ratio: float
    low: float | None
    high: float | None
    p: float | None
    stderr: float | None = None  # by the delta method
    lone: bool = False  # nothing else, for it is not known how errors of a lone unit go together


def replicates(comparisons: int) -> int:
    """As many as Holm's correction of that many comparisons can make use of."""
    return min(max(REPLICATES, PER_COMPARISON * comparisons), MOST_REPLICATES)


def paired(units: Sequence[Unit], count: int = REPLICATES) -> Paired | None:
    """Compare two means over units that both have; units of a stratum in a fixed order.

    The interval covers the middle 95 % of the bootstrapped ratios; p doubles the smaller share of
    bootstrapped differences on either side of 0. No interval where a bootstrapped denominator is
    not positive or a lone unit has no standard error of its own; None where the denominator
    is not positive.
    """
    import numpy as np

    above = np.array([unit.above for unit in units])
    below = np.array([unit.below for unit in units])
    if not len(units) or not below.sum() > 0:
        return None
    ratio = float(above.sum() / below.sum())
    tops, bottoms = resampled(units, count)
    if np.isnan(tops).any() or np.isnan(bottoms).any():
        lone = any(unit.unknown for unit in units)
        return Paired(ratio, None, None, None, lone=lone)
    stderr = _delta(units, ratio) / float(below.sum())
    differences = tops - bottoms
    smaller = min((differences <= 0).sum(), (differences >= 0).sum())
    p = min(2.0 * (int(smaller) + 1) / (count + 1), 1.0)
    if not (bottoms > 0).all():
        return Paired(ratio, None, None, p, stderr)
    low, high = quantiles(tops / bottoms, (ALPHA / 2, 1 - ALPHA / 2))
    return Paired(ratio, low, high, p, stderr)


def quantiles(values: Floats, wanted: Sequence[float]) -> list[float]:
    """As `numpy.quantile`, to the last bit, which would load masked arrays for it: 15 ms."""
    import numpy as np

    found, ordered = [], np.sort(values)
    for share in wanted:
        place = (len(values) - 1) * share
        first = int(place)
        low, high = ordered[first], ordered[min(first + 1, len(values) - 1)]
        part = place - first
        step = high - low  # from the nearer end, so that rounding is the same from both
        found.append(float(low + step * part if part < 0.5 else high - step * (1 - part)))
    return found


def resampled(units: Sequence[Unit], count: int = REPLICATES) -> tuple[Floats, Floats]:
    """Bootstrapped sums of numerator and denominator, [count] each; NaN where they are unknown."""
    import numpy as np

    order = sorted(range(len(units)), key=lambda i: units[i].stratum)  # stable
    placed = [units[i] for i in order]
    sizes: dict[str, int] = {}
    for unit in placed:
        sizes[unit.stratum] = sizes.get(unit.stratum, 0) + 1
    weights = _weights(tuple(sizes.items()), count)
    tops = weights @ np.array([unit.above for unit in placed])
    bottoms = weights @ np.array([unit.below for unit in placed])
    for unit in placed:
        if sizes[unit.stratum] == 1:
            top, bottom = _moved(unit, count)
            tops += top
            bottoms += bottom
    return tops, bottoms


def _moved(unit: Unit, count: int) -> tuple[Floats, Floats]:
    """How far a lone unit's values move in each replicate by their own evaluation."""
    import numpy as np

    if unit.unknown:
        nothing = np.full(count, np.nan)
        return nothing, nothing
    first, second = _normals(unit.stratum, count)
    if not unit.rows:
        return first * _known(unit.above_stderr), second * _known(unit.below_stderr)
    above, below, above_own, below_own = unit.rows
    weights = _groups(unit.stratum, len(above), count)
    # Sums of all rows are zero, so weights need no mean taken off.
    return weights @ above + first * above_own, weights @ below + second * below_own


def _delta(units: Sequence[Unit], ratio: float) -> float:
    """The standard error of the sum of above - ratio * below, stratified."""
    strata: dict[str, list[Unit]] = {}
    for unit in units:
        strata.setdefault(unit.stratum, []).append(unit)
    total = 0.0
    for members in strata.values():
        n = len(members)
        if n == 1:
            total += members[0].variance(ratio)
            continue
        rest = [unit.above - ratio * unit.below for unit in members]
        mean = sum(rest) / n
        total += n * sum((value - mean) ** 2 for value in rest) / (n - 1)
    return math.sqrt(total)


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p-values in the given order (Holm 1979); below alpha: not equal at that level."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    adjusted, largest = [0.0] * len(p_values), 0.0
    for step, place in enumerate(order):
        largest = max(largest, min((len(p_values) - step) * p_values[place], 1.0))
        adjusted[place] = largest
    return adjusted


def ties(p_values: Mapping[str, float | None]) -> dict[str, bool]:
    """Which comparisons leave the two equal: the Holm-adjusted interval contains 1."""
    tested = {name: p for name, p in p_values.items() if p is not None}
    adjusted = holm(list(tested.values()))
    return {name: p > ALPHA for name, p in zip(tested, adjusted, strict=True)}


def _known(stderr: float | None) -> float:
    return float("nan") if stderr is None else stderr


@lru_cache(maxsize=1)  # most rows of a board cover the same environments
def _weights(sizes: tuple[tuple[str, int], ...], count: int) -> Floats:
    """[count, units]: how often each unit is drawn, times n / (n - 1)."""
    import numpy as np

    weights = np.empty((count, sum(n for _, n in sizes)))
    first = 0
    for stratum, n in sizes:
        weights[:, first : first + n] = _drawn(stratum, n, count) * (n / max(n - 1, 1))
        first += n
    return weights


@lru_cache(maxsize=64)  # rows broken out by setting ask for each of them in turn
def _drawn(stratum: str, n: int, count: int) -> NDArray[np.uint16]:
    """How often each unit of one stratum is drawn."""
    import numpy as np

    if n == 1:
        return np.ones((count, 1), np.uint16)
    drawn = (_hashed(stratum, count, n - 1) % np.uint64(n)).astype(np.uint16)
    return np.stack([(drawn == place).sum(axis=1, dtype=np.uint16) for place in range(n)], axis=1)


@lru_cache(maxsize=8)
def _groups(stratum: str, n: int, count: int) -> Floats:
    """[count, n]: how often each group of a lone unit's rows is drawn, times n / (n - 1)."""
    import numpy as np

    drawn = _drawn.__wrapped__(f"rows of {stratum}", n, count)  # too large to be kept twice
    return drawn.astype(np.float64) * (n / (n - 1))


def _normals(stratum: str, count: int) -> Floats:
    """[2, count] standard normal numbers (Box and Muller)."""
    import numpy as np

    uniform = (_hashed(stratum, count, 2) >> np.uint64(11)).astype(np.float64) + 0.5
    u, v = (uniform / 2.0**53).T
    radius = np.sqrt(-2.0 * np.log(u))
    return radius * np.stack([np.cos(2 * np.pi * v), np.sin(2 * np.pi * v)])


def _hashed(stratum: str, count: int, places: int) -> NDArray[np.uint64]:
    """[count, places] 64-bit hashes: the finaliser of SplitMix64 over a counter."""
    import numpy as np

    start = np.uint64(zlib.crc32(stratum.encode())) << np.uint64(32)
    counter = start + np.arange(count * places, dtype=np.uint64).reshape(count, places)
    with np.errstate(over="ignore"):
        x = (counter + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        return x ^ (x >> np.uint64(31))
