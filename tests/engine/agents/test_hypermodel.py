"""Hypermodels: the loss against NumPy, the index's law, priors that stay, bootstrap weights."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import log_softmax

from augury.engine.agents import hypermodel
from augury.engine.catalog.agent_configs.bayesian import HypermodelConfig
from augury.engine.learning.epistemic import make_known
from augury.engine.learning.fitting import fit_cells, make_fitter

pytestmark = pytest.mark.slow  # together they compile for minutes

DIM, N, T, M = 3, 12, 0.25, 4  # of `small`, and of indices


@pytest.fixture
def build(small: Any) -> Any:
    usual = HypermodelConfig(hidden=(6, 5), index_dim=M)
    return lambda **changes: small(hypermodel.make_agent, replace(usual, **changes))


def _outputs(params: Any, x: np.ndarray, z: np.ndarray, scaled: bool, factor: float) -> np.ndarray:
    """Logits [m, n, c] in NumPy: network of index (z, 1), plus factor times the prior's."""

    def network(layers: Any, parts: list[np.ndarray], divide: bool) -> np.ndarray:
        hidden = x.astype(float)
        for number, ((w, b), part) in enumerate(zip(layers, parts, strict=True)):
            weight = np.tensordot(part, np.asarray(w, float), 1)
            weight = weight / weight.shape[-1] ** 0.5 if divide else weight
            hidden = hidden @ weight.T + np.tensordot(part, np.asarray(b, float), 1)
            hidden = np.maximum(hidden, 0) if number < len(layers) - 1 else hidden
        return hidden

    found = []
    for one in z.astype(float):
        whole = network(params.network, [np.append(one, 1.0)] * len(params.network), scaled)
        chunks = np.array_split(one, len(params.prior))
        found.append(whole + factor * network(params.prior, chunks, False))
    return np.stack(found)


@pytest.mark.parametrize(
    ("changes", "factor"),
    [
        ({"prior_scale": 2.0}, 2.0 / T**0.5),
        ({"prior_scale": 2.0, "temp_scale": "linear", "scale": True}, 2.0 / T),
        ({"temp_scale": "none", "prior_hidden": (4, 3), "adaptive": False}, 1.0),
    ],
)
def test_loss(build, key, changes: dict[str, Any], factor: float) -> None:
    made = build(weight_decay=0.7, **changes)
    learned = made.learner.init(key, made.known)
    samples = made.learner.draw(learned, key, 16)  # the indices of a step with this key
    outputs = _outputs(learned.params, made.x, np.asarray(samples.z), made.config.scale, factor)
    found = made.learner.apply(samples, made.x, made.known)
    np.testing.assert_allclose(np.swapaxes(found, 1, 2), outputs, rtol=1e-3, atol=1e-4)
    fit = -log_softmax(outputs, axis=-1)[:, np.arange(N), made.y].mean()
    leaves = jax.tree.leaves(learned.params.network)
    squares = sum(float((np.asarray(leaf, float) ** 2).sum()) for leaf in leaves)
    scale = 0.7 / 50 * (np.sqrt(T) * DIM if made.config.adaptive else 1.0)
    slope = made.slope(learned, key)
    np.testing.assert_allclose(made.loss(learned, key), fit + scale * squares, rtol=1e-4)
    assert not any(np.asarray(leaf).any() for leaf in jax.tree.leaves(slope.prior))


def test_training_leaves_the_prior(build, key) -> None:
    made = build(num_steps=5)
    cells = [(key, jnp.asarray(made.x), jnp.asarray(made.y), made.known)]
    trained = fit_cells(make_fitter(made.learner, 1), cells, 5)[0][0].params
    begun = fit_cells(make_fitter(made.learner, 1), cells, 0)[0][0].params
    for a, b in zip(*map(jax.tree.leaves, (trained.prior, begun.prior)), strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(trained.network[0][0], begun.network[0][0])


def test_indices_have_length_one_on_average(build, key) -> None:
    made = build()
    z = np.asarray(made.learner.draw(made.learner.init(key, made.known), key, 4_000).z)
    np.testing.assert_allclose((z**2).sum(1).mean(), 1.0, atol=4 * (2 / M / 4_000) ** 0.5)


def test_an_index_of_zeros_is_one_network(build, key) -> None:
    made = build()
    samples = made.learner.draw(made.learner.init(key, made.known), key, 3)
    logits = np.asarray(made.learner.apply(samples._replace(z=0 * samples.z), made.x, made.known))
    np.testing.assert_array_equal(logits, np.repeat(logits[:1], 3, 0))


@pytest.mark.parametrize("distribution", ["bernoulli", "exponential"])
def test_bootstrap_weights_have_mean_one(build, key, distribution: Any) -> None:
    made = build(distribution=distribution)
    rules = made.learner.training
    learned = made.learner.init(key, made.known)
    rows = np.arange(3_000)
    tables = [np.asarray(t) for t in rules.offset(learned.fixed, None, rows, made.known)]
    z = np.asarray(made.learner.draw(learned, key, 200).z)
    along = [z @ table.T for table in tables]
    weights = 1 + np.sign(along[0]) if len(tables) == 1 else 0.5 * (along[0] ** 2 + along[1] ** 2)
    assert len(tables) == {"bernoulli": 1, "exponential": 2}[distribution]
    np.testing.assert_allclose(weights.mean(), 1.0, atol=0.1)  # 200 indices of varied length
    # In the loss: rows that weigh nothing leave no trace.
    x, y = jnp.asarray(made.x), jnp.asarray(made.y)
    own = [jnp.asarray(table[:N]) for table in tables]
    loss = made.loss(learned, key, own)
    step = made.learner.draw(learned, key, 16)
    along = [np.asarray(step.z @ table.T) for table in own]
    weights = 1 + np.sign(along[0]) if len(own) == 1 else 0.5 * (along[0] ** 2 + along[1] ** 2)
    outputs = np.swapaxes(np.asarray(made.learner.apply(step, x, made.known), float), 1, 2)
    each = -log_softmax(outputs, axis=-1)[:, np.arange(N), made.y]
    leaves = jax.tree.leaves(learned.params.network)
    squares = sum(float((np.asarray(leaf, float) ** 2).sum()) for leaf in leaves)
    expected = (weights * each).mean() + np.sqrt(T) * DIM / 50 * squares
    np.testing.assert_allclose(loss, expected, rtol=1e-4)
    cells = [(key, x, y, make_known(N, T, HypermodelConfig()))]
    assert np.isfinite(fit_cells(make_fitter(made.learner, 1), cells, 3)[1]).all()
