"""Noise: of sensors, of counts, of broken pixels, and in proportion to light."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float

    from augury.engine.corruptions.draws import Draws


def gaussian_noise(
    x: Float[np.ndarray, "n h w c"], draws: Draws, deviation: float
) -> Float[np.ndarray, "n h w c"]:
    """Normal noise on every value."""
    return x + deviation * draws.normal(*x.shape[1:])


def shot_noise(
    x: Float[np.ndarray, "n h w c"], draws: Draws, photons: float
) -> Float[np.ndarray, "n h w c"]:
    """Poisson counts, `photons` of them at full light."""
    return draws.poisson(x * photons) / photons


def impulse_noise(
    x: Float[np.ndarray, "n h w c"], draws: Draws, amount: float
) -> Float[np.ndarray, "n h w c"]:
    """A share of the values becomes 0 or 1, each as likely, channels on their own."""
    broken = draws.uniform(0.0, 1.0, *x.shape[1:]) < amount
    bright = draws.uniform(0.0, 1.0, *x.shape[1:]) < 0.5
    return np.where(broken, bright.astype(x.dtype), x)


def speckle_noise(
    x: Float[np.ndarray, "n h w c"], draws: Draws, deviation: float
) -> Float[np.ndarray, "n h w c"]:
    """Normal noise in proportion to the value."""
    return x + x * (deviation * draws.normal(*x.shape[1:]))
