"""The predictive of one latent mean in closed form: a member for the asking."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.special import ndtr, ndtri

from augury.engine.statistics.predictive import Mode, checked_rows

if TYPE_CHECKING:
    from jaxtyping import Float

_LOG_2PI = np.log(2.0 * np.pi)


@dataclass(frozen=True, slots=True, eq=False)
class LatentNormal:
    """y_i|theta ~ N(theta, noise) with theta ~ N(mean, variance).

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

    @property
    def weights(self) -> None:
        """None: there is nothing to weigh."""

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
        return -0.5 * ((y - self.mean) ** 2 / variance + np.log(variance)) - 0.5 * _LOG_2PI

    def joint_log_density(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
        """Log density of all rows together, one theta integrated out, in nats."""
        rows = np.shape(y)[-1]
        whole = self.noise + rows * self.variance  # of the rows' mean, times rows
        middle = np.mean(y, -1)
        within = ((y - middle[..., None]) ** 2).sum(-1) / self.noise
        between = rows * (middle - self.mean) ** 2 / whole
        return -0.5 * (
            within + between + (rows - 1) * np.log(self.noise) + np.log(whole) + rows * _LOG_2PI
        )

    def moments(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Mean, aleatoric and epistemic variance of each row; the variance is their sum."""
        unit = np.ones(self.num_rows)
        return self.mean * unit, self.noise * unit, self.variance * unit

    def quantile(self, level: float) -> Float[np.ndarray, " rows"]:
        """The value of every row with this much of its marginal below it."""
        spread = np.sqrt(self.variance + self.noise)
        return np.full(self.num_rows, self.mean + spread * ndtri(level))

    def crps(self, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size rows"]:
        """CRPS of the marginal at every row (Gneiting and Raftery 2007, eq. 21)."""
        spread = np.sqrt(self.variance + self.noise)
        z = (y - self.mean) / spread
        density = np.exp(-0.5 * (z * z + _LOG_2PI))
        return spread * (z * (2.0 * ndtr(z) - 1.0) + 2.0 * density - 1.0 / np.sqrt(np.pi))

    def validate(self, observed: Any) -> np.ndarray:
        """Finite numbers, one for each row; `UsageError` otherwise."""
        return checked_rows(observed, self.num_rows)
