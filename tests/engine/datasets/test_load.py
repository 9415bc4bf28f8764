"""The published splits."""

import numpy as np
import pytest

from augury.engine.datasets.load import load
from augury.engine.errors import UsageError


@pytest.mark.parametrize(
    ("name", "train", "test"),
    [
        ("iris", [41, 39, 40], [9, 11, 10]),
        (
            "wine_quality",
            [0, 0, 0, 16, 132, 1149, 1770, 707, 140, 4, 0],
            [0, 0, 0, 4, 31, 308, 428, 173, 35, 1, 0],
        ),
        ("german_credit_numeric", [234, 566], [66, 134]),
        ("cmaterdb", [500] * 10, [100] * 10),
    ],
)
def test_labels_of_both_sides(name, train, test):
    split = load(name)
    assert np.bincount(split.train_y, minlength=len(train)).tolist() == train
    assert np.bincount(split.test_y, minlength=len(test)).tolist() == test


def test_first_rows_of_iris():
    split = load("iris")
    # record 39 of the file: 5.1, 3.4, 1.5, 0.2, setosa
    row = np.array([5.1, 3.4, 1.5, 0.2])
    expected = (row - row.mean()) / np.sqrt(row.var() + 1e-8)
    np.testing.assert_allclose(split.train_x[0], expected, rtol=1e-6)
    assert split.train_y[:6].tolist() == [0, 2, 1, 2, 0, 1]
    assert split.test_y[:6].tolist() == [0, 0, 2, 0, 1, 2]


def test_unknown_name_suggests():
    with pytest.raises(UsageError, match="Did you mean 'iris'"):
        load("irsi")
