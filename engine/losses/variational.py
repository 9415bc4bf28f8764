"""Divergence of a product of normals from the prior of weights, in closed form and by samples."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jaxtyping import Array, Float


def normal_kl(mean: Any, deviation: Any, sigma: Float[Array, ""]) -> Float[Array, ""]:
    """KL(N(mean, deviation^2) || N(0, sigma^2)) in nats, summed over the leaves of two pytrees."""

    def of_leaf(m: Any, s: Any) -> Any:
        squares = (s * s + m * m) / (sigma * sigma)
        return 0.5 * jnp.sum(squares - 1.0) + jnp.sum(jnp.log(sigma) - jnp.log(s))

    return _total(jax.tree.map(of_leaf, mean, deviation))


def mixture_kl_samples(
    drawn: Any,
    noise: Any,
    deviation: Any,
    sigma_1: Float[Array, ""],
    sigma_2: Float[Array, ""],
    share: Float[Array, ""],
) -> Float[Array, ""]:
    """Estimate of KL(N(mean, deviation^2) || share N(0, sigma_1^2) + (1 - share) N(0, sigma_2^2)).

    Args:
        drawn: pytree of mean + deviation * noise, leaves [samples, ...].
        noise: pytree of standard normal draws, likewise.
        deviation: pytree of deviations, leaves that broadcast against those.
        sigma_1: deviation of the first part of the prior.
        sigma_2: of the second.
        share: weight of the first.

    Returns:
        Mean over samples of log q - log p, nats, summed over the leaves.
    """
    logs = jnp.log(share), jnp.log1p(-share)

    def of_leaf(weight: Any, z: Any, s: Any) -> Any:
        parts = [
            log - 0.5 * (weight / sigma) ** 2 - jnp.log(sigma)
            for log, sigma in zip(logs, (sigma_1, sigma_2), strict=True)
        ]
        # Both densities lack the same factor (2 pi)^(-1/2).
        log_q = -0.5 * z * z - jnp.log(s)
        return jnp.sum(log_q - jnp.logaddexp(*parts)) / weight.shape[0]

    return _total(jax.tree.map(of_leaf, drawn, noise, deviation))


def _total(values: Any) -> Float[Array, ""]:
    return jnp.sum(jnp.stack(jax.tree.leaves(values)))


def softplus_inverse(value: float) -> float:
    """The x of log(1 + exp(x)) = value."""
    return math.log(math.expm1(value))
