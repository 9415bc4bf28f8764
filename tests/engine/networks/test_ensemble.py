"""The ensemble's loss, its gradient and its prior functions against NumPy."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import log_softmax

from augury.engine.agents import ensemble, ensemble_plus, mlp
from augury.engine.catalog.agent_configs.networks import (
    EnsembleConfig,
    EnsemblePlusConfig,
    MlpConfig,
)
from augury.engine.learning.bootstrap import row_weights
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import make_known
from augury.engine.learning.fitting import fit_cells, make_fitter

pytestmark = pytest.mark.slow  # together they compile for minutes

DIM, N, T = 3, 12, 0.25
RNG = np.random.default_rng(0)
X = RNG.normal(size=(N, DIM)).astype(np.float32)
Y = RNG.integers(0, 2, N).astype(np.int32)


def _loss(agent: LearnerAgent, key: Any, num_train: int = 50) -> tuple[Any, Any, Any, Any]:
    learner = agent.learner(DIM, 2)
    known = make_known(num_train, T, agent.config)
    learned = learner.init(key, known)
    rules = learner.training
    assert rules is not None
    offsets = (
        rules.offset(learned.fixed, jnp.asarray(X), np.arange(N), known) if rules.offset else ()
    )
    value, slope = jax.jit(jax.value_and_grad(rules.loss))(
        learned.params, offsets, jnp.asarray(X), jnp.asarray(Y), known, key, 0
    )
    return learner, learned, float(value), slope


def _forward(layers: Any, member: int) -> np.ndarray:
    hidden = X.astype(float)
    for number, (weight, bias) in enumerate(layers):
        hidden = hidden @ np.asarray(weight[member], float).T + np.asarray(bias[member], float)
        hidden = np.maximum(hidden, 0) if number < len(layers) - 1 else hidden
    return hidden


def _squares(layers: Any) -> float:
    return sum(float((np.asarray(leaf, float) ** 2).sum()) for leaf in jax.tree.leaves(layers))


@pytest.mark.parametrize("adaptive", [True, False])
def test_loss_of_an_ensemble(key, adaptive: bool) -> None:
    config = EnsembleConfig(num_ensemble=4, hidden=(6, 5), weight_decay=0.7, adaptive=adaptive)
    _, learned, value, slope = _loss(ensemble.make_agent(config), key)
    fits = [
        -log_softmax(_forward(learned.params, k), axis=-1)[np.arange(N), Y].mean() for k in range(4)
    ]
    scale = 0.7 / 50 * (np.sqrt(T) * DIM if adaptive else 1.0)
    expected = np.mean(fits) + scale / 4 * _squares(learned.params)
    np.testing.assert_allclose(value, expected, rtol=1e-5)
    # Each member's slope is 1/K of its own loss's: member 0 of the output bias, by hand.
    p = np.exp(log_softmax(_forward(learned.params, 0), axis=-1))
    by_hand = (p - np.eye(2)[Y]).mean(0) / 4  # that bias is zero, so nothing decays
    np.testing.assert_allclose(slope[-1][1][0], by_hand, rtol=1e-4, atol=1e-7)


def test_mlp_is_an_ensemble_of_one(key) -> None:
    _, _, one, _ = _loss(mlp.make_agent(MlpConfig(hidden=(6, 5))), key)
    _, _, same, _ = _loss(ensemble.make_agent(EnsembleConfig(hidden=(6, 5), num_ensemble=1)), key)
    assert one == same


@pytest.mark.parametrize(("scale", "power"), [("sqrt", 0.5), ("linear", 1.0), ("none", 0.0)])
def test_prior_functions(key, scale: Any, power: float) -> None:
    config = EnsemblePlusConfig(num_ensemble=3, hidden=(6, 5), prior_scale=2.0, temp_scale=scale)
    learner, learned, value, _ = _loss(ensemble_plus.make_agent(config), key)
    for layers in (learned.params, learned.fixed.prior):
        assert np.asarray(layers[0][1]).all() and not np.asarray(layers[1][1]).any()
    assert not np.array_equal(learned.params[0][0], learned.fixed.prior[0][0])
    fits = []
    for k in range(3):
        logits = _forward(learned.params, k) + 2.0 / T**power * _forward(learned.fixed.prior, k)
        fits.append(-log_softmax(logits, axis=-1)[np.arange(N), Y].mean())
        known = make_known(50, T, config)
        found = learner.apply(learner.draw(learned, key, 1), jnp.asarray(X), known)[k]
        np.testing.assert_allclose(found.T, logits, rtol=1e-4, atol=1e-4)
    decay = 1.0 / 50 * np.sqrt(T) * DIM / 3 * _squares(learned.params)
    np.testing.assert_allclose(value, np.mean(fits) + decay, rtol=1e-5)


@pytest.mark.parametrize("distribution", ["bernoulli", "poisson"])
def test_bootstrap_weights_the_rows_of_each_member(key, distribution: Any) -> None:
    config = EnsembleConfig(num_ensemble=3, hidden=(4,), distribution=distribution)
    learner, learned, value, _ = _loss(ensemble.make_agent(config), key)
    weights = np.asarray(row_weights(learned.fixed.word, jnp.arange(N), 3, distribution))
    fits = [
        -(weights[k] * log_softmax(_forward(learned.params, k), axis=-1)[np.arange(N), Y]).mean()
        for k in range(3)
    ]
    decay = 1.0 / 50 * np.sqrt(T) * DIM / 3 * _squares(learned.params)
    np.testing.assert_allclose(value, np.mean(fits) + decay, rtol=1e-5)
    cells = [(key, jnp.asarray(X), jnp.asarray(Y), make_known(N, T, config))]
    _, losses = fit_cells(make_fitter(learner, 1, 0), cells, 5)
    assert np.isfinite(losses).all()


def test_sampling_members_with_replacement_is_unbiased(key) -> None:
    config = EnsembleConfig(num_ensemble=3, hidden=(4,), index_sampling="replacement")
    learner = ensemble.make_agent(config).learner(DIM, 2)
    known = make_known(50, T, config)
    learned = learner.init(key, known)
    rules = learner.training
    assert rules is not None
    told = (learned.params, (), jnp.asarray(X), jnp.asarray(Y), known)
    drawn = jax.vmap(lambda k: rules.loss(*told, k, 0))(jax.random.split(key, 4_000))
    _, _, every, _ = _loss(ensemble.make_agent(EnsembleConfig(num_ensemble=3, hidden=(4,))), key)
    error = float(drawn.std()) / np.sqrt(4_000)
    assert error > 0
    np.testing.assert_allclose(float(drawn.mean()), every, atol=4 * error)


@pytest.mark.parametrize("sampling", ["every", "replacement"])
def test_a_few_members_at_a_time(key, sampling: Any) -> None:
    config = EnsemblePlusConfig(
        num_ensemble=6, hidden=(8, 8), batch_size=10, index_sampling=sampling
    )
    learner = ensemble_plus.make_agent(config).learner(DIM, 2)
    cells = [(key, jnp.asarray(X), jnp.asarray(Y), make_known(N, T, config))]
    whole, losses = fit_cells(make_fitter(learner, 1, 0), cells, 25)
    fitter = make_fitter(learner, 1, 2)
    assert fitter.shards == 3
    parts, same = fit_cells(fitter, cells, 25)
    np.testing.assert_allclose(losses, same, rtol=1e-4)
    for a, b in zip(*map(jax.tree.leaves, (whole[0].params, parts[0].params)), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-2, atol=2e-3)


def test_awkward_numbers_train_in_one_piece() -> None:
    for members, most, shards in [(100, 25, 4), (30, 25, 2), (7, 25, 1), (101, 25, 1), (50, 0, 1)]:
        agent = ensemble.make_agent(EnsembleConfig(num_ensemble=members))
        assert make_fitter(agent.learner(2, 2), 1, most).shards == shards
