"""The deep kernel's posterior against dense algebra in double precision."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.agents import deep_kernel
from augury.engine.agents.deep_kernel import build
from augury.engine.catalog.agent_configs.heads import DeepKernelConfig
from augury.engine.learning.epistemic import make_known

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

DIM, CLASSES, NUM_TRAIN, TEMPERATURE, DRAWS = 3, 2, 40, 0.1, 20_000
CONFIG = DeepKernelConfig(hidden=(7, 5), num_inference_rows=30)


def _hidden(params: Any, x: np.ndarray) -> np.ndarray:
    for weight, bias in params[:-1]:
        x = np.maximum(x @ np.asarray(weight[0], float).T + np.asarray(bias[0], float), 0)
    return x


def _features(params: Any, x: np.ndarray) -> np.ndarray:
    x = _hidden(params, x)
    return x / (1e-6 + np.linalg.norm(x, axis=1, keepdims=True))


def test_sampled_logits_have_the_posterior_covariance(
    key: PRNGKeyArray, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the first rows alone count, and a head is shared by all inputs."""
    monkeypatch.setattr(deep_kernel, "BLOCK_ROWS", 8)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(50, DIM)).astype(np.float32)
    known = make_known(NUM_TRAIN, TEMPERATURE, CONFIG)
    learner = build(CONFIG, DIM, CLASSES)
    assert learner.finish is not None
    learned = learner.finish(learner.init(key, known), jnp.asarray(x), known)
    tests = rng.normal(size=(4, DIM)).astype(np.float32)

    noise = CONFIG.sigma_squared_factor * TEMPERATURE
    phi = _features(learned.params, x[:30].astype(float))
    star = _features(learned.params, tests.astype(float))
    precision = noise * np.eye(5) + phi.T @ phi
    scale = CONFIG.scale_factor**2 * noise / NUM_TRAIN / TEMPERATURE
    covariance = scale * star @ np.linalg.solve(precision, star.T)

    logits = np.asarray(learner.apply(learner.draw(learned, key, DRAWS), tests, known), float)
    weight, bias = (np.asarray(leaf[0], float) for leaf in learned.params[-1])
    mean = weight @ _hidden(learned.params, tests.astype(float)).T + bias[:, None]
    spread = logits - mean
    size = np.sqrt(np.diag(covariance))
    for c in range(CLASSES):
        error = np.sqrt((np.outer(size, size) ** 2 + covariance**2) / DRAWS)
        assert (np.abs(spread[:, c].T @ spread[:, c] / DRAWS - covariance) < 4.5 * error).all()
    cross = spread[:, 0].T @ spread[:, 1] / DRAWS  # classes have heads of their own
    assert (np.abs(cross) < 4.5 * np.outer(size, size) / np.sqrt(DRAWS)).all()


def test_more_rows_are_less_spread(key: PRNGKeyArray) -> None:
    rng = np.random.default_rng(1)
    x = jnp.asarray(rng.normal(size=(400, DIM)).astype(np.float32))
    spreads = []
    for rows in (4, 40, 400):
        known = make_known(rows, TEMPERATURE, CONFIG)
        learner = build(DeepKernelConfig(hidden=(7, 5)), DIM, CLASSES)
        assert learner.finish is not None
        learned = learner.finish(learner.init(key, known), x, known)
        logits = learner.apply(learner.draw(learned, key, 500), x[:5], known)
        spreads.append(float(np.std(np.asarray(logits), axis=0).mean()))
    assert spreads[0] > 2 * spreads[1] > 4 * spreads[2]
