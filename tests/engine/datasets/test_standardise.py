"""Standardisation of single rows, and of single features."""

import numpy as np

from augury.engine.datasets.standardise import by_example, by_feature


def test_by_hand():
    row = by_example(np.array([[1.0, 2.0, 3.0]]))
    np.testing.assert_allclose(row, [[-(1.5**0.5), 0.0, 1.5**0.5]], rtol=1e-6)
    assert row.dtype == np.float32


def test_rows_do_not_see_each_other():
    x = np.random.default_rng(0).normal(3.0, 10.0, (10_000, 7))
    together = by_example(x)
    assert np.array_equal(together[5_000:5_001], by_example(x[5_000:5_001]))
    np.testing.assert_allclose(together.mean(axis=1), 0.0, atol=1e-6)
    np.testing.assert_allclose(together.var(axis=1), 1.0, atol=1e-5)


def test_pixels_are_fractions_before_the_constant_counts():
    # variance of {0, 1/255}: 1/(4 * 255^2) = 3.8e-6, so 1e-8 is felt in the third digit
    row = by_example(np.array([[[0, 1], [0, 1]]], dtype=np.uint8))
    half = 0.5 / 255
    np.testing.assert_allclose(np.abs(row), half / np.sqrt(half**2 + 1e-8), rtol=1e-6)
    assert row.shape == (1, 4)


def test_a_constant_row_becomes_zero():
    assert not by_example(np.full((1, 5), 9.0)).any()


def test_features_by_the_training_rows_alone():
    draws = np.random.default_rng(1)
    train = draws.normal([5.0, -2.0, 1e6], [1.0, 1e-5, 30.0], (9_000, 3))
    test = draws.normal(0.0, 1.0, (4, 3))
    x, other = by_feature(train, test)
    np.testing.assert_allclose(x, (train - train.mean(0)) / train.std(0), rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(other, (test - train.mean(0)) / train.std(0), rtol=1e-5)
    assert x.dtype == other.dtype == np.float32


def test_pixels_scale_away():
    pixels = np.random.default_rng(2).integers(0, 256, (50, 2, 2)).astype(np.uint8)
    one, _ = by_feature(pixels, pixels)
    other, _ = by_feature(pixels.astype(np.float64), pixels.astype(np.float64))
    np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
    assert one.shape == (50, 4)


def test_a_feature_that_is_constant_in_training_tells_nothing():
    train = np.array([[0.1, 1.0], [0.1, 3.0], [0.1, 2.0]])
    x, other = by_feature(train, np.array([[7.0, 2.0]]))
    assert not x[:, 0].any() and other.tolist() == [[0.0, 0.0]]
