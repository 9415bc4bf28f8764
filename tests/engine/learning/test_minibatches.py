"""Minibatches: permutations, epoch boundaries, uniformity."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.learning.minibatches import minibatch

_draw = jax.jit(
    jax.vmap(minibatch, in_axes=(None, 0, None, None)), static_argnums=2
)  # rows are traced


def _stream(key, batch_size: int, rows: int, steps: int) -> np.ndarray:
    return np.asarray(_draw(key, jnp.arange(steps), batch_size, jnp.int32(rows))).reshape(-1)


@pytest.mark.parametrize("rows", [1, 2, 3, 7, 100, 150, 1000])
def test_every_epoch_is_a_permutation(key, rows: int) -> None:
    stream = _stream(key, 100, rows, 30)
    epochs = len(stream) // rows
    for epoch in stream[: epochs * rows].reshape(epochs, rows):
        np.testing.assert_array_equal(np.sort(epoch), np.arange(rows))


@pytest.mark.parametrize("rows", [3, 20, 64])
def test_few_rows_come_equally_often(key, rows: int) -> None:
    for number in range(5):
        batch = np.asarray(minibatch(key, jnp.int32(number), 100, jnp.int32(rows)))
        counts = np.bincount(batch, minlength=rows)
        # A batch touches at most two broken epochs, each of which adds a row at most once.
        assert counts.min() >= 100 // rows - 1 and counts.max() <= 100 // rows + 2
    first = np.asarray(minibatch(key, jnp.int32(0), 100, jnp.int32(rows)))
    counts = np.bincount(first, minlength=rows)
    assert set(counts) <= {100 // rows, 100 // rows + 1}


def test_places_and_pairs_are_uniform(key) -> None:
    rows, epochs = 5, 4_000
    stream = _stream(key, rows, rows, epochs).reshape(epochs, rows)
    for place in range(rows):
        counts = np.bincount(stream[:, place], minlength=rows)
        # chi-square with 4 degrees of freedom: 23.5 is its .9999 quantile
        assert ((counts - epochs / rows) ** 2 / (epochs / rows)).sum() < 23.5
    pairs = np.bincount(stream[:, 0] * rows + stream[:, 1], minlength=rows**2)
    expected = epochs / (rows * (rows - 1))
    kept = pairs.reshape(rows, rows)[~np.eye(rows, dtype=bool)]
    # 19 degrees of freedom: 50.8 is the .9999 quantile
    assert ((kept - expected) ** 2 / expected).sum() < 50.8


def test_epochs_and_keys_differ(key) -> None:
    stream = _stream(key, 100, 100, 2)
    assert not np.array_equal(stream[:100], stream[100:])
    other = _stream(jax.random.key(1), 100, 100, 1)
    assert not np.array_equal(stream[:100], other)


def test_alone_as_in_the_stream(key) -> None:
    stream = _stream(key, 64, 1000, 40).reshape(40, 64)
    alone = minibatch(key, jnp.int32(29), 64, jnp.int32(1000))
    np.testing.assert_array_equal(stream[29], np.asarray(alone))
