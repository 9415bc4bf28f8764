"""Which rows are trained on, and which are tested on."""

from __future__ import annotations

import numpy as np
import pytest

from augury.engine.datasets.own.recipe import MOST_TEST
from augury.engine.datasets.own.split import split


@pytest.mark.parametrize("share", [0.05, 0.2, 0.5, 0.9])
def test_every_row_once_and_each_class_in_its_share(share: float) -> None:
    labels = np.random.default_rng(0).choice(4, 1_000, p=[0.6, 0.3, 0.09, 0.01]).astype(np.int32)
    rows = split(labels, share, 0)
    assert sorted([*rows.train, *rows.test]) == list(range(1_000))
    assert len(rows.test) == round(1_000 * share)
    counts, tested = np.bincount(labels), np.bincount(labels[rows.test], minlength=4)
    assert (np.abs(tested - share * counts) < 1).all()


def test_a_class_keeps_a_training_row() -> None:
    labels = np.array([0] * 30 + [1, 1, 2], np.int32)
    for seed in range(20):
        rows = split(labels, 0.9, seed)
        assert set(labels[rows.train]) == {0, 1, 2}


def test_at_most_so_many_are_tested_on() -> None:
    labels = (np.arange(200_000) % 3).astype(np.int32)
    rows = split(labels, 0.2, 0)
    assert len(rows.test) == MOST_TEST
    assert np.ptp(np.bincount(labels[rows.test])) <= 1


def test_the_seed_draws_both_and_nothing_else_does() -> None:
    labels = (np.arange(100) % 2).astype(np.int32)
    one, again, other = split(labels, 0.2, 1), split(labels, 0.2, 1), split(labels, 0.2, 2)
    assert one.train.tolist() == again.train.tolist() and one.test.tolist() == again.test.tolist()
    assert set(one.test) != set(other.test)
    assert one.train.tolist() != sorted(one.train)


def test_all_rows_are_tested_on_equally_often() -> None:
    labels = np.array([0] * 40 + [1] * 10, np.int32)
    times = np.zeros(50)
    for seed in range(400):
        times[split(labels, 0.2, seed).test] += 1
    # Binomial(400, 0.2): mean 80, deviation 8.
    assert (np.abs(times - 80) < 4 * 8).all()


def test_the_first_split_stays_what_it_is() -> None:
    labels = (np.arange(20) % 2).astype(np.int32)
    assert split(labels, 0.2, 0).test.tolist() == [2, 14, 19, 15]
