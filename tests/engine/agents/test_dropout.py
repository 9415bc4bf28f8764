"""Dropout: no rate is no randomness, masks in the weights are masks of units, its decay."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax
import numpy as np
import pytest
from scipy.special import log_softmax

from augury.engine.agents import dropout
from augury.engine.catalog.agent_configs.bayesian import DropoutConfig
from augury.engine.networks import mlp

DIM, N, T = 3, 12, 0.25  # of `small`


@pytest.fixture
def build(small: Any) -> Any:
    usual = DropoutConfig(hidden=(6, 5))
    return lambda **changes: small(dropout.make_agent, replace(usual, **changes))


@pytest.mark.parametrize("everywhere", [True, False])
def test_no_rate_is_one_network(build, key, everywhere: bool) -> None:
    made = build(rate=0.0, dropout_input=everywhere)
    learned = made.learner.init(key, made.known)
    found = made.learner.apply(made.learner.draw(learned, key, 50), made.x, made.known)
    one = mlp.columns(learned.params, made.x)
    np.testing.assert_allclose(found, np.repeat(one, 50, 0), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("everywhere", [True, False])
def test_samples_leave_out_units(build, key, everywhere: bool) -> None:
    made = build(rate=0.5, dropout_input=everywhere)
    learned = made.learner.init(key, made.known)
    samples = made.learner.draw(learned, key, 40)
    logits = np.asarray(made.learner.apply(samples, made.x, made.known))
    layers = [[np.asarray(leaf[0], float) for leaf in layer] for layer in learned.params]
    for m in range(40):
        # What a layer's weights were multiplied by is the mask of the units before it.
        masks = [
            np.median(np.asarray(drawn[0][min(m, len(drawn[0]) - 1)], float) / weight, axis=0)
            for drawn, (weight, _) in zip(samples, layers, strict=True)
        ]
        assert np.all(np.isclose(np.concatenate(masks), 0) | np.isclose(np.concatenate(masks), 2)
                      | (np.isclose(np.concatenate(masks), 1) & (not everywhere)))  # fmt: skip
        hidden = made.x * masks[0]
        for (weight, bias), mask in zip(layers[:-1], masks[1:], strict=True):
            hidden = np.maximum((hidden @ weight.T + bias) * mask, 0)  # masked, then rectified
        weight, bias = layers[-1]
        np.testing.assert_allclose(logits[m].T, hidden @ weight.T + bias, rtol=1e-4, atol=1e-5)
    assert len(np.unique(logits.reshape(40, -1), axis=0)) > 20


def test_share_of_units_left_out(build, key) -> None:
    made = build(rate=0.3, hidden=(50, 50))
    learned = made.learner.init(key, made.known)
    last = np.asarray(made.learner.draw(learned, key, 400)[-1][0])
    gone = np.all(last == 0, axis=1)
    error = (0.3 * 0.7 / gone.size) ** 0.5
    assert abs(gone.mean() - 0.3) < 4 * error
    np.testing.assert_allclose(last[~gone[:, None].repeat(2, 1)].mean() * 0.7,
                               np.asarray(learned.params[-1][0]).mean(), atol=0.01)  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "scale"),
    [
        ({"length_scale": 3.0}, 3.0 * np.sqrt(T) * DIM / 50),  # not squared, as published
        ({"length_scale": 3.0, "adaptive": False, "tau_reg": 2.0}, 9.0 * 0.9 / (2 * 50 * 2.0)),
        ({"exclude_bias_l2": True}, np.sqrt(T) * DIM / 50),
    ],
)
def test_loss(build, key, changes: dict[str, Any], scale: float) -> None:
    made = build(**changes)
    learned = made.learner.init(key, made.known)
    # The mask of a step is the one that `draw` gives for its key.
    samples = made.learner.draw(learned, key, 1)
    logits = np.asarray(made.learner.apply(samples, made.x, made.known)[0]).T
    fit = -log_softmax(logits.astype(float), axis=-1)[np.arange(N), made.y].mean()
    decayed = [w for w, _ in learned.params] if "exclude_bias_l2" in changes else learned.params
    squares = sum(float((np.asarray(leaf, float) ** 2).sum()) for leaf in jax.tree.leaves(decayed))
    np.testing.assert_allclose(made.loss(learned, key), fit + scale * squares, 1e-5)


def test_no_hidden_layer_is_logistic_regression(build, key) -> None:
    made = build(hidden=())
    learned = made.learner.init(key, made.known)
    found = made.learner.apply(made.learner.draw(learned, key, 30), made.x, made.known)
    assert found.shape[1:] == (2, N) and np.isfinite(made.loss(learned, key))
