"""Test batches: iid, monadic, dyadic; counts; given draws."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import log_softmax

from augury.engine.errors import UsageError
from augury.engine.metrics.test_sets import TestSet, draw_places, draw_test_sets, gather


def _logits(x):
    return jnp.stack([x[:, 0], -x[:, 1]], -1)


def _draw(key, tau: int, kappa: int, batches: int = 2_000) -> TestSet:
    return draw_test_sets(key, [(tau, kappa)], batches, 3, _logits)[tau, kappa]


def test_iid(key) -> None:
    tests = _draw(key, 4, 0)
    assert tests.x.shape == (2_000, 4, 3) and tests.counts.shape == (2_000, 4, 2)
    np.testing.assert_array_equal(tests.counts.sum(-1), np.ones((2_000, 4)))
    assert len(np.unique(np.asarray(tests.x).reshape(-1, 3), axis=0)) == 8_000


@pytest.mark.parametrize("kappa", [1, 2, 3])
def test_anchors_repeat_exactly(key, kappa: int) -> None:
    tests = _draw(key, 10, kappa)
    assert tests.x.shape == (2_000, kappa, 3)
    totals = np.asarray(tests.counts.sum(-1))
    np.testing.assert_array_equal(totals.sum(-1), np.full(2_000, 10.0))
    if kappa == 1:
        np.testing.assert_array_equal(totals, np.full((2_000, 1), 10.0))
    else:  # multinomial: mean 10 / kappa and variance 10 (1/kappa) (1 - 1/kappa)
        variance = 10 / kappa * (1 - 1 / kappa)
        error = np.sqrt(variance / 2_000)
        np.testing.assert_allclose(totals.mean(0), 10 / kappa, atol=4 * error)
        np.testing.assert_allclose(totals.var(0), variance, rtol=0.2)


def test_a_set_alone_as_among_others(key) -> None:
    sets = draw_test_sets(key, [(1, 0), (10, 0), (10, 2)], 20, 3, _logits)
    fewer = draw_test_sets(key, [(10, 2), (10, 0)], 20, 3, _logits)
    for point, alone in fewer.items():
        np.testing.assert_array_equal(alone.x, sets[point].x)
        np.testing.assert_array_equal(alone.counts, sets[point].counts)


def test_all_at_one_anchor(key) -> None:
    places = np.asarray(draw_places(key, 4_000, 4, jnp.int32(2)))
    same = (places == places[:, :1]).all(1).mean()
    # 2^(1 - tau) for dyadic batches
    np.testing.assert_allclose(same, 1 / 8, atol=4 * np.sqrt(1 / 8 * 7 / 8 / 4_000))


def test_true_likelihood_and_labels(key) -> None:
    tests = _draw(key, 10, 2)
    log_p = log_softmax(np.asarray(_logits(tests.x.reshape(-1, 3)), float), axis=-1)
    log_p = log_p.reshape(2_000, 2, 2)
    counts = np.asarray(tests.counts, float)
    np.testing.assert_allclose(tests.true_ll, (counts * log_p).sum((1, 2)), rtol=1e-4)
    expected = (counts.sum(-1, keepdims=True) * np.exp(log_p))[..., 1]
    off = counts[..., 1] - expected
    np.testing.assert_allclose(off.mean(), 0, atol=4 * off.std() / np.sqrt(off.size))


def test_given_draws_become_counts() -> None:
    a, b = [1.0, 2.0], [3.0, 4.0]
    x = np.array([[a, b, a], [b, b, b]], np.float32)
    y = np.array([[0, 1, 1], [1, 0, 1]])
    tests = gather(x, y, 2, 2, "here")
    assert tests.x.shape == (2, 2, 2)
    np.testing.assert_array_equal(tests.counts[0], [[1, 1], [0, 1]])
    np.testing.assert_array_equal(tests.counts[1].sum(0), [1, 2])
    iid = gather(x, y, 0, 2, "here")
    np.testing.assert_array_equal(iid.x, x)
    np.testing.assert_array_equal(iid.counts[0], [[1, 0], [0, 1], [0, 1]])
    with pytest.raises(UsageError, match="batch 0 has 2 distinct inputs, expected at most 1"):
        gather(x, y, 1, 2, "here")
