"""Blur: of a lens, of frosted glass, of motion and of zoom."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import convolve, gaussian_filter

from augury.engine.corruptions.resampling import both_ways, filtered, zoom_matrix

if TYPE_CHECKING:
    from jaxtyping import Float

    from augury.engine.corruptions.draws import Draws

LEAST_WEIGHT = 1e-3  # of a line of motion, before it is normalised


def gaussian_blur(
    x: Float[np.ndarray, "n h w c"], draws: Draws, sigma: float
) -> Float[np.ndarray, "n h w c"]:
    """Normal weights, cut at four deviations; the border repeats."""
    return gaussian_filter(x, (0.0, sigma, sigma, 0.0), mode="nearest")


def defocus_blur(
    x: Float[np.ndarray, "n h w c"], draws: Draws, radius: float, alias: float
) -> Float[np.ndarray, "n h w c"]:
    """The mean over a disk whose edge is softened by a 3 x 3 normal kernel."""
    return filtered(x, disk(radius, alias))


@lru_cache(maxsize=32)
def disk(radius: float, alias: float) -> Float[np.ndarray, "k k"]:
    """Weights of a disk, softened, on the smallest grid that holds them; they sum to one."""
    reach = int(radius) + 1
    line = np.arange(-reach, reach + 1)
    inside = (line[:, None] ** 2 + line**2 <= radius**2).astype(np.float64)
    edge = np.exp(-0.5 * (np.arange(-1, 2) / alias) ** 2)
    edge /= edge.sum()
    inside = convolve(inside, np.outer(edge, edge), mode="constant")
    return inside / inside.sum()


def glass_blur(
    x: Float[np.ndarray, "n h w c"], draws: Draws, sigma: float, reach: int, iterations: int
) -> Float[np.ndarray, "n h w c"]:
    """Pixels take the value of a near one, between two normal blurs; a margin stays.

    Meant as an exchange of two pixels, but in the published files the near one keeps its value, and
    their parameters are for that. Steps are of -reach to reach - 1 rows and columns, as there.
    """
    found = (gaussian_blur(x, draws, sigma) * 255.0).astype(np.uint8)
    n, height, width, _ = x.shape
    rows = np.arange(reach + 1, height - reach + 1)[:, None]
    columns = np.arange(reach + 1, width - reach + 1)
    steps = draws.integers(-reach, reach, iterations, 2, len(rows), len(columns))
    images = np.arange(n)[:, None, None]
    for turn in range(iterations):
        near = found[images, rows + steps[:, turn, 0], columns + steps[:, turn, 1]]
        found[:, reach + 1 : height - reach + 1, reach + 1 : width - reach + 1] = near
    return gaussian_blur(found.astype(x.dtype) / 255.0, draws, sigma)


def motion_blur(
    x: Float[np.ndarray, "n h w c"], draws: Draws, radius: int, sigma: float
) -> Float[np.ndarray, "n h w c"]:
    """Trails to one side, normal weights along a line, at an angle of -45 to 45 degrees."""
    return trails(x, draws.uniform(-45.0, 45.0), radius, sigma)


def trails(
    x: Float[np.ndarray, "n h w c"],
    degrees: Float[np.ndarray, " n"],
    radius: int,
    sigma: float,
) -> Float[np.ndarray, "n h w c"]:
    """Each image along its own line of 2 radius + 1 pixels that starts at the pixel itself.

    The published files were made by ImageMagick, of which this is the same kernel up to weights
    below a thousandth and the rounding of its steps; the border repeats.
    """
    place = np.arange(2 * radius + 1)
    weights = np.exp(-0.5 * (place / sigma) ** 2)
    place, weights = place[weights >= LEAST_WEIGHT], weights[weights >= LEAST_WEIGHT]
    weights = weights / weights.sum()
    angle = np.deg2rad(degrees)[:, None]
    down, right = np.rint(place * np.sin(angle)), np.rint(place * np.cos(angle))
    n, h, w, c = x.shape
    reach = int(place[-1]) + 1
    padded = np.pad(x, ((0, 0), (reach, reach), (reach, reach), (0, 0)), mode="edge")
    corners = padded.strides
    # Windows of every image at every offset, as views: one copy for each place of the line.
    view = np.lib.stride_tricks.as_strided(
        padded, (n, 2 * reach + 1, 2 * reach + 1, h, w, c),
        (corners[0], corners[1], corners[2], *corners[1:]), writeable=False,
    )  # fmt: skip
    found = np.zeros_like(x)
    images = np.arange(n)
    for step, weight in enumerate(weights):
        at = reach + down[:, step].astype(int), reach + right[:, step].astype(int)
        found += x.dtype.type(weight) * view[images, at[0], at[1]]
    return found


def zoom_blur(
    x: Float[np.ndarray, "n h w c"], draws: Draws, last: float
) -> Float[np.ndarray, "n h w c"]:
    """The mean of the image and its zooms by 1, 1.01, ... to `last`."""
    factors = 1.0 + 0.01 * np.arange(round((last - 1.0) * 100.0) + 1)
    every = [(zoom_matrix(x.shape[1], f), zoom_matrix(x.shape[2], f)) for f in factors]
    found, times = x.copy(), 1
    distinct: dict[bytes, tuple[int, tuple[np.ndarray, np.ndarray]]] = {}
    for pair in every:
        key = pair[0].tobytes() + pair[1].tobytes()
        count = distinct[key][0] if key in distinct else 0
        distinct[key] = (count + 1, pair)
    for count, pair in distinct.values():
        found += count * both_ways(x, *pair)
        times += count
    return found / times
