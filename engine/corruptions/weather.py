"""Weather: snow, frost, fog, light, and what splashes on the lens."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from scipy.ndimage import distance_transform_edt, gaussian_filter, uniform_filter

from augury.engine.corruptions.blur import trails
from augury.engine.corruptions.colour import brightness_of, grey, tinted, value
from augury.engine.corruptions.draws import Draws
from augury.engine.corruptions.resampling import zoomed

if TYPE_CHECKING:
    from jaxtyping import Float

TEXTURES, TEXTURE_SIZE = 5, 128  # of frost
_ICE = np.array([0.93, 1.0, 1.07], np.float32)
_WATER = np.array([175.0, 238.0, 238.0], np.float32) / 255.0
_MUD = np.array([63.0, 42.0, 20.0], np.float32) / 255.0


def snow(
    x: Float[np.ndarray, "n h w c"],
    draws: Draws,
    loc: float,
    scale: float,
    zoom: float,
    threshold: float,
    radius: int,
    sigma: float,
    mix: float,
) -> Float[np.ndarray, "n h w c"]:
    """Whitened, with flakes that fall at an angle, and the same flakes turned by 180 degrees."""
    flakes = zoomed(loc + scale * draws.normal(*x.shape[1:3], 1), zoom)
    flakes = np.clip(np.where(flakes < threshold, 0.0, flakes), 0.0, 1.0).astype(x.dtype)
    flakes = trails(flakes, draws.uniform(-135.0, -45.0), radius, sigma)
    white = np.maximum(x, grey(x) * 1.5 + 0.5)
    return mix * x + (1.0 - mix) * white + flakes + flakes[:, ::-1, ::-1]


def frost(
    x: Float[np.ndarray, "n h w c"], draws: Draws, image: float, ice: float
) -> Float[np.ndarray, "n h w c"]:
    """A sum of the image and a crop of a texture of ice.

    The published files use photographs; these textures are ridges of random fractals.
    """
    which = draws.integers(0, TEXTURES)
    height, width, channels = x.shape[1:]
    top = draws.integers(0, TEXTURE_SIZE - height + 1)
    left = draws.integers(0, TEXTURE_SIZE - width + 1)
    every = textures()
    lines = top[:, None, None] + np.arange(height)[:, None]
    places = left[:, None, None] + np.arange(width)
    crop = every[which[:, None, None], lines, places]
    return image * x + ice * tinted(crop, _ICE, channels)


@lru_cache(maxsize=1)
def textures() -> Float[np.ndarray, "textures size size"]:
    """Ridges where fractals cross their middle, in two grains; light on a grey ground."""
    ground, coarse, fine = (
        fractal(Draws.of(f"frost {grain}", 0, range(TEXTURES)), TEXTURE_SIZE, decay)
        for grain, decay in (("ground", 1.8), ("coarse", 1.5), ("fine", 1.25))
    )
    ridges = [np.maximum(0.0, 1.0 - 6.0 * np.abs(layer - 0.5)) for layer in (coarse, fine)]
    found = 0.25 + 0.35 * ground + 0.45 * ridges[0] + 0.25 * ridges[1]
    return np.clip(found, 0.0, 1.0).astype(np.float32)


def fog(
    x: Float[np.ndarray, "n h w c"], draws: Draws, amount: float, decay: float
) -> Float[np.ndarray, "n h w c"]:
    """A fractal cloud added, and all of it scaled back to the image's own brightest value."""
    height, width = x.shape[1:3]
    size = 1 << (max(height, width) - 1).bit_length()
    cloud = fractal(draws, size, decay)[:, :height, :width, None]
    brightest = x.max(axis=(1, 2, 3), keepdims=True)
    return (x + amount * cloud) * brightest / (brightest + amount)


def fractal(draws: Draws, size: int, decay: float) -> Float[np.ndarray, "n size size"]:
    """Diamond-square clouds in [0, 1] that continue over their edges; `size` is a power of two.

    At each halving of the step the uniform displacement shrinks by decay^2, as in the published
    files.
    """
    n = len(draws.streams)
    found = np.zeros((n, size, size), np.float32)
    step, height = size, 1.0
    while step >= 2:
        half, count = step // 2, size // step
        corner = found[:, ::step, ::step]
        moves = height * draws.uniform(-1.0, 1.0, 3, count, count)
        over = np.roll(corner, -1, 2)
        below = np.roll(corner, -1, 1)
        middle = (corner + over + below + np.roll(over, -1, 1)) / 4.0 + moves[:, 0]
        found[:, half::step, half::step] = middle
        found[:, ::step, half::step] = (
            corner + over + middle + np.roll(middle, 1, 1)
        ) / 4.0 + moves[:, 1]
        found[:, half::step, ::step] = (
            corner + below + middle + np.roll(middle, 1, 2)
        ) / 4.0 + moves[:, 2]
        step, height = half, height / decay**2
    found -= found.min(axis=(1, 2), keepdims=True)
    return found / found.max(axis=(1, 2), keepdims=True)


def brightness(
    x: Float[np.ndarray, "n h w c"], draws: Draws, added: float
) -> Float[np.ndarray, "n h w c"]:
    """The value of hue, saturation, value raised; at most 1."""
    return brightness_of(x, np.minimum(value(x) + added, 1.0))


def spatter(
    x: Float[np.ndarray, "n h w c"],
    draws: Draws,
    loc: float,
    scale: float,
    sigma: float,
    threshold: float,
    amount: float,
    kind: int,
) -> Float[np.ndarray, "n h w c"]:
    """Drops of water (kind 0), or of mud (1), where smoothed noise is above a threshold.

    Water is light at one side of a drop and dark at the other. The published files take the edges
    of drops from OpenCV; here light is the slope of the distance to the drop's edge.
    """
    liquid = loc + scale * draws.normal(*x.shape[1:3])
    liquid = gaussian_filter(liquid, (0.0, sigma, sigma), mode="nearest")
    if kind:
        mud = gaussian_filter((liquid > threshold).astype(x.dtype), (0.0, amount, amount))
        mud = np.where(mud < 0.8, 0.0, mud).astype(x.dtype)
        return x * (1.0 - mud[..., None]) + tinted(mud, _MUD, x.shape[3])
    liquid = np.where(liquid < threshold, 0.0, liquid)
    depth = np.stack([np.asarray(distance_transform_edt(drop > 0)) for drop in liquid])
    smooth = uniform_filter(np.minimum(depth, 20.0), 3, axes=(1, 2)).astype(x.dtype)
    slope = np.gradient(smooth, axis=1) + np.gradient(smooth, axis=2)
    light = liquid * np.clip(0.5 + slope, 0.0, 1.0)
    most = light.max(axis=(1, 2), keepdims=True)
    light = amount * np.divide(light, most, out=np.zeros_like(light), where=most > 0)
    return x + tinted(light, _WATER, x.shape[3])
