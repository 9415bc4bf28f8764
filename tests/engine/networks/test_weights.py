"""Vectors of weights and the layers they make."""

from __future__ import annotations

import jax
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


def test_slopes_of_perturbed_weights(key) -> None:
    mean, deviation = jnp.ones((1, 3, 2)), jnp.full((1, 3, 2), 0.5)
    z = jax.random.normal(key, (4, 3, 2))

    def value(m: jax.Array, s: jax.Array) -> jax.Array:
        return jnp.sum(weights.perturbed(m, s, z) ** 3)

    def plain(m: jax.Array, s: jax.Array) -> jax.Array:
        return jnp.sum((m + s * z) ** 3)

    ours, theirs = (jax.value_and_grad(f, (0, 1))(mean, deviation) for f in (value, plain))
    for a, b in zip(*map(jax.tree.leaves, (ours, theirs)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5)
