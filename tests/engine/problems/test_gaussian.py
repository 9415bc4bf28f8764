"""Gaussian sources: moments, closed form, and the exact density ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import norm

from augury.engine.problems import gaussian

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray


@pytest.mark.parametrize(
    ("bits", "rho"), [(2, 0.4921), (4, 0.6524), (6, 0.7515), (8, 0.8186), (10, 0.8660)]
)
def test_correlations_of_ten_sources_are_the_published_ones(bits: float, rho: float) -> None:
    assert float(gaussian.correlation(jnp.float32(bits), 10)) == pytest.approx(rho, abs=5e-5)


@pytest.mark.parametrize("num_sources", [1, 10, 100])
@pytest.mark.parametrize("bits", [0.0, 0.1, 4.0, 10.0])
def test_bits_to_correlation_and_back(bits: float, num_sources: int) -> None:
    rho = float(gaussian.correlation(jnp.float32(bits), num_sources))
    nats = -0.5 * num_sources * np.log1p(-rho * rho)  # of that many independent pairs
    assert nats / np.log(2) == pytest.approx(bits, rel=1e-3, abs=1e-6)


def test_many_bits_keep_their_noise() -> None:
    scale = float(gaussian.noise_scale(jnp.float32(30.0), 1))
    assert scale == pytest.approx(2.0**-30, rel=1e-4)  # 1 - rho^2 would be 0 in float32


def test_moments(key: PRNGKeyArray) -> None:
    x, y = gaussian.sample(key, jnp.float32(4.0), 40_000, 10)
    rho = float(gaussian.correlation(jnp.float32(4.0), 10))
    limit = 4 / np.sqrt(40_000)  # four standard errors of a mean of unit variance
    for part in (x, y):
        np.testing.assert_allclose(part.mean(0), 0, atol=limit)
        np.testing.assert_allclose(part.var(0), 1, atol=limit * np.sqrt(2))
    cross = np.asarray(x).T @ np.asarray(y) / len(x)
    np.testing.assert_allclose(cross, rho * np.eye(10), atol=limit * np.sqrt(1 + rho**2))


def test_log_ratio_is_the_ratio_of_densities(key: PRNGKeyArray) -> None:
    x, y = gaussian.sample(key, jnp.float32(3.0), 5, 2)
    rho = float(gaussian.correlation(jnp.float32(3.0), 2))
    found = np.asarray(gaussian.log_ratio(x, y, jnp.float32(3.0)))
    for i in range(5):
        for j in range(5):
            expected = sum(
                norm.logpdf(y[j, k], rho * x[i, k], np.sqrt(1 - rho**2)) - norm.logpdf(y[j, k])
                for k in range(2)
            )
            assert found[i, j] == pytest.approx(expected, abs=1e-4)


def test_steps_draw_fresh_pairs(key: PRNGKeyArray) -> None:
    one, _ = gaussian.sample(jax.random.fold_in(key, 0), jnp.float32(2.0), 8, 2)
    two, _ = gaussian.sample(jax.random.fold_in(key, 1), jnp.float32(2.0), 8, 2)
    assert not np.allclose(one, two)
