"""Standardisation of single rows."""

import numpy as np

from augury.engine.datasets.standardise import standardise


def test_by_hand():
    row = standardise(np.array([[1.0, 2.0, 3.0]]))
    np.testing.assert_allclose(row, [[-(1.5**0.5), 0.0, 1.5**0.5]], rtol=1e-6)
    assert row.dtype == np.float32


def test_rows_do_not_see_each_other():
    x = np.random.default_rng(0).normal(3.0, 10.0, (10_000, 7))
    together = standardise(x)
    assert np.array_equal(together[5_000:5_001], standardise(x[5_000:5_001]))
    np.testing.assert_allclose(together.mean(axis=1), 0.0, atol=1e-6)
    np.testing.assert_allclose(together.var(axis=1), 1.0, atol=1e-5)


def test_pixels_are_fractions_before_the_constant_counts():
    # variance of {0, 1/255}: 1/(4 * 255^2) = 3.8e-6, so 1e-8 is felt in the third digit
    row = standardise(np.array([[[0, 1], [0, 1]]], dtype=np.uint8))
    half = 0.5 / 255
    np.testing.assert_allclose(np.abs(row), half / np.sqrt(half**2 + 1e-8), rtol=1e-6)
    assert row.shape == (1, 4)


def test_a_constant_row_becomes_zero():
    assert not standardise(np.full((1, 5), 9.0)).any()
