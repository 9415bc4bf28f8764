"""Layers that can be undone, one after another, each followed by a fixed standardisation.

Published flows normalise by the batch that they see; then what an image becomes depends on its
neighbours, and is no function of it. Here the moments are those of one set of images, taken once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.encoders.shape import Shape

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

NUM_LAYERS = 5
# Added to a variance. Levels are of 0 to 1: a pixel that is almost always dark is not blown up.
EPSILON = 1e-2


class Layer(NamedTuple):
    """A map of rows onto rows of the same size, and back."""

    init: Callable[[PRNGKeyArray, int, int], Any]  # (key, size, place of the layer) -> params
    forward: Callable[[Any, Any, int], tuple[Any, Any]]  # (params, x, place) -> (z, log |det|)
    inverse: Callable[[Any, Any, int], Any]  # (params, z, place) -> x


class Moments(NamedTuple):
    """Of each number of a row."""

    mean: Float[Array, " size"]
    scale: Float[Array, " size"]


class Params(NamedTuple):
    """Of each layer."""

    layers: tuple[Any, ...]
    moments: tuple[Moments, ...]


def hidden(size: int) -> int:
    """Hidden units: the published 512 of 4,096 pixels, fewer of smaller images."""
    return max(8, min(512, size // 8))


def fit(layer: Layer, key: PRNGKeyArray, images: Float[Array, "n size"], shape: Shape) -> Params:
    """Random layers, and the moments that `images` have behind each of them."""
    params, moments = [], []
    for place in range(NUM_LAYERS):
        mine = layer.init(jax.random.fold_in(key, place), shape.size, place)
        images = layer.forward(mine, images, place)[0]
        seen = Moments(images.mean(0), jnp.sqrt(images.var(0) + EPSILON))
        images = (images - seen.mean) / seen.scale
        params.append(mine)
        moments.append(seen)
    return Params(tuple(params), tuple(moments))


def forward(
    layer: Layer, params: Params, x: Float[Array, "n size"]
) -> tuple[Float[Array, "n size"], Float[Array, " n"]]:
    """What images become, and log |det| of the map's derivative at each."""
    volume = jnp.zeros(len(x))
    for place, (mine, seen) in enumerate(_both(params)):
        x, more = layer.forward(mine, x, place)
        x = (x - seen.mean) / seen.scale
        volume = volume + more - jnp.log(seen.scale).sum()
    return x, volume


def inverse(layer: Layer, params: Params, z: Float[Array, "n size"]) -> Float[Array, "n size"]:
    """The images."""
    for place, (mine, seen) in reversed(list(enumerate(_both(params)))):
        z = layer.inverse(mine, z * seen.scale + seen.mean, place)
    return z


def _both(params: Params) -> Sequence[tuple[Any, Moments]]:
    return list(zip(params.layers, params.moments, strict=True))
