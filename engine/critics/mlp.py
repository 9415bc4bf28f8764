"""A plain rectifier network with the uniform initialisation that published results rest on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import jax

from augury.engine.randomness import uniform

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


class Linear(NamedTuple):
    """Weights and bias of one layer: x @ weight + bias."""

    weight: Float[Array, "fan_in fan_out"]
    bias: Float[Array, " fan_out"]


def init_mlp(
    key: PRNGKeyArray, input_dim: int, width: int, depth: int, output_dim: int
) -> tuple[Linear, ...]:
    """A first layer, `depth` layers between equals, and an output: depth + 1 rectifiers.

    Weights and biases are uniform on +-1/sqrt(fan_in), PyTorch's default for linear layers.
    """
    sizes = [input_dim, *[width] * (depth + 1), output_dim]
    shapes = list(zip(sizes[:-1], sizes[1:], strict=True))
    # One draw for all layers: a program with one is several times quicker to compile.
    draws = uniform(key, (sum((fan_in + 1) * fan_out for fan_in, fan_out in shapes),), 1.0)
    layers, start = [], 0
    for fan_in, fan_out in shapes:
        block = draws[start : start + (fan_in + 1) * fan_out].reshape(fan_in + 1, fan_out)
        scaled = block / math.sqrt(fan_in)
        layers.append(Linear(scaled[:-1], scaled[-1]))
        start += block.size
    return tuple(layers)


def apply_mlp(layers: Sequence[Linear], x: Float[Array, "rows dim"]) -> Float[Array, "rows out"]:
    """Rectifier after every layer but the last."""
    for weight, bias in layers[:-1]:
        x = jax.nn.relu(x @ weight + bias[None])
    return x @ layers[-1].weight + layers[-1].bias[None]
