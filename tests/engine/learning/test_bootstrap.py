"""Bootstrap weights: their laws, and that they depend on the place alone."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.learning.bootstrap import row_weights, seed_word

VARIANCES = {"bernoulli": 1.0, "exponential": 1.0, "poisson": 1.0, "uniform": 1 / 3}


@pytest.mark.parametrize("distribution", VARIANCES)
def test_moments(key, distribution: str) -> None:
    weights = np.asarray(row_weights(seed_word(key), jnp.arange(2_000), 100, distribution), float)
    count = weights.size
    np.testing.assert_allclose(weights.mean(), 1.0, atol=4 * (1 / count) ** 0.5)
    np.testing.assert_allclose(weights.var(), VARIANCES[distribution], atol=12 * (1 / count) ** 0.5)
    # Members are independent of each other, and rows are.
    off = np.corrcoef(weights) - np.eye(100)
    assert np.abs(off).max() < 5.5 / 2_000**0.5
    assert np.abs(weights.mean(0) - 1).max() < 5.5 / 10
    if distribution == "bernoulli":
        assert set(np.unique(weights)) == {0.0, 2.0}
    if distribution == "poisson":
        np.testing.assert_allclose((weights == 0).mean(), np.exp(-1), atol=4 * 0.5 / count**0.5)


def test_a_weight_belongs_to_its_row(key) -> None:
    word = seed_word(key)
    whole = row_weights(word, jnp.arange(20), 3, "exponential")
    part = row_weights(word, jnp.arange(7, 12), 3, "exponential")
    np.testing.assert_array_equal(whole[:, 7:12], part)
    assert not np.array_equal(whole, row_weights(word + 1, jnp.arange(20), 3, "exponential"))
