"""The published estimator for many labels: samples merged by random projections.

It treats labels as independent within a cluster of samples, so that no sample need explain all
of them; an approximation, kept for comparison. A finite ensemble needs none at any tau.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
from jax.scipy.special import ndtr, ndtri

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

DIMENSION = 7  # bits: at most 128 clusters
MOST_PROBIT = 5.0
PRIOR = 1e-6  # added to sums and sizes of clusters
LEAST_PROBABILITY = 1e-9  # of a label in a cluster that holds no sample


def projected_log_likelihood(
    log_p: Float[Array, "m label k"], counts: Float[Array, "k label"], key: PRNGKeyArray
) -> Float[Array, ""]:
    """Joint log-likelihood of the labels of one batch under clustered samples, nats.

    arXiv:2202.13509, section 4.3 and its code: probits of all class probabilities at all tau
    labels, clipped, are projected to `DIMENSION` signs; samples of equal signs are averaged label
    by label, and the clusters mixed by their sizes. `key` draws the projection.
    """
    samples, labels, anchors = log_p.shape
    probit = jnp.clip(ndtri(jnp.exp(log_p)), -MOST_PROBIT, MOST_PROBIT)
    slope_key, shift_key = jax.random.split(key)
    # An input that n labels share is n columns of the projection: their sum, of variance n.
    slopes = jax.random.normal(slope_key, (DIMENSION, labels, anchors))
    slopes = slopes * jnp.sqrt(counts.sum(-1))
    shifts = jax.random.normal(shift_key, (DIMENSION,))
    signs = jnp.einsum("mya,dya->md", probit, slopes) + shifts > 0
    cluster = signs.astype(jnp.int32) @ (2 ** jnp.arange(DIMENSION))
    member = jax.nn.one_hot(cluster, 2**DIMENSION)
    sizes = member.sum(0)
    sums = jnp.einsum("mg,mya->gya", member, ndtr(probit))
    centre = (sums + PRIOR) / (sizes + PRIOR)[:, None, None]
    centre = jnp.where(sizes[:, None, None] > 0, centre, LEAST_PROBABILITY)
    each = jnp.einsum("gya,ay->g", jnp.log(centre), counts)
    return jax.nn.logsumexp(each, b=sizes / samples)
