"""Colour of images with three channels; images with one are grey."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float

_LUMA = np.array([0.299, 0.587, 0.114], np.float32)  # ITU-R BT.601


def grey(x: Float[np.ndarray, "n h w c"]) -> Float[np.ndarray, "n h w 1"]:
    """Luminance."""
    return x if x.shape[3] == 1 else (x @ _LUMA)[..., None]


def value(x: Float[np.ndarray, "n h w c"]) -> Float[np.ndarray, "n h w 1"]:
    """The largest channel: V of hue, saturation, value."""
    return x.max(axis=3, keepdims=True)


def brightness_of(
    x: Float[np.ndarray, "n h w c"], wanted: Float[np.ndarray, "n h w 1"]
) -> Float[np.ndarray, "n h w c"]:
    """The same hue and saturation at another value; black becomes grey."""
    old = value(x)
    return np.where(old > 0, x * (wanted / np.where(old > 0, old, 1.0)), wanted)


def tinted(
    light: Float[np.ndarray, "n h w"], tint: Float[np.ndarray, " 3"], channels: int
) -> Float[np.ndarray, "n h w c"]:
    """Light of one colour; of its luminance where there is one channel."""
    return light[..., None] * (tint if channels == 3 else (tint @ _LUMA)[None])


def saturated(
    x: Float[np.ndarray, "n h w c"], factor: float, added: float
) -> Float[np.ndarray, "n h w c"]:
    """Saturation of three channels times a factor, plus a number; at the same hue and value."""
    top, low = value(x), x.min(axis=3, keepdims=True)
    old = (top - low) / np.where(top > 0, top, 1.0)
    new = np.clip(old * factor + added, 0.0, 1.0)
    # What is grey has no hue: counted as red, as usual.
    red = top * (1.0 - new * np.array([0.0, 1.0, 1.0], x.dtype))
    return np.where(old > 0, top - (top - x) * (new / np.where(old > 0, old, 1.0)), red)
