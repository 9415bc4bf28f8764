"""Gaussian sources: moments, closed form, and the exact density ratio."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.stats import norm

from augury.engine.catalog.problems import GaussianProblem
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


@pytest.mark.parametrize("spread", ["tile", "pad", "rotate"])
def test_more_dimensions_hold_the_same_sources(spread: str, key: PRNGKeyArray) -> None:
    problem = GaussianProblem(3, (4.0,), 7, spread)
    pairs = gaussian.source(problem).sample(key, jnp.float32(4.0), 20_000, ())
    x, y = np.asarray(pairs.x, np.float64), np.asarray(pairs.y, np.float64)
    assert x.shape == y.shape == (20_000, 7)
    np.testing.assert_allclose(x.var(0), 1, atol=4 * np.sqrt(2 / 20_000))
    cross = x.T @ y / len(x)
    rho = float(gaussian.correlation(jnp.float32(4.0), 3))
    # Singular values: rho of each source, once, or as often as it is tiled.
    times = {"tile": [3, 2, 2], "pad": [1, 1, 1], "rotate": [1, 1, 1]}[spread]
    found = np.linalg.svd(cross, compute_uv=False)
    np.testing.assert_allclose(found[:3], np.multiply(times, rho), atol=0.05)
    np.testing.assert_allclose(found[3:], 0, atol=0.05)
    if spread == "rotate":  # every coordinate of x correlates with several of y
        assert (np.abs(cross) > 0.05).sum() > 20


def test_a_cubed_y_is_the_same_y(key: PRNGKeyArray) -> None:
    plain, cubic = (GaussianProblem(2, (3.0,), cubic=c) for c in (False, True))
    one, other = (gaussian.source(p).sample(key, jnp.float32(3.0), 9, ()) for p in (plain, cubic))
    np.testing.assert_allclose(np.cbrt(other.y), one.y, atol=1e-4)
    np.testing.assert_array_equal(other.x, one.x)


def test_shuffled_pairs_are_independent_and_keep_their_marginals(key: PRNGKeyArray) -> None:
    problem = GaussianProblem(2, (6.0,), shuffled=True)
    source = gaussian.source(problem)
    pairs = source.sample(key, jnp.float32(6.0), 20_000, ())
    cross = np.asarray(pairs.x).T @ np.asarray(pairs.y) / 20_000
    np.testing.assert_allclose(cross, 0, atol=4 / np.sqrt(20_000))
    np.testing.assert_allclose(pairs.y.var(0), 1, atol=4 * np.sqrt(2 / 20_000))
    assert not np.asarray(source.log_ratio(*(h[:4] for h in pairs.hidden), jnp.float32(6.0))).any()
