"""Masked autoregressive flow (Papamakarios et al. 2017, arXiv:1705.07057).

Every number is shifted and scaled by a network of those before it; then their order is reversed.
Five random layers of two hidden ones with rectifiers, as in the mutual-information benchmark. There
and in one pass; back number by number.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.encoders import flow, layers

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


def _init(key: PRNGKeyArray, size: int, place: int) -> layers.Weights:
    width = flow.hidden(size)
    weights = layers.draw(key, (size, width, width, 2 * size))
    return tuple(w * mask for w, mask in zip(weights, masks(size, width), strict=True))


def masks(size: int, width: int) -> list[Float[np.ndarray, "fan_in fan_out"]]:
    """Which weights of the three layers stay: no number is told of itself or of a later one.

    Germain et al. 2015, arXiv:1502.03509. Degrees of hidden units are spread evenly: in turn, as
    published, few units would be told of the first pixels of an image only.
    """
    inputs, units = np.arange(size), np.arange(width) * max(size - 1, 1) // width
    outputs = np.tile(inputs, 2) - 1
    steps = ((inputs, units), (units, units), (units, outputs))
    return [(after[None] >= before[:, None]).astype(np.float32) for before, after in steps]


def _told(
    params: layers.Weights, x: Float[Array, "n size"]
) -> tuple[Float[Array, "n size"], Float[Array, "n size"]]:
    shift, log_scale = jnp.split(layers.apply(params, x, jax.nn.relu), 2, axis=1)
    return shift, log_scale


def _forward(
    params: layers.Weights, x: Float[Array, "n size"], place: int
) -> tuple[Float[Array, "n size"], Float[Array, " n"]]:
    shift, log_scale = _told(params, x)
    return ((x - shift) * jnp.exp(-log_scale))[:, ::-1], -log_scale.sum(1)


def _inverse(
    params: layers.Weights, z: Float[Array, "n size"], place: int
) -> Float[Array, "n size"]:
    z = z[:, ::-1]

    def next_number(at: Array, x: Float[Array, "n size"]) -> Float[Array, "n size"]:
        shift, log_scale = _told(params, x)  # of the numbers before `at`, which are found
        found = z[:, at] * jnp.exp(log_scale[:, at]) + shift[:, at]
        return x.at[:, at].set(found)

    return jax.lax.fori_loop(0, z.shape[1], next_number, jnp.zeros_like(z))


LAYER = flow.Layer(_init, _forward, _inverse)
