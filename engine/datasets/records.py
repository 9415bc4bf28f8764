"""What a parser returns: records in the order of their source file."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Records(NamedTuple):
    """Features and labels, row i being record i of the file."""

    x: NDArray[np.float64] | NDArray[np.uint8]  # uint8: pixels of 0 to 255
    y: NDArray[np.int64]


class Source(NamedTuple):
    """A data set as published. Without test records, the split is cut from the training ones."""

    train: Records
    test: Records | None = None
