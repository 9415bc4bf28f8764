"""Digital: contrast, saturation, elastic warps, coarse pixels and compression."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import gaussian_filter

from augury.engine.corruptions.colour import saturated
from augury.engine.corruptions.resampling import both_ways, box_matrix, sampled

if TYPE_CHECKING:
    from jaxtyping import Float

    from augury.engine.corruptions.draws import Draws

# Quantisation at quality 50, ITU-T T.81 (1992), tables K.1 and K.2.
_LUMINANCE = np.array(
    [[16, 11, 10, 16, 24, 40, 51, 61], [12, 12, 14, 19, 26, 58, 60, 55],
     [14, 13, 16, 24, 40, 57, 69, 56], [14, 17, 22, 29, 51, 87, 80, 62],
     [18, 22, 37, 56, 68, 109, 103, 77], [24, 35, 55, 64, 81, 104, 113, 92],
     [49, 64, 78, 87, 103, 121, 120, 101], [72, 92, 95, 98, 112, 100, 103, 99]]
)  # fmt: skip
_CHROMINANCE = np.full((8, 8), 99)
_CHROMINANCE[:4, :4] = [[17, 18, 24, 47], [18, 21, 26, 66], [24, 26, 56, 99], [47, 66, 99, 99]]
# JFIF: Y, Cb, Cr of R, G, B.
_YCC = np.array(
    [[0.299, 0.587, 0.114], [-0.168736, -0.331264, 0.5], [0.5, -0.418688, -0.081312]], np.float32
)


def contrast(
    x: Float[np.ndarray, "n h w c"], draws: Draws, factor: float
) -> Float[np.ndarray, "n h w c"]:
    """Distances from the mean of each image and channel, shortened."""
    mean = x.mean(axis=(1, 2), keepdims=True)
    return (x - mean) * factor + mean


def saturate(
    x: Float[np.ndarray, "n h w c"], draws: Draws, factor: float, added: float
) -> Float[np.ndarray, "n h w c"]:
    """Saturation of hue, saturation, value times a factor, plus a number.

    One channel has no colour: there, the distance from the image's mean takes saturation's place.
    """
    if x.shape[3] == 3:
        return saturated(x, factor, added)
    mean = x.mean(axis=(1, 2), keepdims=True)
    return mean + (x - mean) * factor + np.sign(x - mean) * added


def elastic_transform(
    x: Float[np.ndarray, "n h w c"], draws: Draws, alpha: float, sigma: float, jitter: float
) -> Float[np.ndarray, "n h w c"]:
    """A random affine map and a smooth random displacement; numbers are parts of the image's side.

    Three points around the middle move by up to `jitter`. The published files interpolate twice,
    after each of the two maps; here the maps are composed and the image is read once.
    """
    n, h, w, _ = x.shape
    side, third = h, min(h, w) // 3
    middle = np.array([h // 2, w // 2], np.float32)
    corners = middle + third * np.array([[1.0, 1.0], [1.0, -1.0], [-1.0, -1.0]], np.float32)
    moved = corners + draws.uniform(-jitter * side, jitter * side, 3, 2)
    shift = draws.uniform(-1.0, 1.0, 2, h, w)
    # Each output point, displaced, and from there to where it came from.
    back = np.linalg.solve(
        np.concatenate([moved, np.ones((n, 3, 1), np.float32)], 2).astype(np.float64),
        np.broadcast_to(corners, (n, 3, 2)),
    )
    if alpha > 0.0:
        spread = (0.0, 0.0, sigma * side, sigma * side)
        shift = gaussian_filter(shift, spread, mode="reflect", truncate=3.0) * (alpha * side)
    else:
        shift = np.zeros_like(shift)
    at = np.stack(np.meshgrid(np.arange(h), np.arange(w), indexing="ij")) + shift
    source = [
        back[:, 0, k, None, None] * at[:, 0] + back[:, 1, k, None, None] * at[:, 1]
        + back[:, 2, k, None, None]
        for k in (0, 1)
    ]  # fmt: skip
    return sampled(x, source[0], source[1])


def pixelate(
    x: Float[np.ndarray, "n h w c"], draws: Draws, factor: float
) -> Float[np.ndarray, "n h w c"]:
    """Averaged down to a part of the size, and each large pixel repeated."""
    h, w = x.shape[1:3]
    small = both_ways(x, box_matrix(h, int(h * factor)), box_matrix(w, int(w * factor)))
    small = np.rint(small * 255.0) / np.float32(255.0)
    return both_ways(small, box_matrix(small.shape[1], h), box_matrix(small.shape[2], w))


def jpeg_compression(
    x: Float[np.ndarray, "n h w c"], draws: Draws, quality: int
) -> Float[np.ndarray, "n h w c"]:
    """Quantised cosine transforms of 8 x 8 blocks, colour at half the resolution.

    What JPEG loses without its lossless part. Tables scale with quality as libjpeg does; colour is
    enlarged by repetition where libjpeg interpolates, and sums are not rounded in between.
    """
    pixels = np.rint(x * 255.0).astype(np.float32)
    if x.shape[3] == 1:
        found = _quantised(pixels[..., 0] - 128.0, _scaled(_LUMINANCE, quality))[..., None] + 128.0
    else:
        layers = pixels @ _YCC.T
        layers[..., 0] -= 128.0
        h, w = x.shape[1:3]
        half = layers.reshape(len(x), h // 2, 2, w // 2, 2, 3).mean(axis=(2, 4))
        light = _quantised(layers[..., 0], _scaled(_LUMINANCE, quality)) + 128.0
        table = _scaled(_CHROMINANCE, quality)
        colour = [
            _quantised(half[..., k], table).repeat(2, axis=1).repeat(2, axis=2) for k in (1, 2)
        ]
        inverse = np.linalg.inv(_YCC.astype(np.float64)).astype(np.float32)
        found = np.stack([light, *colour], axis=-1) @ inverse.T
    # Bytes are cut, not rounded, by whoever asked; these are whole already.
    return np.rint(found) / np.float32(255.0)


def _scaled(table: np.ndarray, quality: int) -> np.ndarray:
    percent = 5000 // quality if quality < 50 else 200 - 2 * quality
    return np.clip((table * percent + 50) // 100, 1, 255).astype(np.float32)


@lru_cache(maxsize=1)
def _cosines() -> np.ndarray:
    k, place = np.arange(8)[:, None], np.arange(8)
    found = 0.5 * np.cos((2 * place + 1) * k * np.pi / 16)
    found[0] /= np.sqrt(2.0)
    return found.astype(np.float32)


def _quantised(layer: np.ndarray, table: np.ndarray) -> np.ndarray:
    """[n, h, w] around 0, through the transform and back; edges repeat to whole blocks."""
    n, h, w = layer.shape
    padded = np.pad(layer, ((0, 0), (0, -h % 8), (0, -w % 8)), mode="edge")
    high, wide = padded.shape[1] // 8, padded.shape[2] // 8
    blocks = padded.reshape(n, high, 8, wide, 8).swapaxes(2, 3)
    cosines = _cosines()
    spectrum = cosines @ blocks @ cosines.T
    spectrum = np.rint(spectrum / table) * table
    blocks = cosines.T @ spectrum @ cosines
    return blocks.swapaxes(2, 3).reshape(n, 8 * high, 8 * wide)[:, :h, :w]
