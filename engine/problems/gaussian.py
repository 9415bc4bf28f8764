"""Correlated Gaussian pairs: mutual information in closed form, a fresh batch at every step."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import jax.numpy as jnp

from augury.engine.randomness import normal

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

LN2 = math.log(2.0)


def noise_scale(bits: Float[Array, ""], num_sources: int) -> Float[Array, ""]:
    """sqrt(1 - rho^2) of each source, such that all together share `bits` bits.

    From I = -(num_sources / 2) ln(1 - rho^2) nats. Kept in place of rho, which rounds to 1.
    """
    return jnp.exp(-bits * LN2 / num_sources)


def correlation(bits: Float[Array, ""], num_sources: int) -> Float[Array, ""]:
    """Correlation of each source, such that all together share `bits` bits."""
    return jnp.sqrt(-jnp.expm1(-2.0 * bits * LN2 / num_sources))


def sample(
    key: PRNGKeyArray, bits: Float[Array, ""], num_pairs: int, num_sources: int
) -> tuple[Float[Array, "pairs sources"], Float[Array, "pairs sources"]]:
    """`num_pairs` draws of (x, y): x, e ~ N(0, I) and y = rho x + sqrt(1 - rho^2) e."""
    x, e = normal(key, (2, num_pairs, num_sources))
    return x, correlation(bits, num_sources) * x + noise_scale(bits, num_sources) * e


def log_ratio(
    x: Float[Array, "pairs sources"], y: Float[Array, "pairs sources"], bits: Float[Array, ""]
) -> Float[Array, "pairs pairs"]:
    """Log of p(x_i, y_j) / (p(x_i) p(y_j)) at row i, column j: the critic that training aims at."""
    num_sources = x.shape[1]
    rho, scale = correlation(bits, num_sources), noise_scale(bits, num_sources)
    misfit = jnp.sum(((y[None] - rho * x[:, None]) / scale) ** 2 - y[None] ** 2, axis=-1)
    return bits * LN2 - 0.5 * misfit
