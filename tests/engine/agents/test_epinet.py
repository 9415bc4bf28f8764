"""The epinet against a loop over indices and rows in NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import log_softmax

from augury.engine.agents.epinet import build, contracted
from augury.engine.catalog.agent_configs.heads import EpinetConfig
from augury.engine.learning.epistemic import make_known
from augury.engine.networks import mlp
from augury.engine.randomness import noise

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

DIM, CLASSES, ROWS, INDICES, NUM_TRAIN, TEMPERATURE = 2, 3, 4, 5, 7, 0.5


def _layers(params: Any, member: int = 0) -> list[tuple[np.ndarray, np.ndarray]]:
    return [(np.asarray(w[member], float), np.asarray(b[member], float)) for w, b in params]


def _network(layers: list[tuple[np.ndarray, np.ndarray]], x: np.ndarray) -> list[np.ndarray]:
    values = [x]
    for number, (weight, bias) in enumerate(layers):
        x = weight @ x + bias
        if number < len(layers) - 1:
            x = np.maximum(x, 0)
        values.append(x)
    return values


def _expected(config: EpinetConfig, learned: Any, x: np.ndarray, z: np.ndarray) -> np.ndarray:
    found = np.zeros((len(z), CLASSES, len(x)))
    for m, index in enumerate(z):
        for n, row in enumerate(x):
            *_, hidden, out = _network(_layers(learned.params.base), row)
            given = np.concatenate([index, row, hidden])
            for params, scale in (
                (learned.params.epinet, 1.0),
                (learned.params.prior, config.epinet_prior_scale),
            ):
                if params:
                    head = _network(_layers(params), given)[-1].reshape(CLASSES, -1)
                    out = out + scale * head @ index
            for k in range(config.index_dim):
                added = _network(_layers(learned.fixed, k), row)[-1]
                out = out + config.prior_scale / TEMPERATURE * index[k] * added
            found[m, :, n] = out
    return found


@pytest.fixture(params=[False, True], ids=["plain", "with an epinet prior"])
def config(request: pytest.FixtureRequest) -> EpinetConfig:
    return EpinetConfig(
        hidden=(6, 5), index_dim=3, num_index_samples=INDICES, epi_hidden=(4, 3),
        prior_hidden=(2,), epinet_prior=request.param, epinet_prior_scale=0.7,
    )  # fmt: skip


def test_logits_and_loss(key: PRNGKeyArray, config: EpinetConfig) -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=(ROWS, DIM)).astype(np.float32), np.array([0, 2, 1, 2])
    learner = build(config, DIM, CLASSES)
    known = make_known(NUM_TRAIN, TEMPERATURE, config)
    learned = learner.init(key, known)

    samples = learner.draw(learned, jax.random.fold_in(key, 1), INDICES)
    expected = _expected(config, learned, x.astype(float), np.asarray(samples.indices, float))
    np.testing.assert_allclose(
        jax.jit(learner.apply)(samples, x, known), expected, rtol=2e-4, atol=2e-5
    )

    rules = learner.training
    assert rules is not None and rules.offset is not None
    offsets = rules.offset(learned.fixed, x, jnp.arange(ROWS), known)
    value = jax.jit(rules.loss)(learned.params, offsets, x, jnp.asarray(y), known, key, 0)
    z = np.asarray(noise(key, INDICES * config.index_dim), float).reshape(INDICES, -1)
    fit = -log_softmax(_expected(config, learned, x.astype(float), z), axis=1)
    squares = sum(float((leaf**2).sum()) for leaf in jax.tree.leaves(learned.params[:2]))
    decay = config.weight_decay * (DIM / NUM_TRAIN) ** 0.7 * squares
    assert float(value) == pytest.approx(fit[:, y, np.arange(ROWS)].mean() + decay, rel=1e-4)


def test_the_base_learns_from_its_own_head_only(key: PRNGKeyArray, config: EpinetConfig) -> None:
    """No gradient reaches the features through an epinet, nor a prior epinet at all."""
    learner = build(config, DIM, CLASSES)
    known = make_known(NUM_TRAIN, TEMPERATURE, config)._replace(num_train=jnp.float32(1e9))
    learned = learner.init(key, known)
    rules = learner.training
    assert rules is not None
    head = (jnp.zeros_like(learned.params.base[-1][0]), learned.params.base[-1][1])
    params = learned.params._replace(base=(*learned.params.base[:-1], head))
    offsets = jnp.zeros((ROWS, config.index_dim, CLASSES))
    x, y = jnp.ones((ROWS, DIM)), jnp.array([0, 1, 1, 2])
    slope = jax.jit(jax.grad(rules.loss))(params, offsets, x, y, known, key, 0)
    for leaf in jax.tree.leaves((slope.base[:-1], slope.prior)):
        np.testing.assert_allclose(leaf, 0.0, atol=1e-5)
    assert any(np.abs(leaf).max() > 1e-3 for leaf in jax.tree.leaves(slope.epinet))


def test_one_hidden_layer(key: PRNGKeyArray) -> None:
    params = mlp.init(key, (2 + 3, 4, CLASSES * 2), 1)
    phi, index = jnp.ones((3, 6)), jnp.array([[1.0, -2.0]])
    given = np.concatenate([[1.0, -2.0], np.ones(3)])
    head = _network(_layers(params), given)[-1].reshape(CLASSES, 2)
    found = jax.jit(contracted, static_argnums=3)(params, phi, index, CLASSES)
    np.testing.assert_allclose(found[0, :, 0], head @ [1.0, -2.0], rtol=1e-5, atol=1e-6)
    assert found.shape == (1, CLASSES, 6)
