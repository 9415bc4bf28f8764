"""Networks linear in an index, against networks whose weights are written out."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.networks import hyper, mlp

M, DIM = 6, 3


def test_generated_networks(key) -> None:
    sizes = (DIM, 5, 4, 2)
    layers = hyper.init(key, sizes, M)
    z = jax.random.normal(key, (8, M))
    x = jax.random.normal(key, (9, DIM))
    index = hyper.with_constant(z)
    np.testing.assert_array_equal(index[:, -1], 1.0)
    found = hyper.columns(layers, [index] * 3, x)
    made: Any = [[np.einsum("mk,k...->m...", index, leaf) for leaf in layer] for layer in layers]
    np.testing.assert_allclose(found, mlp.columns(made, x), rtol=1e-4, atol=1e-5)


def test_a_missing_number_reaches_the_outputs(key) -> None:
    layers = hyper.init(key, (DIM, 5, 2), M)
    index = hyper.with_constant(jax.random.normal(key, (4, M)))
    x = jax.random.normal(key, (6, DIM))
    run = jax.jit(lambda layers, x: hyper.columns(layers, [index] * 2, x))
    lost = np.isnan(np.asarray(run(layers, x.at[1, 2].set(jnp.nan))))  # [index, output, row]
    assert (lost == (np.arange(6) == 1)).all()
    weight, bias = layers[0]
    broken = ((weight, bias.at[0, 0].set(jnp.nan)), *layers[1:])
    assert np.isnan(np.asarray(run(broken, x))).all()


def test_deviations_of_the_first_weights(key) -> None:
    (weight, bias), (_, last) = hyper.init(key, (40, 30, 2), M)
    n = 40 * 30
    np.testing.assert_allclose(weight[:-1].std(), (2 / (M + n)) ** 0.5, rtol=0.03)
    np.testing.assert_allclose(weight[-1].std(), n**-0.5, rtol=0.07)
    np.testing.assert_allclose(bias[:-1].std(), (2 / (M + 30)) ** 0.5, rtol=0.2)
    assert np.abs(weight[:-1]).max() <= 2 / hyper.CUT * (2 / (M + n)) ** 0.5 * 1.001
    assert last.shape == (M + 1, 2)
    scaled = hyper.scaled(((weight, bias),))[0]
    np.testing.assert_allclose(scaled[0], weight / 40**0.5, rtol=1e-6)
    np.testing.assert_array_equal(scaled[1], bias)


@pytest.mark.parametrize(
    ("dim", "layers", "expected"),
    [
        (6, 2, [(0, 3), (3, 6)]),
        (5, 3, [(0, 2), (2, 4), (4, 5)]),  # as NumPy's array_split
        (1, 2, [(0, 1), (0, 1)]),  # too few: all for each
    ],
)
def test_parts_of_an_index(dim: int, layers: int, expected: list[tuple[int, int]]) -> None:
    assert [(p.start, p.stop) for p in hyper.parts(dim, layers)] == expected


def test_a_prior_has_unit_vectors(key) -> None:
    first, second = hyper.init_prior(key, (DIM, 4, 2), M)
    assert [leaf.shape for leaf in (*first, *second)] == [(3, 4, 3), (3, 4), (3, 2, 4), (3, 2)]
    for leaf, norm in zip((*first, *second), (1, 1, 0.5, 1), strict=True):
        np.testing.assert_allclose(jnp.linalg.norm(leaf, axis=0), norm, rtol=1e-5)
    flat = np.concatenate([np.asarray(leaf).reshape(3, -1) for leaf in first], 1)
    assert not np.allclose(flat[:, 0], flat[:, 1])
