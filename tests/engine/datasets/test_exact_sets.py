"""The seven sets whose order was compared with TensorFlow Datasets 4.9.10, record by record.

Digests are of arrays that another program decoded and ordered: features as float64 (structured)
or bytes (images, rows by columns by colours), then labels as int64, both in little-endian.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256

import numpy as np
import pytest

from augury.engine.datasets.load import load, split_records
from augury.engine.datasets.records import Records

# name: (digest, first labels, how many of each label), for training rows, then for test rows
EXACT = {
    "iris": (
        ("357b4b594daf6618", [0, 2, 1, 2, 0, 1, 1, 1], [41, 39, 40]),
        ("db855ed65b830228", [0, 0, 2, 0, 1, 2, 0, 2], [9, 11, 10]),
    ),
    "wine_quality": (
        ("e89d3bb85f5668f3", [5, 6, 4, 6, 6, 5, 5, 6],
         [0, 0, 0, 16, 132, 1149, 1770, 707, 140, 4]),
        ("8a7395f0fb266411", [5, 8, 5, 7, 5, 6, 5, 7], [0, 0, 0, 4, 31, 308, 428, 173, 35, 1]),
    ),
    "german_credit_numeric": (
        ("f4f5bc05ff700638", [1, 1, 1, 1, 1, 1, 1, 1], [234, 566]),
        ("d8ddcddfc046d347", [1, 1, 1, 1, 1, 0, 0, 1], [66, 134]),
    ),
    "cmaterdb": (
        ("cb2e4fe8689fa057", [6, 7, 2, 2, 4, 8, 2, 8], [500] * 10),
        ("934c4a73f7e0fa07", [0, 0, 0, 3, 6, 4, 2, 8], [100] * 10),
    ),
    "mnist": (
        ("fcbef7f0a3963124", [4, 1, 0, 7, 8, 1, 2, 7],
         [5923, 6742, 5958, 6131, 5842, 5421, 5918, 6265, 5851, 5949]),
        ("29bf46f62b56c145", [2, 0, 4, 8, 7, 6, 0, 6],
         [980, 1135, 1032, 1010, 982, 892, 958, 1028, 974, 1009]),
    ),
    "fashion_mnist": (
        ("8bfde16b7397cae9", [2, 1, 8, 4, 1, 9, 2, 2], [6000] * 10),
        ("0eb01c98b3af234f", [4, 4, 9, 7, 5, 1, 0, 5], [1000] * 10),
    ),
    "cifar10": (
        ("c50e2d9aebe4fd88", [7, 8, 4, 4, 6, 5, 2, 9], [5000] * 10),
        ("4b43d2e153a74d46", [7, 0, 6, 9, 5, 1, 7, 0], [1000] * 10),
    ),
}  # fmt: skip


def digest(records: Records) -> str:
    kind = "u1" if records.x.dtype == np.uint8 else "<f8"
    found = sha256(np.ascontiguousarray(records.x).astype(kind).tobytes())
    found.update(records.y.astype("<i8").tobytes())
    return found.hexdigest()[:16]


@pytest.mark.parametrize("name", EXACT)
def test_decoded_and_ordered_arrays(name: str, own_data: Callable[[str], None]) -> None:
    own_data(name)
    for records, (known, first, counts) in zip(split_records(name), EXACT[name], strict=True):
        assert np.bincount(records.y).tolist() == counts
        assert records.y[: len(first)].tolist() == first
        assert digest(records) == known


@pytest.mark.parametrize("name", ["mnist"])
def test_a_large_set_is_standardised(name: str, own_data: Callable[[str], None]) -> None:
    own_data(name)
    split, (_, test) = load(name), split_records(name)
    row = test.x[0].reshape(-1) / 255.0
    expected = (row - row.mean()) / np.sqrt(row.var() + 1e-8)
    np.testing.assert_allclose(split.test_x[0], expected, rtol=1e-5, atol=1e-6)
    load.cache_clear()


def test_letters_and_digits_of_emnist(own_data: Callable[[str], None]) -> None:
    own_data("emnist/letters")
    train, test = split_records("emnist/letters")
    # A test file sorted by class, cut at 14,800 rows; the training file is not sorted.
    assert np.bincount(test.y).tolist() == [0] + [800] * 18 + [400]
    assert np.bincount(split_records("emnist/letters", "all")[1].y).tolist() == [0] + [800] * 26
    assert len(train.y) == 88_800 and np.bincount(train.y)[1:].all()
    own_data("emnist/digits")
    for records, each in zip(split_records("emnist/digits"), (24_000, 4_000), strict=True):
        assert np.bincount(records.y).tolist() == [each] * 10
