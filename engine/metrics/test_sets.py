"""Test batches: inputs drawn iid, monadic or dyadic, and labels as counts at distinct inputs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray

# (tau, kappa) of the published metrics; kappa 0 means iid inputs
PUBLISHED = ((1, 0), (10, 0), (10, 2))


class TestSet(NamedTuple):
    """J batches of tau labels. A joint likelihood needs only how often each label was seen where.

    With iid inputs the k distinct inputs are the tau inputs and counts are one-hot; with kappa
    anchors k = kappa and repeats are exact.
    """

    __test__ = False
    x: Float[Array, "batch k dim"]
    counts: Float[Array, "batch k classes"]
    true_ll: Float[Array, " batch"]  # joint log-likelihood under the truth, nats


def draw_places(key: PRNGKeyArray, tau: int, kappa: int) -> Int[Array, " tau"]:
    """Which distinct input each of tau labels belongs to: anchors uniformly, or its own (iid)."""
    return jax.random.randint(key, (tau,), 0, kappa) if kappa else jnp.arange(tau)


def draw_test_set(
    key: PRNGKeyArray,
    num_batches: int,
    tau: int,
    kappa: int,
    inputs: Callable[[PRNGKeyArray, int], Float[Array, "k dim"]],
    logits: Callable[[Float[Array, "n dim"]], Float[Array, "n classes"]],
) -> TestSet:
    """`num_batches` batches; `inputs(key, k)` draws k inputs, `logits` are the truth's.

    Kappa anchors: draw kappa inputs, then for each label one of them uniformly with replacement
    (arXiv:2202.13509, section 4). The labels of a repeated input are independent.
    """
    distinct = kappa or tau
    x_keys, place_keys, label_keys = (
        jax.random.split(k, num_batches) for k in jax.random.split(key, 3)
    )
    x = jax.vmap(lambda k: inputs(k, distinct))(x_keys)
    truth = logits(x.reshape(-1, x.shape[-1])).reshape(num_batches, distinct, -1)

    def count(place_key: PRNGKeyArray, label_key: PRNGKeyArray, truth: Array) -> Array:
        places = draw_places(place_key, tau, kappa)
        labels = jax.random.categorical(label_key, truth[places])
        return jnp.zeros(truth.shape).at[places, labels].add(1.0)

    counts = jax.vmap(count)(place_keys, label_keys, truth)
    return TestSet(x, counts, jnp.sum(weighted(counts, jax.nn.log_softmax(truth)), (1, 2)))


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
