"""The generative network: moments of its weights, its labels, its rows."""

from __future__ import annotations

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.networks import mlp
from augury.engine.problems.environment import (
    draw_environment,
    draw_labels,
    draw_training,
    environment_key,
    logits,
)

# Each as one program, which is compiled faster than one for each operation.
_init = jax.jit(mlp.init, static_argnums=(1, 2, 3))
_draw = jax.jit(draw_environment, static_argnums=1)
_logits = jax.jit(logits)
_labels = jax.jit(draw_labels)
_apply = jax.jit(mlp.apply)

# Deviation of a standard normal cut at two deviations.
CUT = 0.8796


def test_moments_of_weights(key) -> None:
    layers = _init(key, (20, 50, 50, 2), 200, "normal")
    for (weight, _), fan_in in zip(layers, (20, 50, 50), strict=True):
        scaled = np.asarray(weight) * fan_in**0.5
        assert np.abs(scaled).max() <= 2.0
        np.testing.assert_allclose(scaled.std(), CUT, atol=4 / np.sqrt(scaled.size))
        np.testing.assert_allclose(scaled.mean(), 0.0, atol=4 / np.sqrt(scaled.size))
    first = np.asarray(layers[0][1]) * 20**0.5
    np.testing.assert_allclose(first.std(), 1.0, atol=4 / np.sqrt(2 * first.size))
    assert np.abs(first).max() > 2.0  # untruncated
    assert not np.asarray(layers[1][1]).any() and not np.asarray(layers[2][1]).any()
    cut = np.asarray(_init(key, (20, 50, 2), 200, "truncated")[0][1]) * 20**0.5
    assert np.abs(cut).max() <= 2.0
    np.testing.assert_allclose(cut.std(), CUT, atol=4 / np.sqrt(cut.size))
    assert not np.asarray(_init(key, (20, 50, 2), 3)[0][1]).any()


def test_network_as_loops(key) -> None:
    layers = _init(key, (3, 4, 5, 2), 2, "normal")
    x = np.asarray(jax.random.normal(key, (6, 3)))
    found = np.asarray(_apply(layers, jnp.asarray(x)))
    for member in range(2):
        hidden = x
        for number, (weight, bias) in enumerate(layers):
            hidden = hidden @ np.asarray(weight[member]).T + np.asarray(bias[member])
            hidden = np.maximum(hidden, 0) if number < 2 else hidden
        np.testing.assert_allclose(found[member], hidden, rtol=1e-4, atol=1e-6)


def test_labels_follow_the_logits(key) -> None:
    environment = _draw(key, 2, jnp.float32(0.5))
    x = jnp.ones((1, 2)) * 0.3
    truth = np.asarray(jax.nn.softmax(_logits(environment, x)))[0, 1]
    labels = np.asarray(_labels(key, environment, jnp.tile(x, (20_000, 1))))
    np.testing.assert_allclose(labels.mean(), truth, atol=4 * 0.5 / np.sqrt(20_000))


def test_temperature_divides(key) -> None:
    x = jnp.ones((1, 2))
    hot, cold = (_draw(key, 2, jnp.float32(t)) for t in (0.5, 0.1))
    np.testing.assert_allclose(5 * _logits(hot, x), _logits(cold, x), rtol=1e-6)


def test_fewer_rows_are_the_first_of_more(key) -> None:
    environment = _draw(key, 3, jnp.float32(0.1))
    draw = jax.jit(draw_training, static_argnums=(3, 4))
    few, few_y = draw(key, environment, jnp.int32(7), 600, 3)
    more, more_y = draw(key, environment, jnp.int32(600), 600, 3)
    np.testing.assert_array_equal(few[:7], more[:7])
    np.testing.assert_array_equal(few_y[:7], more_y[:7])
    assert not np.asarray(few[7:]).any()
    values = np.asarray(more)
    assert len(np.unique(values[:, 0])) == 600
    np.testing.assert_allclose(values.std(), 1.0, atol=4 / np.sqrt(2 * values.size))


def test_settings_are_independent() -> None:
    keys = [environment_key(0, "d2-l1-t0.1"), environment_key(0, "d2-l1-t0.5")]
    keys.append(environment_key(1, "d2-l1-t0.1"))
    assert len({tuple(np.asarray(jax.random.key_data(key)).tolist()) for key in keys}) == 3
