"""Means over samples: with groups left out, and effective numbers, against float64."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import logsumexp

from augury.engine.metrics.mixtures import LOWEST, group_sizes, log_mean_exp, mixture

pytestmark = pytest.mark.slow  # together they compile for minutes


def test_log_mean_exp_of_nothing_likely() -> None:
    assert np.asarray(log_mean_exp(jnp.full((4, 1), -jnp.inf)))[0] == -np.inf
    np.testing.assert_allclose(log_mean_exp(jnp.full((4, 1), 3.0)), [3.0], rtol=1e-6)


@pytest.mark.parametrize("count", [1, 2, 7, 20, 21, 100, 103])
def test_groups_are_nearly_equal(count: int) -> None:
    sizes = group_sizes(count)
    assert sizes.sum() == count and sizes.min() >= 1 and len(sizes) <= 20


@pytest.mark.parametrize("count", [2, 21, 100])
def test_against_float64(count: int) -> None:
    values = np.random.default_rng(count).normal(size=(count, 3, 4)).astype(np.float32) * 30
    found = mixture(jnp.asarray(values), True)
    wide = values.astype(float)
    np.testing.assert_allclose(found.log_mean, logsumexp(wide, 0) - np.log(count), rtol=1e-5)
    assert found.left_out is not None and found.log_ess is not None
    ends = np.cumsum(group_sizes(count))
    for group, (start, end) in enumerate(zip([0, *ends[:-1]], ends, strict=True)):
        kept = np.delete(wide, np.arange(start, end), 0)
        expected = logsumexp(kept, 0) - np.log(len(kept))
        np.testing.assert_allclose(found.left_out[group], expected, rtol=1e-5, atol=1e-4)
    weights = np.exp(wide - wide.max(0))
    ess = weights.sum(0) ** 2 / (weights**2).sum(0)
    np.testing.assert_allclose(np.exp(found.log_ess), ess, rtol=1e-4)


@pytest.mark.parametrize("level", [0.0, -1e3, -1e7, LOWEST])
@pytest.mark.parametrize("count", [3, 21, 100, 103])
def test_equal_samples_all_count_however_unlikely(count: int, level: float) -> None:
    found = mixture(jnp.full((count, 2), level), True, lambda log_p: 10.0 * log_p)
    assert found.log_ess is not None and found.left_out is not None
    np.testing.assert_allclose(np.exp(found.log_ess), count, rtol=1e-5)
    np.testing.assert_allclose(found.log_mean, 10 * level, rtol=1e-6, atol=1e-5)
    np.testing.assert_allclose(found.left_out, 10 * level, rtol=1e-6, atol=1e-5)


def test_effective_numbers_are_of_differences_alone() -> None:
    values = np.random.default_rng(0).integers(-3, 1, size=(50, 6)).astype(np.float32)
    near, far = (mixture(jnp.asarray(values + level), True) for level in (0.0, -(2.0**22)))
    assert near.log_ess is not None and far.log_ess is not None
    np.testing.assert_allclose(far.log_ess, near.log_ess, rtol=1e-5)


def test_a_group_with_all_the_weight_is_missed_when_left_out() -> None:
    values = np.full((40, 1), -500.0, np.float32)
    values[3] = 0.0
    found = mixture(jnp.asarray(values), True)
    assert found.left_out is not None
    left = np.asarray(found.left_out)[:, 0]
    assert left[1] < -80 and np.all(np.delete(left, 1) > -5)


def test_impossible_everywhere_stays_far_below() -> None:
    found = mixture(jnp.full((30, 2), LOWEST), True)
    assert np.asarray(found.log_mean).max() < LOWEST / 2


def test_all_samples_there_are_have_no_effective_number() -> None:
    found = mixture(jnp.zeros((5, 2)), False)
    assert found.left_out is None and found.log_ess is None
