"""Filters and resampling of batches [n, h, w, c]: weighted shifts, matrices, and gathers."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float


def filtered(
    x: Float[np.ndarray, "n h w c"], kernel: Float[np.ndarray, "k k"]
) -> Float[np.ndarray, "n h w c"]:
    """Correlation with an odd square kernel; the border mirrors, its own pixel not repeated."""
    reach = len(kernel) // 2
    padded = np.pad(x, ((0, 0), (reach, reach), (reach, reach), (0, 0)), mode="reflect")
    found = np.zeros_like(x)
    for row, column in np.argwhere(kernel != 0.0):
        part = padded[:, row : row + x.shape[1], column : column + x.shape[2]]
        found += x.dtype.type(kernel[row, column]) * part
    return found


def both_ways(
    x: Float[np.ndarray, "n h w c"],
    rows: Float[np.ndarray, "p h"],
    columns: Float[np.ndarray, "q w"],
) -> Float[np.ndarray, "n p q c"]:
    """A linear map of the rows and one of the columns: rows @ x @ columns.T in each channel."""
    n, h, w, c = x.shape
    tall = np.matmul(rows.astype(x.dtype), x.reshape(n, h, w * c)).reshape(n, -1, w, c)
    return np.matmul(columns.astype(x.dtype), tall)


@lru_cache(maxsize=256)
def zoom_matrix(size: int, factor: float) -> Float[np.ndarray, "size size"]:
    """Linear zoom into the middle, trimmed back to `size`: end points go to end points."""
    kept = int(np.ceil(size / factor))
    large = round(kept * factor)
    first = (size - kept) // 2
    place = np.arange(large) * (kept - 1) / max(large - 1, 1)
    trim = (large - size) // 2
    return _linear(place[trim : trim + size] + first, size)


@lru_cache(maxsize=64)
def box_matrix(size: int, out: int) -> Float[np.ndarray, "out size"]:
    """Averages over the pixels whose middle lies in a box; nearest pixel where it enlarges."""
    scale = size / out
    centre = (np.arange(out) + 0.5) * scale
    support = max(scale, 1.0) * 0.5
    low = np.floor(centre - support + 0.5).clip(0, size)
    high = np.floor(centre + support + 0.5).clip(0, size)
    pixel = np.arange(size)
    inside = (pixel >= low[:, None]) & (pixel < high[:, None])
    return inside / inside.sum(1, keepdims=True)


def _linear(place: np.ndarray, size: int) -> np.ndarray:
    below = np.clip(np.floor(place).astype(int), 0, size - 1)
    above = np.minimum(below + 1, size - 1)
    part = place - below
    found = np.zeros((len(place), size))
    lines = np.arange(len(place))
    found[lines, below] += 1.0 - part
    found[lines, above] += part
    return found


def zoomed(x: Float[np.ndarray, "n h w c"], factor: float) -> Float[np.ndarray, "n h w c"]:
    """Every image zoomed into its middle."""
    return both_ways(x, zoom_matrix(x.shape[1], factor), zoom_matrix(x.shape[2], factor))


def sampled(
    x: Float[np.ndarray, "n h w c"],
    row: Float[np.ndarray, "n h w"],
    column: Float[np.ndarray, "n h w"],
) -> Float[np.ndarray, "n h w c"]:
    """Bilinear values at real coordinates; beyond the border images mirror."""
    n, h, w, c = x.shape
    top, left = np.floor(row).astype(np.int64), np.floor(column).astype(np.int64)
    down, right = (row - top).astype(x.dtype), (column - left).astype(x.dtype)
    flat, first = x.reshape(-1, c), (np.arange(n) * h * w)[:, None, None]
    found = np.zeros_like(x)
    for i, weight in ((0, 1 - down), (1, down)):
        line = first + _mirrored(top + i, h) * w
        for j, share in ((0, 1 - right), (1, right)):
            at = line + _mirrored(left + j, w)
            found += (weight * share)[..., None] * np.take(flat, at, axis=0)
    return found


def _mirrored(index: np.ndarray, size: int) -> np.ndarray:
    period = 2 * (size - 1)
    inside = np.abs(index) % period
    return np.minimum(inside, period - inside)
