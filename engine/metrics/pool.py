"""Test inputs shared by all (tau, kappa) of a problem, with the truth at each of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.catalog.settings import PROJECTED
from augury.engine.metrics.patterns import summable
from augury.engine.randomness import normal, stream

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray

    from augury.engine.metrics.test_sets import TestSet

Point = tuple[int, int]  # (tau, kappa); kappa 0: all inputs distinct
SINGLES = 10  # inputs of each batch at which single labels are scored


class Pool(NamedTuple):
    """J independent batches of inputs; a point takes the first `kappa or tau` of each.

    What a point is scored on depends on the point alone, not on what else is asked for.
    """

    x: Float[Array, "batch width dim"]
    truth: Float[Array, "batch width label"]  # log P(label | x), of every label that can be
    counts: Mapping[Point, Float[Array, "batch k label"] | None]  # None: all patterns are summed
    labels: Int[Array, "batch 10"] | None = None  # at single inputs; None: integrated out
    given: Int[Array, "batch width"] | None = None  # the one possible label, where data say it
    rows: TestSet | None = None  # what single labels are scored on, if not the pool's inputs
    projection: PRNGKeyArray | None = None  # of the published estimator at high tau, where wanted


def width(points: Sequence[Point]) -> int:
    """Inputs in each batch."""
    return max(SINGLES, *(kappa or tau for tau, kappa in points))


def sampled_points(
    points: Sequence[Point], num_labels: int, exact: bool, projected: bool
) -> list[Point]:
    """Those whose labels are drawn: all, or the ones with too many patterns to sum over."""
    return [
        (tau, kappa)
        for tau, kappa in points
        if not (exact and summable(tau, kappa, num_labels)) or (projected and tau > PROJECTED)
    ]


def draw_pool(
    key: PRNGKeyArray,
    points: Sequence[Point],
    num_batches: int,
    input_dim: int,
    logits: Callable[[Float[Array, "n dim"]], Float[Array, "n classes"]],
    exact: bool = True,
    projected: bool = False,
) -> Pool:
    """Inputs N(0, I) and what must be drawn at them; `logits` are the truth's.

    `exact` integrates labels out where it can be done; `projected` is for the published
    estimator above tau 10.

    Kappa anchors: each label belongs to one of them uniformly with replacement, and the labels of
    a repeated input are independent (arXiv:2202.13509, section 4).
    """
    wide = width(points)
    # Inputs are counted before batches, so that a wider pool begins with the numbers of this one.
    flat = normal(stream(key, "test inputs"), (wide * num_batches, input_dim))
    truth = jax.nn.log_softmax(logits(flat))
    x, truth = (leaf.reshape(wide, num_batches, -1) for leaf in (flat, truth))
    classes = truth.shape[-1]
    sampled = sampled_points(points, classes, exact, projected)
    counts: dict[Point, Any] = dict.fromkeys(points)
    counts.update(_draw_counts(key, sampled, truth))
    labels = None
    if not exact:
        noise = _gumbel(stream(key, "test labels"), (SINGLES, num_batches, classes))
        labels = jnp.argmax(truth[:SINGLES] + noise, -1).T
    projection = stream(key, "projection") if projected else None
    return Pool(
        jnp.swapaxes(x, 0, 1), jnp.swapaxes(truth, 0, 1), counts, labels, projection=projection
    )


def _draw_counts(
    key: PRNGKeyArray, points: Sequence[Point], truth: Float[Array, "width batch label"]
) -> dict[Point, Array]:
    if not points:
        return {}
    _, batches, classes = truth.shape
    most = max(tau for tau, _ in points)
    keys = jnp.stack([stream(key, f"test {tau},{kappa}") for tau, kappa in points])

    def draw(drawn: tuple[PRNGKeyArray, Array]) -> tuple[Array, Array]:
        place_key, label_key = jax.random.split(drawn[0])
        places = jax.random.randint(place_key, (most * batches,), 0, jnp.maximum(drawn[1], 1))
        return places.reshape(most, batches), _gumbel(label_key, (most, batches, classes))

    # All points in one traced draw: a draw is slow to compile and quick to run.
    drawn = jax.lax.map(draw, (keys, jnp.array([kappa for _, kappa in points])))
    found = {}
    for number, (tau, kappa) in enumerate(points):
        places, noise = (leaf[number][:tau] for leaf in drawn)
        if kappa == 0:
            labels = jnp.argmax(truth[:tau] + noise, -1)
            seen = jax.nn.one_hot(labels, classes)
        else:
            batch = jnp.arange(batches)[None]
            labels = jnp.argmax(truth[places, batch] + noise, -1)
            seen = jnp.zeros((kappa, batches, classes)).at[places, batch, labels].add(1.0)
        found[tau, kappa] = jnp.swapaxes(seen, 0, 1)
    return found


def _gumbel(key: PRNGKeyArray, shape: tuple[int, int, int]) -> Float[Array, "n batch label"]:
    return jax.random.gumbel(key, (shape[0] * shape[1] * shape[2],)).reshape(shape)
