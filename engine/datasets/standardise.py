"""Standardisation: each example over its own features, as published, or each feature."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Raw = NDArray[np.float64] | NDArray[np.uint8]

_BLOCK = 64  # rows in double precision at once: 1.6 MB of the widest set, which caches hold
_EPSILON = 1e-8  # added to the variance


def by_example(x: Raw) -> NDArray[np.float32]:
    """(x - mean) / sqrt(variance + 1e-8) within each row, trailing axes flattened.

    Bytes are pixels and become [0, 1] first.

    Args:
        x: [rows, ...].

    Returns:
        float32 [rows, features]; statistics are taken in double precision.
    """
    out = np.empty((len(x), _width(x)), np.float32)
    for rows, block in _blocks(x):
        centred = block - block.mean(axis=1, keepdims=True)
        variance = np.square(centred).mean(axis=1, keepdims=True)
        out[rows] = centred / np.sqrt(variance + _EPSILON)
    return out


def by_feature(train: Raw, test: Raw) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """(x - mean) / standard deviation of each feature over all training rows, for both.

    A feature that is constant there tells nothing that can be learned, and is 0 everywhere: a
    test row that differs in it would be infinitely many deviations away. Others may still be far
    out, where only a few training rows differ.
    """
    total = np.zeros(_width(train))
    for _, block in _blocks(train):
        total += block.sum(axis=0)
    mean = total / len(train)
    squares = np.zeros_like(mean)
    low, high = np.full_like(mean, np.inf), np.full_like(mean, -np.inf)
    for _, block in _blocks(train):
        squares += np.square(block - mean).sum(axis=0)
        low, high = np.minimum(low, block.min(axis=0)), np.maximum(high, block.max(axis=0))
    # By its values: the variance of equal ones need not round to 0.
    scale = np.where(low < high, 1 / np.sqrt(np.maximum(squares / len(train), 1e-300)), 0.0)
    return _scaled(train, mean, scale), _scaled(test, mean, scale)


def _scaled(x: Raw, mean: NDArray[np.float64], scale: NDArray[np.float64]) -> NDArray[np.float32]:
    out = np.empty((len(x), len(mean)), np.float32)
    for rows, block in _blocks(x):
        out[rows] = (block - mean) * scale
    return out


def _width(x: Raw) -> int:
    return int(np.prod(x.shape[1:], dtype=np.int64))


def _blocks(x: Raw) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Some rows at a time, flat, in double precision."""
    scale = 255.0 if x.dtype == np.uint8 else 1.0
    for start in range(0, len(x), _BLOCK):
        rows = slice(start, start + _BLOCK)
        yield rows, x[rows].reshape(len(x[rows]), -1).astype(np.float64) / scale
