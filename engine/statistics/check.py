"""The posterior predictive check, Algorithm 1 of arXiv:2112.01477, in both modes.

Out of sample: the rows checked were not trained on, so under the true model p is uniform (up to
ties and the grid of 1/S). A statistic is a function of the observations alone; the mixture may be
bound into it beforehand, the member that made a replicate cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from scipy.stats import beta

from augury.engine.errors import UsageError
from augury.engine.statistics.predictive import MODES, Mode, Predictive

if TYPE_CHECKING:
    from jaxtyping import Float

# Observations [..., rows] -> each statistic by name, [...].
Statistics: TypeAlias = Callable[[Any], Mapping[str, Any]]
BLOCK = 1 << 20  # numbers of one block of replicates: bounds the memory, changes no result
_RESAMPLES = 200


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """One statistic of the observed rows against its S replicates."""

    mode: Mode
    observed: float
    replicates: Float[np.ndarray, " S"]
    num_members: int  # M; 0: a fresh member for each draw

    @property
    def num_replicates(self) -> int:
        """S. Compare verdicts at equal S only: 2/(S+1) of true models fail."""
        return len(self.replicates)

    @property
    def p_value(self) -> float:
        """Fraction of replicates strictly below the observed value."""
        return float(np.mean(self.replicates < self.observed))

    @property
    def mid_p(self) -> float:
        """`p_value` and half of the ties."""
        return self.p_value + 0.5 * float(np.mean(self.replicates == self.observed))

    @property
    def stderr(self) -> float:
        """Of `p_value` over replicates: sqrt(p(1-p)/S); at p 0 or 1 the Clopper-Pearson bound."""
        p, size = self.p_value, self.num_replicates
        if p in (0.0, 1.0):
            return float(1.0 - 0.025 ** (1.0 / size))
        return float(np.sqrt(p * (1.0 - p) / size))

    @property
    def interval(self) -> tuple[float, float]:
        """Clopper-Pearson 95 % interval of `p_value`."""
        size = self.num_replicates
        below = round(self.p_value * size)
        low = 0.0 if below == 0 else float(beta.ppf(0.025, below, size - below + 1))
        high = 1.0 if below == size else float(beta.ppf(0.975, below + 1, size - below))
        return low, high

    @property
    def sharpness(self) -> float:
        """95 % minus 5 % quantile of the replicates, linear between order statistics."""
        low, high = np.quantile(self.replicates, (0.05, 0.95), method="linear")
        return float(high - low)

    @property
    def sharpness_stderr(self) -> float:
        """Of `sharpness` over replicates, by bootstrap with a fixed seed."""
        rng = np.random.default_rng(0)
        picks = rng.integers(self.num_replicates, size=(_RESAMPLES, self.num_replicates))
        low, high = np.quantile(self.replicates[picks], (0.05, 0.95), axis=1, method="linear")
        return float(np.std(high - low, ddof=1))

    @property
    def passes(self) -> bool:
        """0 < p < 1."""
        return 0.0 < self.p_value < 1.0

    @property
    def passes_range(self) -> bool:
        """The observed value lies within the replicates' range, ends included."""
        return bool(self.replicates.min() <= self.observed <= self.replicates.max())

    @property
    def reason(self) -> str:
        """Why the check means nothing; empty when it means something."""
        if not np.isfinite(self.observed) or not np.isfinite(self.replicates).all():
            return "the statistic is not finite"
        if np.ptp(self.replicates) == 0.0:
            return "degenerate: the statistic is the same in every replicate"
        return ""


def check(
    predictive: Predictive,
    observed: Any,
    statistics: Statistics,
    mode: Mode,
    num_replicates: int,
    members: np.random.Generator,
    noise: np.random.Generator,
) -> dict[str, Check]:
    """Check every statistic against the same S replicates.

    Args:
      predictive: members, with weights or a sampler of fresh ones.
      observed: [rows] values or labels.
      statistics: observations [..., rows] -> statistic by name, [...].
      mode: bayesian (one member for the whole replicate) or independent (one for each row).
      num_replicates: S.
      members: randomness of which members are drawn.
      noise: randomness of observations given members.

    Raises:
      UsageError: observed rows of the wrong number, not finite, or labels out of range.
    """
    found = predictive.validate(observed)
    value = statistics(found)
    drawn = replicate(predictive, statistics, mode, num_replicates, members, noise)
    return {
        name: Check(mode, float(value[name]), drawn[name], predictive.num_members) for name in drawn
    }


def replicate(
    predictive: Predictive,
    statistics: Statistics,
    mode: Mode,
    num_replicates: int,
    members: np.random.Generator,
    noise: np.random.Generator,
) -> dict[str, Float[np.ndarray, " S"]]:
    """The statistics of S replicates, in blocks whose size does not change the draws.

    Raises:
      UsageError: fewer than two replicates, or an unknown mode.
    """
    if num_replicates < 2:
        raise UsageError(f"a check needs two replicates or more, got {num_replicates}.")
    if mode not in MODES:
        raise UsageError(f"a check is one of {', '.join(MODES)}, got {mode!r}.")
    block = max(1, BLOCK // predictive.num_rows)
    parts: dict[str, list[np.ndarray]] = {}
    for start in range(0, num_replicates, block):
        size = min(block, num_replicates - start)
        y = predictive.draw(predictive.choose(mode, size, members), noise)
        for name, values in statistics(y).items():
            parts.setdefault(name, []).append(np.asarray(values, np.float64))
    return {name: np.concatenate(values) for name, values in parts.items()}


def false_fail_rate(count: int) -> float:
    """Chance that p is 0 or 1 though the observed value is exchangeable with the replicates.

    2 / (count + 1) for a continuous statistic. `count` is S; with M members in bayesian mode and
    many rows only M values can occur, so that M is the count that binds.
    """
    return 2.0 / (count + 1)
