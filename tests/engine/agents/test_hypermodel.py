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

DIM, N, T, M = 3, 12, 0.25, 4
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, DIM)).astype(np.float32)
Y = RNG.integers(0, 2, N).astype(np.int32)


def _learner(**changes: Any) -> tuple[Any, Any, Any]:
    config = HypermodelConfig(**{"hidden": (6, 5), "index_dim": M, **changes})
    learner = hypermodel.make_agent(config).learner(DIM, 2)
    # One program each is quicker than many operations.
    quick = replace(learner, init=jax.jit(learner.init), apply=jax.jit(learner.apply))
    return quick, make_known(50, T, config), config


def _outputs(params: Any, z: np.ndarray, scaled: bool, factor: float) -> np.ndarray:
    """Logits [m, n, c] in NumPy: network of index (z, 1), plus factor times the prior's."""

    def network(layers: Any, parts: list[np.ndarray], divide: bool) -> np.ndarray:
        hidden = X.astype(float)
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
def test_loss(key, changes: dict[str, Any], factor: float) -> None:
    learner, known, config = _learner(weight_decay=0.7, **changes)
    learned = learner.init(key, known)
    samples = learner.draw(learned, key, 16)  # the indices of a step with this key
    outputs = _outputs(learned.params, np.asarray(samples.z), config.scale, factor)
    found = learner.apply(samples, jnp.asarray(X), known)
    np.testing.assert_allclose(np.swapaxes(found, 1, 2), outputs, rtol=1e-3, atol=1e-4)
    fit = -log_softmax(outputs, axis=-1)[:, np.arange(N), Y].mean()
    leaves = jax.tree.leaves(learned.params.network)
    squares = sum(float((np.asarray(leaf, float) ** 2).sum()) for leaf in leaves)
    scale = 0.7 / 50 * (np.sqrt(T) * DIM if config.adaptive else 1.0)
    told = (learned.params, (), jnp.asarray(X), jnp.asarray(Y), known, key, 0)
    loss, slope = jax.jit(jax.value_and_grad(learner.training.loss))(*told)
    np.testing.assert_allclose(float(loss), fit + scale * squares, rtol=1e-4)
    assert not any(np.asarray(leaf).any() for leaf in jax.tree.leaves(slope.prior))


def test_training_leaves_the_prior(key) -> None:
    learner, known, _ = _learner(num_steps=5)
    cells = [(key, jnp.asarray(X), jnp.asarray(Y), known)]
    trained = fit_cells(make_fitter(learner, 1), cells, 5)[0][0].params
    begun = fit_cells(make_fitter(learner, 1), cells, 0)[0][0].params
    for a, b in zip(*map(jax.tree.leaves, (trained.prior, begun.prior)), strict=True):
        np.testing.assert_array_equal(a, b)
    assert not np.array_equal(trained.network[0][0], begun.network[0][0])


def test_indices_have_length_one_on_average(key) -> None:
    learner, known, _ = _learner()
    z = np.asarray(learner.draw(learner.init(key, known), key, 4_000).z)
    np.testing.assert_allclose((z**2).sum(1).mean(), 1.0, atol=4 * (2 / M / 4_000) ** 0.5)


def test_an_index_of_zeros_is_one_network(key) -> None:
    learner, known, _ = _learner()
    samples = learner.draw(learner.init(key, known), key, 3)
    logits = np.asarray(learner.apply(samples._replace(z=0 * samples.z), jnp.asarray(X), known))
    np.testing.assert_array_equal(logits, np.repeat(logits[:1], 3, 0))


@pytest.mark.parametrize("distribution", ["bernoulli", "exponential"])
def test_bootstrap_weights_have_mean_one(key, distribution: Any) -> None:
    learner, known, _ = _learner(distribution=distribution)
    rules = learner.training
    learned = learner.init(key, known)
    rows = np.arange(3_000)
    tables = [np.asarray(t) for t in rules.offset(learned.fixed, None, rows, known)]
    z = np.asarray(learner.draw(learned, key, 200).z)
    along = [z @ table.T for table in tables]
    weights = 1 + np.sign(along[0]) if len(tables) == 1 else 0.5 * (along[0] ** 2 + along[1] ** 2)
    assert len(tables) == {"bernoulli": 1, "exponential": 2}[distribution]
    np.testing.assert_allclose(weights.mean(), 1.0, atol=0.1)  # 200 indices of varied length
    # In the loss: rows that weigh nothing leave no trace.
    x, y = jnp.asarray(X), jnp.asarray(Y)
    own = [jnp.asarray(table[:N]) for table in tables]
    loss = jax.jit(rules.loss)(learned.params, own, x, y, known, key, 0)
    step = learner.draw(learned, key, 16)
    along = [np.asarray(step.z @ table.T) for table in own]
    weights = 1 + np.sign(along[0]) if len(own) == 1 else 0.5 * (along[0] ** 2 + along[1] ** 2)
    outputs = np.swapaxes(np.asarray(learner.apply(step, x, known), float), 1, 2)
    each = -log_softmax(outputs, axis=-1)[:, np.arange(N), Y]
    leaves = jax.tree.leaves(learned.params.network)
    squares = sum(float((np.asarray(leaf, float) ** 2).sum()) for leaf in leaves)
    expected = (weights * each).mean() + np.sqrt(T) * DIM / 50 * squares
    np.testing.assert_allclose(float(loss), expected, rtol=1e-4)
    cells = [(key, x, y, make_known(N, T, HypermodelConfig()))]
    assert np.isfinite(fit_cells(make_fitter(learner, 1), cells, 3)[1]).all()
