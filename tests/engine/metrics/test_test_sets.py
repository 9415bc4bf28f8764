"""Explicit test batches: places of labels, and given draws as counts."""

from __future__ import annotations

import jax.numpy as jnp
import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.metrics.test_sets import draw_places, gather


def test_all_at_one_anchor(key) -> None:
    places = np.asarray(draw_places(key, 4_000, 4, jnp.int32(2)))
    same = (places == places[:, :1]).all(1).mean()
    # 2^(1 - tau) for dyadic batches
    np.testing.assert_allclose(same, 1 / 8, atol=4 * np.sqrt(1 / 8 * 7 / 8 / 4_000))


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
