"""Predictives of numbers made of members: draw replicates in either mode, read the mixture.

A replicate sees one member (or one for each row); the mixture is the average over members. The
two are kept apart here: `draw` knows members, everything else knows the mixture only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr

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


@dataclass(frozen=True, slots=True, eq=False)
class NormalMixture:
    """M normal members at n rows, weighted: F(y|x) = sum_m w_m Phi((y - mu_m(x)) / s_m(x)).

    Build it with `normal_mixture`, which checks the arrays.
    """

    mean: Float[np.ndarray, "members rows"]
    scale: Float[np.ndarray, "members rows"]
    weights: Float[np.ndarray, " members"]

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
        total = np.zeros(np.shape(y))
        for mean, scale, weight in zip(self.mean, self.scale, self.weights, strict=True):
            total += weight * ndtr((y - mean) / scale)
        return np.minimum(total, 1.0)

    def log_density(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
        """The mixture's log density at every row, in nats."""
        total = np.full(np.shape(y), -np.inf)
        for mean, scale, weight in zip(self.mean, self.scale, self.weights, strict=True):
            if weight > 0:
                logp = -0.5 * ((y - mean) / scale) ** 2 - np.log(scale) - _LOG_SQRT_2PI
                total = np.logaddexp(total, np.log(weight) + logp)
        return total

    def moments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mean, aleatoric and epistemic variance of each row; the variance is their sum."""
        mean = self.weights @ self.mean
        return mean, self.weights @ self.scale**2, self.weights @ (self.mean - mean) ** 2

    def validate(self, observed: Any) -> np.ndarray:
        """Finite numbers, one for each row; `UsageError` otherwise."""
        return checked_rows(observed, self.num_rows)


@dataclass(frozen=True, slots=True, eq=False)
class LatentNormal:
    """y_i|theta ~ N(theta, noise) with theta ~ N(mean, variance): a member for the asking.

    Eq. 3.1 of arXiv:2112.01477 is mean 0, variance 1, noise 1. Row marginals are
    N(mean, variance + noise), and rows correlate by variance / (variance + noise).
    """

    mean: float
    variance: float
    noise: float
    num_rows: int

    @property
    def num_members(self) -> int:
        """0: never the same member twice."""
        return 0

    def choose(
        self, mode: Mode, size: int, members: np.random.Generator
    ) -> Float[np.ndarray, "size rows"]:
        """Fresh theta: [size, 1] if bayesian, [size, rows] if independent."""
        unit = members.standard_normal((size, self.num_rows if mode == "independent" else 1))
        return self.mean + np.sqrt(self.variance) * unit

    def draw(
        self, members: Float[np.ndarray, "size rows"], noise: np.random.Generator
    ) -> Float[np.ndarray, "size rows"]:
        """One observation for each row around its theta."""
        return members + np.sqrt(self.noise) * noise.standard_normal((len(members), self.num_rows))

    def cdf(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
        """The marginal distribution function, theta integrated out."""
        return ndtr((y - self.mean) / np.sqrt(self.variance + self.noise))

    def log_density(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
        """The marginal log density of each row, in nats."""
        variance = self.variance + self.noise
        return -0.5 * ((y - self.mean) ** 2 / variance + np.log(variance)) - _LOG_SQRT_2PI

    def validate(self, observed: Any) -> np.ndarray:
        """Finite numbers, one for each row; `UsageError` otherwise."""
        return checked_rows(observed, self.num_rows)


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
