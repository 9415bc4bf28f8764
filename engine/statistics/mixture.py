"""Predictives of numbers made of members: draw replicates in either mode, read the mixture.

A replicate sees one member (or one for each row); the mixture is the average over members. The
two are kept apart here: `draw` knows members, everything else knows the mixture only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import logsumexp, ndtr, ndtri

from augury.engine.errors import UsageError
from augury.engine.statistics.predictive import (
    Mode,
    check_members,
    checked_rows,
    checked_weights,
    choose_members,
)

if TYPE_CHECKING:
    from jaxtyping import Float, Int

_LOG_SQRT_2PI = 0.5 * np.log(2.0 * np.pi)
_CACHED = 1 << 15  # numbers
_HALVINGS = 60  # of the range that holds a quantile: to the last digit of a double


@dataclass(frozen=True, slots=True, eq=False)
class NormalMixture:
    """M normal members at n rows, weighted: F(y|x) = sum_m w_m Phi((y - mu_m(x)) / s_m(x)).

    Build it with `normal_mixture`, which checks the arrays.
    """

    mean: Float[np.ndarray, "members rows"]
    scale: Float[np.ndarray, "members rows"]
    weights: Float[np.ndarray, " members"]
    _kept: dict[Any, np.ndarray] = field(default_factory=dict, repr=False)  # y has no part in it

    @property
    def num_rows(self) -> int:
        """Rows n."""
        return self.mean.shape[1]

    @property
    def num_members(self) -> int:
        """Members M."""
        return self.mean.shape[0]

    def choose(
        self, mode: Mode, size: int, members: np.random.Generator
    ) -> Int[np.ndarray, "size rows"]:
        """Member indices drawn by weight: [size, 1] if bayesian, [size, rows] if independent."""
        return choose_members(self.weights, mode, size, self.num_rows, members)

    def draw(
        self, members: Int[np.ndarray, "size rows"], noise: np.random.Generator
    ) -> Float[np.ndarray, "size rows"]:
        """One observation for each row from the member chosen for it."""
        rows = np.arange(self.num_rows)
        unit = noise.standard_normal((len(members), self.num_rows))
        return self.mean[members, rows] + self.scale[members, rows] * unit

    def cdf(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
        """The mixture's distribution function at every row, in [0, 1]."""
        values = np.reshape(y, (-1, self.num_rows))
        total = np.zeros(values.shape)
        step = max(_CACHED // self.num_rows, 1)
        for start in range(0, len(values), step):  # all members of what stays in the cache
            part, sums = values[start : start + step], total[start : start + step]
            z = np.empty(part.shape)
            for mean, scale, weight in zip(self.mean, self.scale, self.weights, strict=True):
                np.subtract(part, mean, out=z)
                z /= scale
                ndtr(z, out=z)
                z *= weight
                sums += z
        return np.minimum(total, 1.0, out=total).reshape(np.shape(y))

    def log_density(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
        """The mixture's log density at every row, in nats."""
        total = np.full(np.shape(y), -np.inf)
        for mean, scale, weight in zip(self.mean, self.scale, self.weights, strict=True):
            if weight > 0:
                total = np.logaddexp(total, np.log(weight) + _log_density(y, mean, scale))
        return total

    def joint_log_density(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
        """Log density of all rows together when one member made them, in nats."""
        parts = [
            np.log(weight) + _log_density(y, mean, scale).sum(-1)
            for mean, scale, weight in zip(self.mean, self.scale, self.weights, strict=True)
            if weight > 0
        ]
        return np.asarray(logsumexp(parts, axis=0))

    def moments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mean, aleatoric and epistemic variance of each row; the variance is their sum."""
        mean = self.weights @ self.mean
        return mean, self.weights @ self.scale**2, self.weights @ (self.mean - mean) ** 2

    def quantile(self, level: float) -> Float[np.ndarray, " rows"]:
        """The value of every row with this much of the mixture below it."""
        return self._once(("quantile", level), lambda: self._quantile(level))

    def _quantile(self, level: float) -> Float[np.ndarray, " rows"]:
        each = self.mean + self.scale * ndtri(level)
        low, high = each.min(0), each.max(0)  # a mixture's quantile lies among its members'
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            below = self.cdf(middle) < level
            low, high = np.where(below, middle, low), np.where(below, high, middle)
        return 0.5 * (low + high)

    def crps(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
        """E|X - y| - E|X - X'| / 2 of every row (Grimit et al. 2006, doi:10.1256/qj.05.235)."""
        total = -0.5 * np.broadcast_to(self._once("pairs", self._pairs), np.shape(y))
        for mean, scale, weight in zip(self.mean, self.scale, self.weights, strict=True):
            total = total + weight * _distance(y - mean, scale)
        return total

    def _pairs(self) -> Float[np.ndarray, " rows"]:
        """E|X - X'| of two draws of the mixture at each row."""
        total = np.zeros(self.num_rows)
        for m in range(self.num_members):
            apart = _distance(self.mean[m:] - self.mean[m], np.hypot(self.scale[m:], self.scale[m]))
            twice = np.where(np.arange(m, self.num_members) == m, 1.0, 2.0)
            total += self.weights[m] * (twice * self.weights[m:]) @ apart
        return total

    def validate(self, observed: Any) -> np.ndarray:
        """Finite numbers, one for each row; `UsageError` otherwise."""
        return checked_rows(observed, self.num_rows)

    def _once(self, name: Any, compute: Callable[[], np.ndarray]) -> np.ndarray:
        if name not in self._kept:
            self._kept[name] = compute()
        return self._kept[name]


def normal_mixture(mean: Any, scale: Any, weights: Any = None) -> NormalMixture:
    """A `NormalMixture` from arrays [members, rows]; equal weights if none are given.

    Raises `UsageError` for one member only, unequal shapes, numbers that are not finite, scales
    that are not positive, and weights that do not sum to one.
    """
    mean, scale = (np.asarray(a, np.float64) for a in (mean, scale))
    if mean.ndim != 2 or mean.shape != scale.shape:
        raise UsageError(
            f"mean and scale must both have the shape [members, rows], got {list(mean.shape)} "
            f"and {list(scale.shape)}."
        )
    check_members("mean", mean)
    check_members("scale", scale)
    if (scale <= 0).any():
        member, row = np.argwhere(scale <= 0)[0]
        raise UsageError(f"scale of member {member} at row {row} is not positive.")
    return NormalMixture(mean, scale, checked_weights(weights, *mean.shape))


def _log_density(y: Any, mean: Any, scale: Any) -> Any:
    return -0.5 * ((y - mean) / scale) ** 2 - np.log(scale) - _LOG_SQRT_2PI


def _distance(mean: Any, scale: Any) -> Any:
    """E|X| of a normal X."""
    z = mean / scale
    return mean * (2.0 * ndtr(z) - 1.0) + 2.0 * scale * np.exp(-0.5 * z * z - _LOG_SQRT_2PI)
