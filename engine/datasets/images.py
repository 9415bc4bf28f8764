"""Parsers of the sets that come as arrays of pixels, with a test split of their own."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import numpy as np

from augury.engine.datasets.records import Records, Source


def read_numerals(files: Mapping[str, bytes]) -> Source:
    """Handwritten Bangla numerals, 32 x 32 x 3; label = the digit."""
    return Source(
        _archive(files["training-images.npz"]),
        _archive(files["testing-images.npz"]),
    )


def _archive(content: bytes) -> Records:
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return Records(arrays["images"], arrays["labels"].astype(np.int64))
