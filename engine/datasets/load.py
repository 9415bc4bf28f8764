"""A data set by name, split and standardised as in the published benchmark."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from augury.engine.catalog.datasets import DATASETS, DatasetCard
from augury.engine.catalog.entry import load as import_target
from augury.engine.catalog.entry import lookup
from augury.engine.catalog.names import Preprocess, TestRows
from augury.engine.datasets.files import read
from augury.engine.datasets.order import record_order
from augury.engine.datasets.records import Records, Source
from augury.engine.datasets.standardise import by_example, by_feature


class Split(NamedTuple):
    """Standardised rows and integer labels; read-only, since they are shared."""

    train_x: NDArray[np.float32]  # [train, features]
    train_y: NDArray[np.int32]  # [train]
    test_x: NDArray[np.float32]  # [test, features]
    test_y: NDArray[np.int32]  # [test]


@lru_cache(maxsize=2)  # the largest one takes 0.9 GB
def load(name: str, preprocess: Preprocess = "example", test_rows: TestRows = "published") -> Split:
    """The full split of a set; a problem with fewer rows takes some of its training ones.

    Args:
        name: of a card.
        preprocess: "example" standardises each row over its own features, as published; "feature"
            each feature by its mean and deviation over the full training split.
        test_rows: "all" takes every test row of the file where fewer were published.

    Raises:
        UsageError: no set has this name.
        AuguryError: a file is missing or damaged.
    """
    train, test = split_records(name, test_rows)
    if preprocess == "feature":
        train_x, test_x = by_feature(train.x, test.x)
    else:
        train_x, test_x = by_example(train.x), by_example(test.x)
    arrays = (train_x, train.y.astype(np.int32), test_x, test.y.astype(np.int32))
    for array in arrays:
        array.setflags(write=False)
    return Split(*arrays)


def split_records(name: str, test_rows: TestRows = "published") -> tuple[Records, Records]:
    """Training and test records in the published order, as the files hold them.

    Raises as `load`.
    """
    card = lookup(DATASETS, name, "data set")
    source: Source = import_target(card.target)(read(name, card))
    if source.test is not None:
        last = card.all_test if test_rows == "all" and card.all_test else card.num_test
        return _first(source.train, card.num_train, "train"), _first(source.test, last, "test")
    return _cut(source.train, card)


def _first(records: Records, number: int, split: str) -> Records:
    """The first records of a file, which are then put in order: not the first of the order."""
    order = record_order(number, split)
    return Records(records.x[order], records.y[order])


def _cut(records: Records, card: DatasetCard) -> tuple[Records, Records]:
    """Both ends of the order, where a set has training records only."""
    order = record_order(len(records.y), "train")
    ends = order[: card.num_train], order[-card.num_test :]
    train, test = (Records(records.x[rows], records.y[rows]) for rows in ends)
    return train, test
