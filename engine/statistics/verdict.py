"""What one check says: where the observed value lies among its replicates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.stats import beta

from augury.engine.statistics.predictive import Mode

if TYPE_CHECKING:
    from jaxtyping import Float

_RESAMPLES = 200
_MOST_PICKED = 10_000  # replicates of which each resample is drawn whole
_SAME = 1e-12  # relative; sums of the same numbers in another order differ by less


@dataclass(frozen=True, slots=True, eq=False)
class Check:
    """One statistic of the observed rows against its S replicates."""

    mode: Mode
    observed: float
    replicates: Float[np.ndarray, " S"]
    num_members: int  # M; 0: a fresh member for each draw

    @property
    def num_replicates(self) -> int:
        """S. Compare verdicts at equal S only: 2/(S+1) of true models fail, more with ties."""
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
    def quantiles(self) -> tuple[float, float]:
        """5 % and 95 % quantile of the replicates, linear between order statistics."""
        low, high = np.quantile(self.replicates, (0.05, 0.95), method="linear")
        return float(low), float(high)

    @property
    def sharpness(self) -> float:
        """95 % minus 5 % quantile of the replicates."""
        low, high = self.quantiles
        return high - low

    @property
    def sharpness_stderr(self) -> float:
        """Of `sharpness` over replicates, by bootstrap with a fixed seed."""
        rng = np.random.default_rng(0)
        if self.num_replicates > _MOST_PICKED:
            low, high = _resampled(self.replicates, rng)
            return float(np.std(high - low, ddof=1))
        picks = rng.integers(self.num_replicates, size=(_RESAMPLES, self.num_replicates))
        low, high = np.quantile(self.replicates[picks], (0.05, 0.95), axis=1, method="linear")
        return float(np.std(high - low, ddof=1))

    @property
    def passes(self) -> bool:
        """0 < p < 1."""
        return 0.0 < self.p_value < 1.0

    @property
    def passes_range(self) -> bool:
        """The observed value lies within the replicates' range, ends included.

        It differs from `passes` only where the observed value equals the smallest replicate.
        """
        return bool(self.replicates.min() <= self.observed <= self.replicates.max())

    @property
    def direction(self) -> Literal["low", "high", ""]:
        """How it fails: no replicate is below the observed value, or all are; "" if it passes."""
        if self.passes:
            return ""
        return "low" if self.p_value == 0.0 else "high"

    @property
    def false_fail(self) -> float:
        """How often it fails where one of the members is the truth, ties counted.

        A value exchangeable with the replicates fails as each of them would among the others: it
        does at p 0 if it is one of the smallest, however many tie, and at p 1 if it alone is the
        largest. Without ties this is `false_fail_rate`; with them an estimate from S replicates.
        Where all replicates are the same it would be no verdict: one in S + 1 may have differed.
        """
        if _all_same(self.replicates):
            return 1.0 / (self.num_replicates + 1)
        smallest = np.count_nonzero(self.replicates == self.replicates.min())
        alone = np.count_nonzero(self.replicates == self.replicates.max()) == 1
        return float((smallest + alone) / (self.num_replicates + 1))

    @property
    def fresh_fail(self) -> float:
        """`fresh_fail_rate` of S and M: the same for a truth drawn as the members were.

        In independent mode every row has a member of its own, and S alone counts. It is no less
        than `false_fail`, for ties are as frequent there.
        """
        members = self.num_members if self.mode == "bayesian" else 0
        return max(fresh_fail_rate(self.num_replicates, members), self.false_fail)

    @property
    def reason(self) -> str:
        """Why the check means nothing; empty when it means something."""
        if not np.isfinite(self.observed) or not np.isfinite(self.replicates).all():
            return "the statistic is not finite"
        every = np.append(self.replicates, self.observed)
        with np.errstate(over="ignore"):
            spread = np.ptp(every)
        if not np.isfinite(spread):
            return "the range of the statistic is not finite"
        if _all_same(every):
            return "degenerate: the statistic is the same in every replicate, as observed"
        return ""

    def randomised_p(self, uniform: Any) -> Any:
        """(replicates below + uniform * (ties + 1)) / (S + 1), for uniform in [0, 1], any shape.

        Exactly uniform under the true model, for discrete statistics too: the observed value's
        place among S + 1 exchangeable ones, those that tie in random order.
        """
        below = np.count_nonzero(self.replicates < self.observed)
        ties = np.count_nonzero(self.replicates == self.observed)
        return (below + np.asarray(uniform) * (ties + 1)) / (self.num_replicates + 1)


def _all_same(values: Any) -> bool:
    return bool(np.ptp(values) <= _SAME * np.abs(values).max())


def _resampled(replicates: Any, rng: np.random.Generator) -> tuple[Any, Any]:
    """5 % and 95 % quantiles of each resample, [resamples], without drawing all of it.

    The order statistics of a resample are those of as many uniform numbers, read off the sorted
    replicates; and those of uniform numbers are sums of gamma numbers over their total.
    """
    size = len(replicates)
    places = np.array((0.05, 0.95)) * (size - 1)
    ranks = np.concatenate([np.floor(places), np.floor(places) + 1]).astype(int)
    ranks = ranks[[0, 2, 1, 3]]  # ascending: two about each quantile
    steps = np.diff(ranks, prepend=-1, append=size).astype(float)
    sums = rng.standard_gamma(steps, size=(_RESAMPLES, len(steps))).cumsum(1)
    picks = (sums[:, :-1] / sums[:, -1:] * size).astype(int)
    ends = np.sort(replicates)[np.minimum(picks, size - 1)]
    share = places - np.floor(places)
    low, high = (ends[:, 0::2] + share * (ends[:, 1::2] - ends[:, 0::2])).T
    return low, high


def false_fail_rate(count: int) -> float:
    """Chance that p is 0 or 1 though the observed value is exchangeable with the replicates.

    2 / (count + 1) for a continuous statistic; `Check.false_fail` counts the ties of others.
    `count` is S; with M members in bayesian mode and many rows only M values can occur, so that M
    is the count that binds.
    """
    return 2.0 / (count + 1)


def fresh_fail_rate(num_replicates: int, num_members: int) -> float:
    """Chance that p is 0 or 1 where the truth is drawn as the M members were, at many rows.

    Then a replicate's statistic is that of its member, and the truth's has one of M + 1 places
    among them, all alike. With j members above it, p is 0 where all S replicates are of those:
    2/(M+1) sum_j (j/M)^S, near 2/(M+1) if S is large and 2/(S+1) if M is. No members (0): M is
    infinite. Fewer rows blur the members and bring the rate nearer to 2/(S+1).
    """
    if num_members < 1:
        return false_fail_rate(num_replicates)
    share = np.arange(num_members + 1) / num_members
    return float(2.0 / (num_members + 1) * (share**num_replicates).sum())
