"""Test inputs of a problem: laws of the draws, and that a point's do not depend on others."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest
from scipy.special import log_softmax

from augury.engine.metrics.pool import Pool, draw_pool

pytestmark = pytest.mark.slow  # together they compile for minutes


def _logits(x: Any) -> Any:
    return jnp.stack([x[:, 0], -x[:, 1]], -1)


def _draw(key, points, batches: int = 2_000, exact: bool = False) -> Pool:
    return draw_pool(key, points, batches, 3, _logits, exact)


def test_inputs_are_normal_and_all_distinct(key) -> None:
    pool = _draw(key, [(1, 0)], 500)
    x = np.asarray(pool.x)
    assert x.shape == (500, 10, 3)
    assert len(np.unique(x.reshape(-1, 3), axis=0)) == 5_000
    np.testing.assert_allclose(x.std(), 1.0, atol=4 / np.sqrt(2 * x.size))
    truth = log_softmax(np.asarray(_logits(x.reshape(-1, 3)), float), axis=-1)
    np.testing.assert_allclose(pool.truth.reshape(-1, 2), truth, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("kappa", [1, 2, 3])
def test_places_are_multinomial(key, kappa: int) -> None:
    counts = _draw(key, [(10, kappa)]).counts[10, kappa]
    assert counts is not None and counts.shape == (2_000, kappa, 2)
    totals = np.asarray(counts).sum(-1)
    np.testing.assert_array_equal(totals.sum(-1), np.full(2_000, 10.0))
    # mean 10 / kappa and variance 10 (1/kappa) (1 - 1/kappa)
    variance = 10 / kappa * (1 - 1 / kappa)
    np.testing.assert_allclose(totals.mean(0), 10 / kappa, atol=4 * np.sqrt(variance / 2_000))
    np.testing.assert_allclose(totals.var(0), variance, rtol=0.2)


@pytest.mark.parametrize("point", [(1, 0), (10, 0), (10, 2), (4, 7)])
def test_labels_follow_the_truth_at_their_input(key, point: tuple[int, int]) -> None:
    pool = _draw(key, [point])
    counts = np.asarray(pool.counts[point], float)
    p = np.exp(np.asarray(pool.truth, float))[:, : counts.shape[1]]
    if point[1] == 0:
        np.testing.assert_array_equal(counts.sum(-1), np.ones((2_000, point[0])))
    off = (counts - counts.sum(-1, keepdims=True) * p)[..., 1]
    np.testing.assert_allclose(off.mean(), 0, atol=4 * off.std() / np.sqrt(off.size))
    # Nor are labels surer, or less sure, than the truth is.
    surer = off * np.sign(p[..., 1] - 0.5)
    np.testing.assert_allclose(surer.mean(), 0, atol=4 * surer.std() / np.sqrt(surer.size))
    assert pool.labels is not None
    single = np.asarray(pool.labels) - np.exp(np.asarray(pool.truth, float))[:, :10, 1]
    np.testing.assert_allclose(single.mean(), 0, atol=4 * single.std() / np.sqrt(single.size))


@pytest.mark.parametrize("exact", [True, False])
def test_a_point_alone_as_among_others(key, exact: bool) -> None:
    points = [(1, 0), (10, 0), (10, 2), (10, 5), (100, 0), (100, 2), (30, 30)]
    among = _draw(key, points, 20, exact)
    for point in points:
        alone = _draw(key, [point], 20, exact)
        wide = alone.x.shape[1]
        np.testing.assert_array_equal(alone.x, among.x[:, :wide])
        np.testing.assert_allclose(alone.truth, among.truth[:, :wide], rtol=1e-6)
        mine, others = alone.counts[point], among.counts[point]
        assert (mine is None) == (others is None)
        if mine is not None:
            np.testing.assert_array_equal(mine, others)
        if alone.labels is not None:
            np.testing.assert_array_equal(alone.labels, among.labels)


def test_few_patterns_need_no_draw(key) -> None:
    points = [(1, 0), (10, 0), (10, 1), (10, 2), (10, 3)]
    counts = _draw(key, points, 20, exact=True).counts
    assert [point for point in points if counts[point] is None] == [(1, 0), (10, 1), (10, 2)]
