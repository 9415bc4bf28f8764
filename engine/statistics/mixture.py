"""Predictives made of members: draw replicates in either mode, read the mixture.

A replicate sees one member (or one for each row); the mixture is the average over members. The
two are kept apart here: `draw` knows members, everything else knows the mixture only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypeAlias

import numpy as np
from scipy.special import ndtr

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Float, Int

Mode: TypeAlias = Literal["bayesian", "independent"]
MODES: tuple[Mode, ...] = ("bayesian", "independent")
_LOG_SQRT_2PI = 0.5 * np.log(2.0 * np.pi)


class Predictive(Protocol):
    """What a check needs of a belief about a set of rows."""

    @property
    def num_rows(self) -> int:
        """Rows n."""
        ...

    @property
    def num_members(self) -> int:
        """Members M; 0 where each replicate draws a fresh one."""
        ...

    def draw(self, members: Int[np.ndarray, "size rows"] | Any, noise: np.random.Generator) -> Any:
        """Observations given the members that `choose` returned."""
        ...

    def choose(self, mode: Mode, size: int, members: np.random.Generator) -> Any:
        """Members of `size` replicates: [size, 1] if bayesian, [size, rows] if independent."""
        ...

    def validate(self, observed: Any) -> np.ndarray:
        """The observed rows as an array; `UsageError` naming the row that cannot be."""
        ...


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
        return _choose(self.weights, mode, size, self.num_rows, members)

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
        return _finite_rows(observed, self.num_rows)


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
        return _finite_rows(observed, self.num_rows)


@dataclass(frozen=True, slots=True, eq=False)
class CategoricalMixture:
    """M members' class probabilities at n rows, weighted. Build with `categorical_mixture`."""

    members: Float[np.ndarray, "members rows classes"]
    weights: Float[np.ndarray, " members"]
    probs: Float[np.ndarray, "rows classes"]  # the mixture
    cumulative: Float[np.ndarray, "members rows classes"]

    @property
    def num_rows(self) -> int:
        """Rows n."""
        return self.members.shape[1]

    @property
    def num_members(self) -> int:
        """Members M."""
        return self.members.shape[0]

    def choose(
        self, mode: Mode, size: int, members: np.random.Generator
    ) -> Int[np.ndarray, "size rows"]:
        """Member indices drawn by weight: [size, 1] if bayesian, [size, rows] if independent."""
        return _choose(self.weights, mode, size, self.num_rows, members)

    def draw(
        self, members: Int[np.ndarray, "size rows"], noise: np.random.Generator
    ) -> Int[np.ndarray, "size rows"]:
        """One label for each row from the member chosen for it, by inverting its CDF."""
        uniform = noise.random((len(members), self.num_rows))
        rows = np.arange(self.num_rows)
        labels = np.zeros(uniform.shape, np.int64)
        for k in range(self.members.shape[2] - 1):
            labels += uniform >= self.cumulative[members, rows, k]
        return labels

    def validate(self, observed: Any) -> np.ndarray:
        """Integer labels in range, one for each row; `UsageError` otherwise."""
        labels = _finite_rows(observed, self.num_rows)
        bad = (labels != np.floor(labels)) | (labels < 0) | (labels >= self.probs.shape[1])
        if bad.any():
            row = int(np.argmax(bad))
            raise UsageError(
                f"label {labels[row]:g} of row {row} is none of the classes 0 to "
                f"{self.probs.shape[1] - 1}."
            )
        return labels.astype(np.int64)


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
    _finite_members("mean", mean)
    _finite_members("scale", scale)
    if (scale <= 0).any():
        member, row = np.argwhere(scale <= 0)[0]
        raise UsageError(f"scale of member {member} at row {row} is not positive.")
    return NormalMixture(mean, scale, _weights(weights, *mean.shape))


def categorical_mixture(probs: Any, weights: Any = None) -> CategoricalMixture:
    """A `CategoricalMixture` from probabilities [members, rows, classes].

    Raises `UsageError` as `normal_mixture` does, and for rows that do not sum to one.
    """
    probs = np.asarray(probs, np.float64)
    if probs.ndim != 3 or probs.shape[2] < 2:
        raise UsageError(
            "probabilities must have the shape [members, rows, classes] with two classes or more, "
            f"got {list(probs.shape)}."
        )
    _finite_members("probability", probs)
    bad = (probs < 0).any(-1) | (np.abs(probs.sum(-1) - 1.0) > 1e-3)
    if bad.any():
        member, row = np.argwhere(bad)[0]
        raise UsageError(
            f"probabilities of member {member} at row {row} are not positive numbers that sum to "
            f"one (their sum is {probs[member, row].sum():.6g})."
        )
    probs = probs / probs.sum(-1, keepdims=True)
    weight = _weights(weights, *probs.shape[:2])
    return CategoricalMixture(
        probs, weight, np.einsum("m,mrk->rk", weight, probs), np.cumsum(probs, -1)
    )


def _choose(
    weights: np.ndarray, mode: Mode, size: int, rows: int, members: np.random.Generator
) -> np.ndarray:
    uniform = members.random((size, rows if mode == "independent" else 1))
    index = np.searchsorted(np.cumsum(weights), uniform, side="right")
    return np.minimum(index, np.flatnonzero(weights)[-1])


def _weights(weights: Any, members: int, rows: int) -> np.ndarray:
    if members < 2:
        raise UsageError(
            "a check needs two members or more; with one, both modes are the same point estimate."
        )
    if rows < 1:
        raise UsageError("a check needs one row or more, got none.")
    if weights is None:
        return np.full(members, 1.0 / members)
    found = np.asarray(weights, np.float64)
    if found.shape != (members,):
        raise UsageError(f"{members} members need {members} weights, got {list(found.shape)}.")
    if not np.isfinite(found).all() or (found < 0).any() or abs(found.sum() - 1.0) > 1e-6:
        raise UsageError(
            f"member weights must be finite, not negative and sum to 1; they sum to "
            f"{found.sum():.6g}."
        )
    return found / found.sum()


def _finite_members(name: str, values: np.ndarray) -> None:
    if not np.isfinite(values).all():
        where = np.argwhere(~np.isfinite(values))[0]
        raise UsageError(f"{name} of member {where[0]} at row {where[1]} is not a finite number.")


def _finite_rows(observed: Any, rows: int) -> np.ndarray:
    found = np.asarray(observed, np.float64)
    if found.shape != (rows,):
        raise UsageError(f"{rows} rows need {rows} observed values, got {list(found.shape)}.")
    if not np.isfinite(found).all():
        raise UsageError(
            f"observed value of row {int(np.argmin(np.isfinite(found)))} is not a finite number."
        )
    return found
