"""Critics compute the functions they are named for, from PyTorch's default initialisation."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, get_args, get_type_hints

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.catalog.estimators import CriticConfig
from augury.engine.critics import bilinear, inner, joint, separable
from augury.engine.critics.mlp import Linear, apply_mlp, init_mlp
from augury.engine.critics.table import CRITICS
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray


def _forward(layers: Any, row: np.ndarray) -> np.ndarray:
    """One row through a network, in NumPy."""
    *hidden, last = [(np.asarray(w, np.float64), np.asarray(b, np.float64)) for w, b in layers]
    for weight, bias in hidden:
        row = np.maximum(row @ weight + bias, 0)
    return row @ last[0] + last[1]


def _pairs(key: PRNGKeyArray, x_dim: int = 3, y_dim: int = 4) -> tuple[jax.Array, jax.Array]:
    x_key, y_key = jax.random.split(key)
    return jax.random.normal(x_key, (6, x_dim)), jax.random.normal(y_key, (6, y_dim))


# Each as one program, which is compiled faster than one for each operation.
_initial = jax.jit(init_mlp, static_argnums=(1, 2, 3, 4, 5))


@partial(jax.jit, static_argnums=(0, 3))
def _scored(critic: Any, key: PRNGKeyArray, pairs: Any, config: CriticConfig) -> tuple[Any, Any]:
    """Parameters of a critic, and its scores of all pairs."""
    x, y = pairs
    params = critic.init(key, x.shape[1], y.shape[1], config)
    return params, critic.scores(params, x, y)


@pytest.mark.parametrize("depth", [0, 1, 2])
def test_joint_equals_the_network_of_the_concatenation(key: PRNGKeyArray, depth: int) -> None:
    x, y = _pairs(key)
    params, scores = jax.device_get(
        _scored(joint, key, (x, y), CriticConfig(width=16, depth=depth))
    )
    assert len(joint.layers(params)) == depth + 2
    for i in range(6):
        for j in range(6):
            value = _forward(joint.layers(params), np.concatenate([x[i], y[j]]).astype(np.float64))
            assert scores[i, j] == pytest.approx(value.item(), abs=1e-6)


def test_separable_is_a_dot_product_with_y_in_rows(key: PRNGKeyArray) -> None:
    x, y = _pairs(key)
    config = CriticConfig(width=16, depth=1, embed=5)
    params, scores = jax.device_get(_scored(separable, key, (x, y), config))
    for i in range(6):
        for j in range(6):
            h = _forward(params.h, np.asarray(y[i], np.float64))
            g = _forward(params.g, np.asarray(x[j], np.float64))
            assert scores[i, j] == pytest.approx(h @ g, abs=1e-6)


def test_initial_weights_and_biases_are_uniform_to_one_over_root_fan_in(key: PRNGKeyArray) -> None:
    (weight, bias), _ = _initial(key, 400, 300, 0, 1)
    for leaf in (weight, bias):
        assert float(jnp.abs(leaf).max()) <= 1 / 20
    assert float(weight.var()) == pytest.approx(1 / (3 * 400), rel=0.02)  # 120,000 draws: .3 %
    assert float(jnp.abs(weight).max()) == pytest.approx(1 / 20, rel=0.001)
    assert float(bias.var()) == pytest.approx(1 / (3 * 400), rel=0.2)


def test_depth_counts_layers_after_the_first(key: PRNGKeyArray) -> None:
    layers = _initial(key, 20, 256, 2, 1)
    assert [layer.weight.shape for layer in layers] == [(20, 256), (256, 256), (256, 256), (256, 1)]
    assert apply_mlp(layers, jnp.ones((5, 20))).shape == (5, 1)


def test_bilinear_and_inner_are_dot_products_with_x_in_rows(key: PRNGKeyArray) -> None:
    x, y = (np.asarray(side, np.float64) for side in _pairs(key))
    weight, bias = bilinear.init(key, 3, 4, CriticConfig())
    assert (weight.shape, bias.shape) == ((4, 3), (3,))
    found = bilinear.scores(Linear(weight, bias), jnp.asarray(x), jnp.asarray(y))
    expected = x @ (y @ np.asarray(weight, np.float64) + np.asarray(bias, np.float64)).T
    np.testing.assert_allclose(found, expected, atol=1e-5)
    np.testing.assert_allclose(inner.scores((), jnp.asarray(x), jnp.asarray(x)), x @ x.T, atol=1e-5)
    with pytest.raises(UsageError, match="one size, not 3 and 4"):
        inner.init(key, 3, 4, CriticConfig())


@pytest.mark.parametrize(("init", "variance"), [("he", 2 / 400), ("glorot", 2 / 700)])
def test_other_initial_weights_have_their_variance(
    init: str, variance: float, key: PRNGKeyArray
) -> None:
    (weight, bias), *_ = _initial(key, 400, 300, 0, 1, init)
    assert float(weight.var()) == pytest.approx(variance, rel=0.02)
    assert not np.asarray(bias).any()


@pytest.mark.parametrize("name", sorted(CRITICS))
def test_every_critic_gives_one_score_for_each_pair(name: str, key: PRNGKeyArray) -> None:
    y_dim = 2 if name == "inner" else 7
    pairs = _pairs(key, 2, y_dim)
    _, scores = _scored(CRITICS[name], key, pairs, CriticConfig(width=8, depth=1))
    assert scores.shape == (6, 6)


@pytest.mark.parametrize("name", ["joint", "separable"])
def test_a_missing_number_reaches_every_score_that_rests_on_it(
    name: str, key: PRNGKeyArray
) -> None:
    """Compiled too, where rectifiers of other programs have made 0 of NaN: no broken critic reads
    a finite bound."""
    x, y = _pairs(key)
    critic = CRITICS[name]
    params = critic.init(key, 3, 4, CriticConfig(width=8, depth=2))
    compiled = jax.jit(critic.scores)
    lost = np.isnan(np.asarray(compiled(params, x.at[2, 1].set(jnp.nan), y)))
    assert (lost if critic.rows == "x" else lost.T).tolist() == [[i == 2] * 6 for i in range(6)]
    leaves, tree = jax.tree.flatten(params)
    for place, leaf in enumerate(leaves):
        broken = [*leaves[:place], leaf.at[(0,) * leaf.ndim].set(jnp.nan), *leaves[place + 1 :]]
        assert np.isnan(compiled(jax.tree.unflatten(tree, broken), x, y)).all(), place


def test_every_configurable_critic_exists() -> None:
    assert set(CRITICS) == set(get_args(get_type_hints(CriticConfig)["critic"]))
