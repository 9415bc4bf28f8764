"""Items of two classes on the device: draws of them by class, and disjoint parts of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from augury.engine.randomness import fractions, generator, stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxtyping import Array, Float, Int, PRNGKeyArray

TRAIN = 0.8  # of the items of each class


class Pool(NamedTuple):
    """Items of class 0, then of class 1."""

    rows: Float[Array, "items ..."]
    first: Int[Array, " 2"]  # place of each class's first item
    counts: Int[Array, " 2"]


def pool(rows: np.ndarray, labels: np.ndarray) -> Pool:
    """All items whose label is 0 or 1, sorted by it."""
    places = [np.flatnonzero(labels == c) for c in (0, 1)]
    count = [len(found) for found in places]
    kept = rows[np.concatenate(places)]
    return Pool(
        jnp.asarray(kept), jnp.asarray([0, count[0]], jnp.int32), jnp.asarray(count, jnp.int32)
    )


def parts(rows: np.ndarray, labels: np.ndarray, shares: Sequence[float]) -> list[Pool]:
    """Disjoint parts of each class's items, in these shares; the same in every run."""
    ends = np.cumsum([0.0, *shares]) / np.sum(shares)
    order = [generator("items/parts", c).permutation(np.flatnonzero(labels == c)) for c in (0, 1)]
    return [
        pool(rows[places], labels[places])
        for low, high in zip(ends[:-1], ends[1:], strict=True)
        for places in [
            np.concatenate([o[round(low * len(o)) : round(high * len(o))] for o in order])
        ]
    ]


def pick(key: PRNGKeyArray, classes: Int[Array, "pairs sources"], of: Pool) -> Array:
    """The place of a random item of each class."""
    draws = fractions(key, classes.size).reshape(classes.shape)
    return of.first[classes] + _below(draws, of.counts[classes])


def pick_other(
    key: PRNGKeyArray,
    classes: Int[Array, "pairs sources"],
    of: Pool,
    taken: Int[Array, "pairs sources"],
) -> Int[Array, "pairs sources"]:
    """As `pick`, but never the very item that is taken: as if drawn again until it is another."""
    draws = fractions(key, classes.size).reshape(classes.shape)
    start, count = of.first[classes], of.counts[classes]
    barred = (taken >= start) & (taken < start + count) & (count > 1)
    place = start + _below(draws, count - barred)
    return place + (barred & (place >= taken))


def _below(draws: Float[Array, ...], count: Int[Array, ...]) -> Int[Array, ...]:
    return jnp.minimum((draws * count).astype(jnp.int32), count - 1)


def keys(key: PRNGKeyArray, *names: str) -> list[Any]:
    """A key for each name."""
    return [stream(key, name) for name in names]
