"""Explicit test batches: labels as counts at distinct inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray


class TestSet(NamedTuple):
    """J batches of tau labels. A joint likelihood needs only how often each label was seen where.

    With iid inputs the k distinct inputs are the tau inputs and counts are one-hot; with kappa
    anchors k = kappa and repeats are exact.
    """

    __test__ = False
    x: Float[Array, "batch k dim"]
    counts: Float[Array, "batch k classes"]
    true_ll: Float[Array, " batch"]  # joint log-likelihood under the truth, nats


def draw_places(
    key: PRNGKeyArray, num_batches: int, tau: int, kappa: Int[Array, ""]
) -> Int[Array, "batch tau"]:
    """Which distinct input each of tau labels belongs to: anchors uniformly, or its own (iid)."""
    drawn = jax.random.randint(key, (num_batches * tau,), 0, jnp.maximum(kappa, 1))
    return jnp.where(kappa == 0, jnp.arange(tau)[None], drawn.reshape(num_batches, tau))


def weighted(counts: Float[Array, ...], log_likelihood: Float[Array, ...]) -> Float[Array, ...]:
    """Counts * log-likelihood, where a label never seen adds 0 even if it is impossible."""
    return jnp.where(counts > 0, counts * log_likelihood, 0.0)


def gather(x: np.ndarray, y: np.ndarray, kappa: int, num_classes: int, where: str) -> TestSet:
    """Given draws x [J, tau, D] and y [J, tau] as counts at distinct inputs; true_ll left zero.

    Raises:
        UsageError: a batch has more than `kappa` (> 0) distinct inputs.
    """
    batches, tau = y.shape
    distinct = kappa or tau
    anchors = np.repeat(x[:, :1], distinct, axis=1)
    counts = np.zeros((batches, distinct, num_classes), np.float32)
    for j in range(batches):
        if kappa:
            rows, places = np.unique(x[j], axis=0, return_inverse=True)
            if len(rows) > kappa:
                raise UsageError(
                    f"{where}: batch {j} has {len(rows)} distinct inputs, expected at most {kappa}."
                )
            anchors[j, : len(rows)] = rows
        else:
            anchors[j], places = x[j], np.arange(tau)
        np.add.at(counts[j], (places.reshape(-1), y[j]), 1.0)
    return TestSet(jnp.asarray(anchors), jnp.asarray(counts), jnp.zeros((batches,)))
