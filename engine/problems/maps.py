"""One-to-one maps of x and of y: they change what a critic sees, not what the two share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np
from scipy.special import ndtr

if TYPE_CHECKING:
    from jaxtyping import Array, Float

_GRID = np.linspace(-6.0, 6.0, 8_193)  # normal scores between which quantiles are interpolated
_HALVINGS = 80


class Map(NamedTuple):
    """A function of the rows of x and one of those of y, and the columns that each adds."""

    x: Callable[..., Any]
    y: Callable[..., Any]
    added: tuple[int, int] = (0, 0)


def _half_cube(x: Float[Array, "rows dim"]) -> Float[Array, "rows dim"]:
    return x * jnp.sqrt(jnp.abs(x))


def _wiggly_x(x: Float[Array, "rows dim"]) -> Float[Array, "rows dim"]:
    waves = 0.4 * jnp.sin(x) + 0.2 * jnp.sin(1.7 * x + 1) + 0.03 * jnp.sin(3.3 * x - 2.5)
    return x + waves


def _wiggly_y(y: Float[Array, "rows dim"]) -> Float[Array, "rows dim"]:
    waves = -0.4 * jnp.sin(0.4 * y) + 0.17 * jnp.sin(1.3 * y + 3.5) + 0.02 * jnp.sin(4.3 * y - 2.5)
    return y + waves


def _swissroll(x: Float[Array, "rows 1"]) -> Float[Array, "rows 2"]:
    turn = 1.5 * math.pi * (1 + 2 * x)
    return turn * jnp.concatenate([jnp.cos(turn), jnp.sin(turn)], axis=1) / 21


def _same(values: Float[Array, "rows dim"]) -> Float[Array, "rows dim"]:
    return values


def _spiral(first: int) -> Callable[..., Any]:
    """Turns coordinates `first` and the next by an angle of |x|^2 / dim: the norm stays."""

    def turn(x: Float[Array, "rows dim"]) -> Float[Array, "rows dim"]:
        angle = jnp.sum(x**2, axis=1) / x.shape[1]
        cosine, sine = jnp.cos(angle), jnp.sin(angle)
        one, other = x[:, first], x[:, first + 1]
        x = x.at[:, first].set(cosine * one - sine * other)
        return x.at[:, first + 1].set(sine * one + cosine * other)

    return turn


def _mixture_scores(
    weights: tuple[float, ...], means: tuple[float, ...]
) -> Callable[[Float[Array, "rows dim"]], Float[Array, "rows dim"]]:
    """Standard normal values to those of a mixture of unit normals with the same quantiles."""
    low, high = np.full_like(_GRID, -20.0), np.full_like(_GRID, 20.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        above = sum(w * ndtr(m - middle) for w, m in zip(weights, means, strict=True))
        too_low = above > ndtr(-_GRID)
        low, high = np.where(too_low, middle, low), np.where(too_low, high, middle)
    table = jnp.asarray((low + high) / 2, jnp.float32)
    return lambda x: jnp.interp(x, jnp.asarray(_GRID, jnp.float32), table)


def _bimodal(weights: tuple[float, ...], means: tuple[float, ...]) -> Callable[..., Any]:
    return lambda x: _mixture_scores(weights, means)(x)  # the table is made where it is needed


MAPS: Mapping[str, Map] = {
    "normal_cdf": Map(jax.scipy.special.ndtr, jax.scipy.special.ndtr),
    "half_cube": Map(_half_cube, _half_cube),
    "asinh": Map(jnp.arcsinh, jnp.arcsinh),
    "wiggly": Map(_wiggly_x, _wiggly_y),
    "bimodal": Map(_bimodal((0.3, 0.7), (0.0, 5.0)), _bimodal((0.5, 0.5), (-1.0, 3.0))),
    "swissroll_x": Map(_swissroll, _same, (1, 0)),
    "spiral": Map(_spiral(0), _spiral(1)),
}
