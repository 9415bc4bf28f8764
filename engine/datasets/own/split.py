"""Which rows are trained on and which are tested on."""

from __future__ import annotations

from hashlib import blake2b
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from augury.engine.datasets.own.recipe import MOST_TEST


class Rows(NamedTuple):
    """Numbers of rows, each in random order, so that the first n training rows are a sample."""

    train: NDArray[np.int64]
    test: NDArray[np.int64]


def split(labels: NDArray[np.int32], share: float, seed: int) -> Rows:
    """A share of the rows of each class is tested on, `MOST_TEST` in all at most.

    Each class keeps a training row at least. What rounding leaves over goes to the classes that
    lost most by it, the first of equals.

    Args:
        labels: [rows] class of each, from 0.
        share: of the rows that are tested on.
        seed: of the draw, which depends on nothing else.
    """
    counts = np.bincount(labels)
    total = min(round(share * len(labels)), MOST_TEST, int((counts - 1).sum()))
    wanted = counts * (total / len(labels))
    each = np.minimum(np.floor(wanted).astype(np.int64), counts - 1)
    for label in np.argsort(each - wanted, kind="stable"):
        if each.sum() < total and each[label] < counts[label] - 1:
            each[label] += 1
    draws = np.random.default_rng(
        int.from_bytes(blake2b(b"split %d" % seed, digest_size=16).digest())
    )
    order = draws.permutation(len(labels))
    by_class = order[np.argsort(labels[order], kind="stable")]
    # Within its class, the place of each row.
    place = np.arange(len(labels)) - np.repeat(np.cumsum(counts) - counts, counts)
    tested = np.zeros(len(labels), bool)
    tested[by_class[place < np.repeat(each, counts)]] = True
    return Rows(order[~tested[order]], order[tested[order]])
