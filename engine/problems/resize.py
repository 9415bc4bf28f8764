"""Bicubic resizing as image libraries do it: a matrix for each axis, whole levels in between."""

from __future__ import annotations

import math
from functools import cache
from typing import TYPE_CHECKING

import jax.numpy as jnp
import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Array, Float

_SUPPORT = 2.0  # pixels on both sides
_SLOPE = -0.5  # Keys 1981
_PARTS = 2.0**22


@cache
def weights(size: int, new_size: int) -> Float[np.ndarray, "new_size size"]:
    """Of each old pixel in each new one; where an image shrinks the kernel is stretched."""
    scale = size / new_size
    stretch = max(scale, 1.0)
    found = np.zeros((new_size, size))
    for row in range(new_size):
        centre = (row + 0.5) * scale
        first = max(int(centre - _SUPPORT * stretch + 0.5), 0)
        last = min(int(centre + _SUPPORT * stretch + 0.5), size)
        places = np.arange(first, last)
        kernel = np.array([_kernel((p + 0.5 - centre) / stretch) for p in places])
        found[row, first:last] = kernel / kernel.sum()
    # Whole multiples of 2^-22, as those libraries have them: they tell which way a half is rounded.
    return (np.round(found * _PARTS) / _PARTS).astype(np.float32)


def resize(
    images: Float[Array, "images height width"], new_height: int, new_width: int
) -> Float[Array, "images new_height new_width"]:
    """Levels of 0 to 255, rounded and clipped after each of the two passes, width first.

    An axis that has its size already stays as it is.
    """
    number, height, width = images.shape
    if new_width != width:
        across = jnp.asarray(weights(width, new_width).T)
        images = _levels(images.reshape(-1, width) @ across).reshape(number, height, new_width)
    if new_height != height:
        down = jnp.asarray(weights(height, new_height))
        # One product for all images: a batch of small ones is several times slower on a CPU.
        columns = jnp.moveaxis(images, 1, 0).reshape(height, -1)
        images = jnp.moveaxis(_levels(down @ columns).reshape(new_height, number, -1), 1, 0)
    return images


def _levels(values: Float[Array, ...]) -> Float[Array, ...]:
    return jnp.clip(jnp.floor(values + 0.5), 0.0, 255.0)


def _kernel(x: float) -> float:
    x = math.fabs(x)
    if x < 1:
        return ((_SLOPE + 2) * x - (_SLOPE + 3)) * x * x + 1
    if x < 2:
        return (((x - 5) * x + 8) * x - 4) * _SLOPE
    return 0.0
