"""Langevin dynamics: against NumPy, as an optimiser, and by what they sample."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax
import pytest
from scipy.linalg import solve_discrete_lyapunov

from augury.engine.learning.langevin import Preconditioner, langevin
from augury.engine.randomness import noise
from augury.engine.training import Step, make_trainer, train

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

pytestmark = pytest.mark.slow  # together they compile for minutes

RATE, DECAY = 0.02, 0.9
SLOPES = np.random.default_rng(0).normal(size=(6, 5)).astype(np.float32)


def _path(optimiser: Any, key: PRNGKeyArray) -> np.ndarray:
    params: Any = {"a": jnp.zeros(2), "b": jnp.zeros((3, 1))}
    state, found = optimiser.init(params), []
    for number, slope in enumerate(SLOPES):
        tree = {"a": jnp.asarray(slope[:2]), "b": jnp.asarray(slope[2:, None])}
        updates, state = optimiser.update(tree, state, params, key=jax.random.fold_in(key, number))
        params = optax.apply_updates(params, updates)
        found.append(np.concatenate([params["a"], params["b"][:, 0]]))
    return np.array(found)


def test_temperature_zero_is_momentum(key: PRNGKeyArray) -> None:
    rate, decay = jnp.float32(RATE), jnp.float32(DECAY)
    ours = _path(langevin(rate, jnp.float32(0.0), decay), key)
    plain = optax.with_extra_args_support(optax.sgd(RATE, momentum=DECAY))
    np.testing.assert_allclose(ours, _path(plain, key), rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("kind", ["none", "rmsprop"])
def test_as_in_numpy(key: PRNGKeyArray, kind: Preconditioner) -> None:
    heat = 0.3
    ours = _path(langevin(jnp.float32(RATE), jnp.float32(heat), jnp.float32(DECAY), kind), key)
    theta, m, v = np.zeros(5), np.zeros(5), np.zeros(5)
    for number, g in enumerate(SLOPES.astype(float)):
        xi = np.asarray(noise(jax.random.fold_in(key, number), 5), float)
        v = 0.99 * v + 0.01 * g**2
        mass = 1e-7 + np.sqrt(v) if kind == "rmsprop" else np.ones(5)
        m = DECAY * m + RATE**0.5 * g + np.sqrt(2 * (1 - DECAY) * heat * mass) * xi
        theta = theta - RATE**0.5 * m / mass
        np.testing.assert_allclose(ours[number], theta, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("decay", [0.0, 0.9])
def test_it_samples_the_posterior_of_linear_regression(key: PRNGKeyArray, decay: float) -> None:
    """Independent chains at one time: their covariance has a known standard error.

    At a finite rate the stationary law is that of a linear recursion, known exactly; at this rate
    it is within 3 % of the posterior.
    """
    chains, steps, rows, rate = 4_096, 1_500, 40, 0.01
    rng = np.random.default_rng(1)
    x = rng.normal(size=(rows, 2)) @ np.array([[1.0, 0.5], [0.0, 0.7]])
    y = x @ np.array([1.0, -2.0]) + rng.normal(size=rows)
    precision = x.T @ x + np.eye(2)  # noise and prior of variance 1
    mean, curvature = np.linalg.solve(precision, x.T @ y), precision / rows

    def loss(theta, rows_, _key, told):
        misfit = jnp.sum((jnp.asarray(y) - jnp.asarray(x) @ theta) ** 2) + jnp.sum(theta**2)
        return 0.5 * misfit / rows, ()

    rule = Step(
        batch=lambda k, step, told: (),
        loss=loss,
        optimiser=lambda told: langevin(told, jnp.float32(1 / rows), jnp.float32(decay)),
    )
    start = jnp.tile(jnp.asarray(mean, jnp.float32), (chains, 1))
    rates = jnp.full((chains,), rate, jnp.float32)
    keys = jax.random.split(key, chains)
    found = np.asarray(train(make_trainer(rule, chains), start, keys, rates, steps).params, float)

    root = rate**0.5  # (m, theta) -> A (m, theta) + noise, theta counted from the mean
    a = np.block([
        [decay * np.eye(2), root * curvature],
        [-root * decay * np.eye(2), np.eye(2) - rate * curvature],
    ])  # fmt: skip
    push = np.vstack([np.eye(2), -root * np.eye(2)])
    exact = solve_discrete_lyapunov(a, 2 * (1 - decay) / rows * push @ push.T)[2:, 2:]
    np.testing.assert_allclose(exact, np.linalg.inv(precision), rtol=0.03)
    variances = np.diag(exact)
    error = np.sqrt((np.outer(variances, variances) + exact**2) / chains)
    assert (np.abs(np.cov(found.T) - exact) < 4 * error).all()
    assert (np.abs(found.mean(0) - mean) < 4 * np.sqrt(variances / chains)).all()
