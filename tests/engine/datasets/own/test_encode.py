"""Columns as inputs, against NumPy."""

from __future__ import annotations

import numpy as np

from augury.engine.datasets.own.columns import Texts
from augury.engine.datasets.own.encode import (
    FAR,
    MOST_LEVELS,
    fit_booleans,
    fit_levels,
    fit_numbers,
)


def test_numbers_are_standardised_by_the_training_rows() -> None:
    rng = np.random.default_rng(0)
    train, test = rng.normal(40, 3, 500), rng.normal(50, 9, 100)
    fitted = fit_numbers(train)
    assert fitted is not None and fitted.width == 1
    expected = (test - train.mean()) / train.std()
    np.testing.assert_allclose(fitted.encode(test)[:, 0], expected, rtol=1e-6)
    assert fitted.encode(np.array([1e9, -1e9]))[:, 0].tolist() == [FAR, -FAR]


def test_gaps_become_the_median_of_the_training_rows_and_an_input() -> None:
    train = np.array([1.0, np.nan, 7.0, 2.0, np.nan])
    fitted = fit_numbers(train)
    assert fitted is not None and fitted.width == 2
    filled = np.array([1.0, 2.0, 7.0, 2.0, 2.0])
    expected = np.stack([(filled - filled.mean()) / filled.std(), [0, 1, 0, 0, 1]], axis=1)
    np.testing.assert_allclose(fitted.encode(train), expected, rtol=1e-6)


def test_gaps_of_test_rows_alone_are_no_input() -> None:
    fitted = fit_numbers(np.array([1.0, 3.0, 8.0]))
    assert fitted is not None
    np.testing.assert_array_equal(fitted.encode(np.array([np.nan])), fitted.encode(np.array([3.0])))


def test_what_is_the_same_in_all_training_rows_tells_nothing() -> None:
    assert fit_numbers(np.full(9, 0.1)) is None
    assert fit_numbers(np.full(9, np.nan)) is None
    assert fit_booleans(np.ones(9)) is None
    assert fit_levels(np.full(9, 3, np.int32)) is None


def test_where_only_the_gaps_tell_anything_they_are_the_input() -> None:
    fitted = fit_numbers(np.array([5.0, np.nan, 5.0]))
    assert fitted is not None
    assert fitted.encode(np.array([5.0, np.nan, 6.0])).tolist() == [[0], [1], [0]]


def test_huge_and_tiny_numbers_have_a_deviation() -> None:
    for scale in (1e299, 1e-299):
        fitted = fit_numbers(np.array([1.0, 2.0, 3.0, 4.0]) * scale)
        plain = fit_numbers(np.array([1.0, 2.0, 3.0, 4.0]))
        assert fitted is not None and plain is not None
        at = np.array([1.5, -4.0, 3.0])
        np.testing.assert_allclose(fitted.encode(at * scale), plain.encode(at), rtol=1e-6)


def test_booleans_stay_0_and_1() -> None:
    fitted = fit_booleans(np.array([1.0, 1.0, 0.0, np.nan]))
    assert fitted is not None
    assert fitted.encode(np.array([0.0, 1.0, np.nan])).tolist() == [[0, 0], [1, 0], [1, 1]]


def test_text_is_one_of_its_levels() -> None:
    texts = Texts(np.array([2, 0, -1, 1, 0], np.int32), ("a", "b", "c"))
    fitted = fit_levels(texts.codes)
    assert fitted is not None
    expected = (texts.codes[:, None] == np.array([-1, 0, 1, 2])).astype(float)
    np.testing.assert_array_equal(fitted.encode(texts), expected)


def test_a_level_that_no_training_row_has_is_nowhere() -> None:
    texts = Texts(np.array([0, 1, 2, -1], np.int32), ("a", "b", "c"))
    fitted = fit_levels(texts.codes[:2])
    assert fitted is not None
    assert fitted.encode(texts).tolist() == [[1, 0], [0, 1], [0, 0], [0, 0]]


def test_the_rarer_levels_share_an_input() -> None:
    number = MOST_LEVELS + 5
    codes = np.repeat(np.arange(number, dtype=np.int32), 2)
    codes = np.concatenate([codes, np.arange(number - 3, number, dtype=np.int32)])
    fitted = fit_levels(codes)
    assert fitted is not None and fitted.width == MOST_LEVELS
    # Three levels are more frequent; of the others, those that come first.
    own = [*range(MOST_LEVELS - 1 - 3), *range(number - 3, number)]
    block = fitted.encode(Texts(codes, tuple(f"{i:03}" for i in range(number))))
    expected = np.zeros((len(codes), MOST_LEVELS))
    for row, code in enumerate(codes.tolist()):
        expected[row, own.index(code) if code in own else MOST_LEVELS - 1] = 1
    np.testing.assert_array_equal(block, expected)
