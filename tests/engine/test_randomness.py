"""Named streams, and draws that are quick to compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy import stats

from augury.engine.randomness import fractions, noise, normal, stream, uniform

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray


@pytest.mark.parametrize("shape", [(), (7,), (3, 5), (2, 3, 5)])
def test_flat_draws_are_the_draws_of_jax(key: PRNGKeyArray, shape: tuple[int, ...]) -> None:
    np.testing.assert_array_equal(normal(key, shape), jax.random.normal(key, shape))
    np.testing.assert_array_equal(
        uniform(key, shape, 0.5), jax.random.uniform(key, shape, minval=-0.5, maxval=0.5)
    )


def test_names_give_streams_of_their_own(key: PRNGKeyArray) -> None:
    data = [jax.random.key_data(stream(key, name)).tolist() for name in ("a", "b", "a")]
    assert data[0] == data[2] != data[1]


STEPS, SIZE = 400, 3_201  # of a training whose every step draws noise for each parameter


@pytest.fixture(scope="module")
def drawn() -> np.ndarray:
    keys = jax.vmap(jax.random.fold_in, (None, 0))(jax.random.key(3), np.arange(STEPS))
    return np.asarray(jax.jit(jax.vmap(lambda k: noise(k, SIZE)))(keys), np.float64)


def test_noise_is_normal(drawn: np.ndarray) -> None:
    z = drawn.reshape(-1)
    n = z.size
    moments = [(z**power).mean() for power in (1, 2, 3, 4, 6)]
    errors = np.sqrt(np.array([1.0, 2.0, 15.0, 96.0, 10_395.0 - 225.0]) / n)
    np.testing.assert_array_less(np.abs(moments - np.array([0, 1, 0, 3, 15])), 4 * errors)
    assert stats.kstest(z, "norm").pvalue > 1e-4
    for limit in (2.0, 3.0, 4.0):
        for found in ((z > limit).sum(), (z < -limit).sum()):
            expected = n * stats.norm.sf(limit)
            assert abs(found - expected) < 4 * np.sqrt(expected)
    assert np.abs(z).max() < 5.9


def test_noise_is_white(drawn: np.ndarray) -> None:
    """Products of distinct draws, and of their squares, vanish: along parameters and steps."""
    half = (SIZE + 1) // 2  # the two numbers of a pair are this far apart
    shifted = [(drawn[:, lag:], drawn[:, :-lag]) for lag in (1, 2, 16, half - 1, half, half + 1)]
    shifted += [(drawn[lag:], drawn[:-lag]) for lag in (1, 2, 5)]
    shifted += [(drawn[1:, 1:], drawn[:-1, :-1])]
    for a, b in shifted:
        assert abs((a * b).mean()) < 4 / np.sqrt(a.size)
        assert abs(((a * a - 1) * (b * b - 1)).mean()) < 4 * 2 / np.sqrt(a.size)
    # Chi-square of each step's and each parameter's own sum of squares.
    for sums, freedom in ((drawn**2).sum(1), SIZE), ((drawn**2).sum(0), STEPS):
        assert stats.kstest(sums, stats.chi2(freedom).cdf).pvalue > 1e-4


def test_noise_of_other_keys_is_other_noise() -> None:
    """Keys that differ in one bit, of either word."""
    words = [[5, 9], [4, 9], [5, 8], [5, 9 + 2**31], [9, 5]]
    keys = jax.random.wrap_key_data(jnp.array(words, jnp.uint32))
    drawn = np.asarray(jax.jit(jax.vmap(lambda k: noise(k, 100_000)))(keys))
    for i, a in enumerate(drawn):
        for b in drawn[:i]:
            assert abs((a * b).mean()) < 4 / np.sqrt(a.size)
            assert (a == b).mean() < 1e-3


def test_noise_of_any_size(key: PRNGKeyArray) -> None:
    found = jax.jit(lambda k: [noise(k, size) for size in range(4)])(key)
    assert [len(z) for z in found] == [0, 1, 2, 3] and all(np.isfinite(z).all() for z in found)


def test_fractions_are_uniform(key: PRNGKeyArray) -> None:
    keys = jax.vmap(jax.random.fold_in, (None, 0))(key, np.arange(200))
    drawn = np.asarray(jax.jit(jax.vmap(lambda k: fractions(k, 301)))(keys), np.float64)
    assert stats.kstest(drawn.reshape(-1), "uniform").pvalue > 1e-4
    assert 0 < drawn.min() and drawn.max() < 1
    for a, b in ((drawn[:, 1:], drawn[:, :-1]), (drawn[1:], drawn[:-1])):
        assert abs(((a - 0.5) * (b - 0.5)).mean()) < 4 / 12 / np.sqrt(a.size)
    # As many steps' means are as far off as they should be.
    assert stats.kstest(drawn.mean(1), stats.norm(0.5, (1 / 12 / 301) ** 0.5).cdf).pvalue > 1e-4
