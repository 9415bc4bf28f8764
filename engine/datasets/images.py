"""Parsers of the sets that come as arrays of coloured pixels, with a test split of their own."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import numpy as np

from augury.engine.datasets.records import Records, Source

_CIFAR_BATCHES = 5


def read_numerals(files: Mapping[str, bytes]) -> Source:
    """Handwritten Bangla numerals, 32 x 32 x 3; label = the digit."""
    return Source(
        _archive(files["training-images.npz"]),
        _archive(files["testing-images.npz"]),
    )


def read_cifar10(files: Mapping[str, bytes]) -> Source:
    """Photographs, 32 x 32 x 3: five batches to train on, counted through, and one to test."""
    train = [files[f"data_batch_{number}.bin"] for number in range(1, _CIFAR_BATCHES + 1)]
    return Source(_batches(b"".join(train)), _batches(files["test_batch.bin"]))


def _archive(content: bytes) -> Records:
    with np.load(BytesIO(content), allow_pickle=False) as arrays:
        return Records(arrays["images"], arrays["labels"].astype(np.int64))


def _batches(content: bytes) -> Records:
    """Records of a label byte, then three planes of 32 x 32: red, green, blue."""
    rows = np.frombuffer(content, np.uint8).reshape(-1, 1 + 3 * 32 * 32)
    planes = rows[:, 1:].reshape(-1, 3, 32, 32)
    return Records(planes.transpose(0, 2, 3, 1), rows[:, 0].astype(np.int64))
