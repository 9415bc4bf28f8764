"""Parsers: records exactly as the files hold them."""

from hashlib import sha256

import numpy as np
import pytest

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.entry import load as import_target
from augury.engine.datasets.files import read


def source(name):
    return import_target(DATASETS[name].target)(read(name, DATASETS[name]))


def test_iris_keeps_the_two_records_that_differ_from_fishers_table():
    x = source("iris").train.x
    assert x[34].tolist() == x[37].tolist() == [4.9, 3.1, 1.5, 0.1]


def test_wine_columns_are_sorted_by_name():
    # alcohol, chlorides, citric acid, density, fixed acidity, ... of the file's first line
    first = [8.8, 0.045, 0.36, 1.001, 7.0, 45.0, 3.0, 20.7, 0.45, 170.0, 0.27]
    records = source("wine_quality").train
    assert records.x[0].tolist() == first
    assert sorted(set(records.y.tolist())) == [3, 4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("iris", [50, 50, 50]),
        ("wine_quality", [0, 0, 0, 20, 163, 1457, 2198, 880, 175, 5, 0]),
        ("german_credit_numeric", [300, 700]),
        ("cmaterdb", [500] * 10),
    ],
)
def test_label_counts(name, counts):
    labels = source(name).train.y
    assert np.bincount(labels, minlength=len(counts)).tolist() == counts


@pytest.mark.parametrize(
    ("name", "digest"),
    [
        ("iris", "d2712b028401f040"),
        ("wine_quality", "566edae10e7256c5"),
        ("german_credit_numeric", "b33b74ddc6bbd9d4"),
        ("cmaterdb", "855d923de51a269b"),
    ],
)
def test_decoded_arrays_are_frozen(name, digest):
    found = sha256()
    for records in source(name):
        if records is not None:
            for array in records:
                found.update(array.astype(array.dtype.newbyteorder("<")).tobytes())
    assert found.hexdigest()[:16] == digest
