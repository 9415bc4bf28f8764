"""Items of two classes for pairs of known mutual information, and photographs to hide them in."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from augury.engine.catalog.data_embeddings import EMBEDDINGS
from augury.engine.catalog.datasets import DatasetCard
from augury.engine.catalog.entry import load as import_target
from augury.engine.datasets.files import read, wanted
from augury.engine.datasets.load import split_records
from augury.engine.datasets.places import find, folder, folders
from augury.engine.datasets.records import Records, Source
from augury.engine.errors import AuguryError

PHOTOGRAPHS = "cifar10"


class Items(NamedTuple):
    """Items whose class is 0 or 1."""

    rows: NDArray[np.generic]  # [items, ...]: levels of 0 to 255, or embeddings
    labels: NDArray[np.int64]


def load_two_classes(name: str) -> Items:
    """The training items of classes 0 and 1 of a data set, or all of a set of embeddings.

    Raises:
        AuguryError: a file is missing or damaged.
    """
    if name in EMBEDDINGS:
        card = EMBEDDINGS[name]
        _check_here(name, card)
        source: Source = import_target(card.target)(read(name, card))
        records: Records = source.train
    else:
        records = split_records(name)[0]
    kept = records.y <= 1
    return Items(records.x[kept], records.y[kept])


def load_photographs() -> NDArray[np.uint8]:
    """Training photographs with colours first: [photographs, 3, 32, 32].

    Raises as `load_two_classes`.
    """
    pixels = split_records(PHOTOGRAPHS)[0].x
    return np.ascontiguousarray(pixels.transpose(0, 3, 1, 2)).astype(np.uint8)


def _check_here(name: str, card: DatasetCard) -> None:
    for file in card.files:
        if find(file, card, folders(name, card)) is None:
            raise AuguryError(
                f"embeddings {name} are not here and nobody serves them: put {wanted(card, file)} "
                f"into {folder(name, card)}."
            )
