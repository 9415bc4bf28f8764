"""A data set by name, split and standardised as in the published benchmark."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from augury.engine.catalog.datasets import DATASETS, DatasetCard
from augury.engine.catalog.entry import load as import_target
from augury.engine.catalog.entry import lookup
from augury.engine.datasets.files import read
from augury.engine.datasets.order import record_order
from augury.engine.datasets.records import Records, Source
from augury.engine.datasets.standardise import standardise


class Split(NamedTuple):
    """Standardised rows and integer labels; read-only, since they are shared."""

    train_x: NDArray[np.float32]  # [train, features]
    train_y: NDArray[np.int32]  # [train]
    test_x: NDArray[np.float32]  # [test, features]
    test_y: NDArray[np.int32]  # [test]


@lru_cache(maxsize=4)
def load(name: str) -> Split:
    """The full split of a set; a problem with fewer rows takes the first ones.

    Raises:
        UsageError: no set has this name.
        AuguryError: a file is missing or damaged.
    """
    card = lookup(DATASETS, name, "data set")
    source: Source = import_target(card.target)(read(name, card))
    train, test = _split(source, card)
    arrays = (
        standardise(train.x), train.y.astype(np.int32),
        standardise(test.x), test.y.astype(np.int32),
    )  # fmt: skip
    for array in arrays:
        array.setflags(write=False)
    return Split(*arrays)


def _split(source: Source, card: DatasetCard) -> tuple[Records, Records]:
    """First records of the training order; test records, or the last ones where there are none."""
    order = record_order(len(source.train.y), "train")
    train = _take(source.train, order[: card.num_train])
    if source.test is None:
        return train, _take(source.train, order[-card.num_test :])
    test_order = record_order(len(source.test.y), "test")
    return train, _take(source.test, test_order[: card.num_test])


def _take(records: Records, indices: NDArray[np.int64]) -> Records:
    return Records(records.x[indices], records.y[indices])
