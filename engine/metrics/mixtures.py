"""Means of likelihoods over epistemic samples, and how far they rest on a few of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Array, Float

GROUPS = 20  # of samples, left out one after another
LEAST = 1e-37
LOWEST = -1e30  # stands for -inf, which times a count of zero would be no number


class Mixture(NamedTuple):
    """Log of the mean over samples; the rest only where they are draws of infinitely many."""

    log_mean: Float[Array, ...]
    left_out: Float[Array, "group ..."] | None = None  # the same without one group of samples
    log_ess: Float[Array, ...] | None = None  # log of (sum of likelihoods)^2 / sum of squares


def log_mean_exp(values: Float[Array, "m ..."]) -> Float[Array, ...]:
    """Log of the mean of exp over the first axis; -inf where all are."""
    return jax.nn.logsumexp(values, axis=0) - jnp.log(jnp.float32(values.shape[0]))


def group_sizes(num_samples: int) -> np.ndarray:
    """Samples in each of at most `GROUPS` groups, as equal as whole ones allow."""
    size = -(-num_samples // GROUPS)
    sizes = np.full(-(-num_samples // size), size)
    sizes[-1] = num_samples - size * (len(sizes) - 1)
    return sizes


def mixture(
    log_p: Float[Array, "m ..."], drawn: bool, each: Callable[[Any], Any] = lambda log_p: log_p
) -> Mixture:
    """Mix equally likely samples; where `drawn`, also for the delete-a-group jackknife.

    Args:
        log_p: log-probabilities of labels, finite or `LOWEST`; NaN stays NaN.
        drawn: the samples are draws (they are all there are, if not).
        each: log_p of some samples -> their log-likelihoods, samples first: sums of log_p over
            one label or more.
    """
    if not drawn:
        return Mixture(log_mean_exp(each(log_p)))
    count = log_p.shape[0]

    def sums(part: Any) -> tuple[Any, Any]:
        values = each(part)
        most = jnp.max(values, 0)
        weights = jnp.exp(values - most)
        return most + jnp.log(weights.sum(0)), 2.0 * most + jnp.log((weights * weights).sum(0))

    # Group after group: a group's likelihoods stay in cache.
    first, second = jax.lax.map(sums, parted(log_p))
    total = jax.nn.logsumexp(first, axis=0)
    log_ess = 2.0 * total - jax.nn.logsumexp(second, axis=0)
    log_mean = total - jnp.log(jnp.float32(count))
    if first.shape[0] == 1:
        return Mixture(log_mean, None, log_ess)
    most = jnp.max(first, 0)
    return Mixture(log_mean, most + log_left(others(jnp.exp(first - most)), count), log_ess)


def parted(log_p: Float[Array, "m ..."]) -> Float[Array, "group size ..."]:
    """Samples by groups, the last one filled up with what adds nothing to sums of exp."""
    sizes = group_sizes(log_p.shape[0])
    groups, size = len(sizes), int(sizes[0])
    filling = jnp.full((groups * size - log_p.shape[0], *log_p.shape[1:]), 4.0 * LOWEST)
    return jnp.concatenate([log_p, filling]).reshape(groups, size, *log_p.shape[1:])


def others(sums: Float[Array, "group ..."]) -> Float[Array, "group ..."]:
    """Sums without one group each.

    Those of the others, no differences, without a group that holds most: it may hold all.
    """
    whole = sums.sum(0)
    most = sums > 0.5 * whole  # of one group at most
    return jnp.where(most, jnp.where(most, 0.0, sums).sum(0), whole - sums)


def log_left(sums: Float[Array, "group ..."], count: int) -> Float[Array, "group ..."]:
    """Logs of means without one group of `count` samples each, `sums` being those of the others.

    Where the others hold less than floats can tell, it is too high, and still next to nothing.
    """
    sizes = jnp.asarray(count - group_sizes(count), jnp.float32)
    left = jnp.log(jnp.maximum(sums, LEAST))
    return left - jnp.log(sizes).reshape(-1, *[1] * (sums.ndim - 1))
