"""Test batches: inputs drawn iid, monadic or dyadic, and labels as counts at distinct inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.errors import UsageError
from augury.engine.randomness import normal, stream

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


def draw_test_sets(
    key: PRNGKeyArray,
    points: Sequence[tuple[int, int]],
    num_batches: int,
    input_dim: int,
    logits: Callable[[Float[Array, "n dim"]], Float[Array, "n classes"]],
) -> dict[tuple[int, int], TestSet]:
    """`num_batches` batches for each (tau, kappa), inputs N(0, I); `logits` are the truth's.

    Kappa anchors: draw kappa inputs, then for each label one of them uniformly with replacement
    (arXiv:2202.13509, section 4). The labels of a repeated input are independent.
    """
    most = max(tau for tau, _ in points)
    width = max(kappa or tau for tau, kappa in points)
    classes = jax.eval_shape(logits, jnp.zeros((1, input_dim))).shape[-1]
    keys = jnp.stack([stream(key, f"test {tau},{kappa}") for tau, kappa in points])

    def draw(drawn: tuple[PRNGKeyArray, Array]) -> tuple[Array, Array, Array]:
        x_key, place_key, label_key = jax.random.split(drawn[0], 3)
        return (
            normal(x_key, (num_batches, width, input_dim)),
            draw_places(place_key, num_batches, most, drawn[1]),
            jax.random.gumbel(label_key, (num_batches * most * classes,)),
        )

    # All sets in one traced draw: a draw is slow to compile and quick to run.
    drawn = jax.lax.map(draw, (keys, jnp.array([kappa for _, kappa in points])))
    sets = {}
    for number, (tau, kappa) in enumerate(points):
        x, places, noise = (leaf[number] for leaf in drawn)
        x = x[:, : kappa or tau]
        truth = logits(x.reshape(-1, input_dim)).reshape(*x.shape[:2], classes)
        at = jax.nn.one_hot(places[:, :tau], x.shape[1])
        noise = noise.reshape(num_batches, most, classes)[:, :tau]
        labels = jnp.argmax(at @ truth + noise, axis=-1)
        counts = jnp.swapaxes(at, 1, 2) @ jax.nn.one_hot(labels, classes)
        true_ll = jnp.sum(weighted(counts, jax.nn.log_softmax(truth)), (1, 2))
        sets[tau, kappa] = TestSet(x, counts, true_ll)
    return sets


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
