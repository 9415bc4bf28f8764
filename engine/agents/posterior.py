"""The exact posterior of a normal mean: every draw is a fresh member (conjugate normal model)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.members import PosteriorConfig
from augury.engine.statistics.latent import LatentNormal
from augury.engine.types import Data, Prior

if TYPE_CHECKING:
    from collections.abc import Callable

    from jaxtyping import Array, Float, PRNGKeyArray


@dataclass(frozen=True, slots=True)
class PosteriorSampler:
    """y ~ N(theta, noise) at every row, with theta ~ N(mean, variance)."""

    mean: float
    variance: float
    noise: float

    def __call__(
        self, x: Float[Array, "data dim"], key: PRNGKeyArray
    ) -> Float[Array, "data moments"]:
        """Mean and standard deviation of y at every row, given one theta for all of them."""
        theta = self.mean + self.variance**0.5 * jax.random.normal(key)
        moments = jnp.stack([theta, jnp.asarray(self.noise**0.5)])
        return jnp.broadcast_to(moments, (len(x), 2))

    def predictive(self, num_rows: int) -> LatentNormal:
        """The same belief as a check takes it: members drawn afresh, marginals exact."""
        return LatentNormal(self.mean, self.variance, self.noise, num_rows)


def make_agent(
    config: PosteriorConfig,
) -> Callable[[Data, Prior, PRNGKeyArray | None], PosteriorSampler]:
    """The agent: `noise_std` of the prior is the known noise; rows of `data` are observations."""

    def agent(data: Data, prior: Prior, key: PRNGKeyArray | None = None) -> PosteriorSampler:
        noise = (1.0 if prior.noise_std is None else prior.noise_std) ** 2
        mean, variance = update(
            np.asarray(data.y, np.float64), config.prior_mean, config.prior_variance, noise
        )
        return PosteriorSampler(mean, variance, noise)

    return agent


def update(
    y: Float[np.ndarray, "*data"], mean: float, variance: float, noise: float
) -> tuple[float, float]:
    """Mean and variance of theta after observations y ~ N(theta, noise), theta ~ N(mean, variance).

    1/variance' = 1/variance + n/noise; mean' = variance' (mean/variance + sum(y)/noise).
    """
    after = 1.0 / (1.0 / variance + np.size(y) / noise)
    return float(after * (mean / variance + np.sum(y) / noise)), float(after)
