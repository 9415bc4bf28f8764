"""Parsers of the sets that come as arrays of pixels, with a test split of their own."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from io import BytesIO

import numpy as np
from numpy.typing import NDArray

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


def read_idx(files: Mapping[str, bytes]) -> Source:
    """MNIST and what copies its format: 28 x 28 x 1; label = the digit or the article."""
    return Source(_idx(files, "train"), _idx(files, "t10k"))


def read_cifar(files: Mapping[str, bytes]) -> Source:
    """CIFAR-10: 32 x 32 x 3; the five training batches one after another."""
    train = [_batch(files[f"data_batch_{number}.bin"]) for number in range(1, 6)]
    x, y = (np.concatenate(part) for part in zip(*train, strict=True))
    return Source(Records(x, y), _batch(files["test_batch.bin"]))


def _idx(files: Mapping[str, bytes], part: str) -> Records:
    images = _array(files[f"{part}-images-idx3-ubyte.gz"])
    return Records(
        images[..., None], _array(files[f"{part}-labels-idx1-ubyte.gz"]).astype(np.int64)
    )


def _array(content: bytes) -> NDArray[np.uint8]:
    raw = gzip.decompress(content)
    rank = raw[3]  # after two zeros and the type, 8: unsigned bytes
    shape = np.frombuffer(raw, ">i4", rank, offset=4)
    return np.frombuffer(raw, np.uint8, offset=4 + 4 * rank).reshape(shape)


def _batch(content: bytes) -> Records:
    """A byte of label and 3 x 32 x 32 bytes of pixels, a record after another."""
    rows = np.frombuffer(content, np.uint8).reshape(-1, 1 + 3 * 32 * 32)
    pixels = rows[:, 1:].reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1)
    return Records(np.ascontiguousarray(pixels), rows[:, 0].astype(np.int64))
