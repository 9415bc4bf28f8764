"""RealNVP (Dinh et al. 2017, arXiv:1605.08803): half of the pixels scale and shift the others.

Five couplings of random weights with two hidden layers each, tanh for scales and rectifiers for
shifts, as in the mutual-information benchmark; every other pixel stays, the others next time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.encoders import flow, layers

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


class Coupling(NamedTuple):
    """Two networks of the pixels that stay."""

    scale: layers.Weights
    shift: layers.Weights


def _init(key: PRNGKeyArray, size: int, place: int) -> Coupling:
    width = flow.hidden(size)
    sizes = (size, width, width, size)
    return Coupling(*(layers.draw(jax.random.fold_in(key, n), sizes) for n in (0, 1)))


def _told(
    params: Coupling, x: Float[Array, "n size"], place: int
) -> tuple[Float[Array, "n size"], Float[Array, "n size"]]:
    """The log of each pixel's scale, and its shift: zeros where it stays."""
    moves = (jnp.arange(x.shape[1]) + place) % 2
    seen = x * (1 - moves)
    log_scale = layers.apply(params.scale, seen, jnp.tanh)
    return log_scale * moves, layers.apply(params.shift, seen, jax.nn.relu) * moves


def _forward(
    params: Coupling, x: Float[Array, "n size"], place: int
) -> tuple[Float[Array, "n size"], Float[Array, " n"]]:
    log_scale, shift = _told(params, x, place)
    return x * jnp.exp(log_scale) + shift, log_scale.sum(1)


def _inverse(params: Coupling, z: Float[Array, "n size"], place: int) -> Float[Array, "n size"]:
    log_scale, shift = _told(params, z, place)  # what it is told by has not moved
    return (z - shift) * jnp.exp(-log_scale)


LAYER = flow.Layer(_init, _forward, _inverse)
