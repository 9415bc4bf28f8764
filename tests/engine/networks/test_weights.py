"""Vectors of weights and the layers they make."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np

from augury.engine.networks import weights


def test_layers_of_a_vector() -> None:
    sizes = (3, 4, 2)
    assert weights.count(sizes) == 3 * 4 + 4 + 4 * 2 + 2
    flat = jnp.arange(2 * weights.count(sizes)).reshape(2, -1)
    layers = weights.unflatten(flat, sizes)
    shapes = [(w.shape, b.shape) for w, b in layers]
    assert shapes == [((2, 4, 3), (2, 4)), ((2, 2, 4), (2, 2))]
    joined = np.concatenate([np.asarray(leaf[1]).ravel() for layer in layers for leaf in layer])
    np.testing.assert_array_equal(joined, flat[1])
