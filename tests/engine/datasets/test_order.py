"""The stored order of records, against its definition and against known facts."""

from hashlib import md5

import numpy as np
import pytest

from augury.engine.datasets.order import record_order


@pytest.mark.parametrize("split", ["train", "test"])
def test_order_sorts_by_the_salted_digest(split):
    order = record_order(500, split)
    digests = [md5(f"{split}{index}".encode()).hexdigest() for index in order]
    assert digests == sorted(digests)
    assert np.array_equal(np.sort(order), np.arange(500))


def test_first_records_of_a_split_of_150():
    # the order in which TensorFlow Datasets 4.9.10 was seen to store iris
    assert record_order(150, "train")[:8].tolist() == [39, 135, 55, 143, 28, 64, 90, 81]


def test_a_split_has_an_order_of_its_own():
    assert not np.array_equal(record_order(100, "train"), record_order(100, "test"))


def test_nothing_to_order():
    assert record_order(0, "train").shape == (0,)
