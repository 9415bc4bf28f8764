"""A plain rectifier network with the uniform initialisation that published results rest on."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import jax

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


class Linear(NamedTuple):
    """Weights and bias of one layer: x @ weight + bias."""

    weight: Float[Array, "fan_in fan_out"]
    bias: Float[Array, " fan_out"]


def init_linear(key: PRNGKeyArray, fan_in: int, fan_out: int) -> Linear:
    """Weights and bias uniform on +-1/sqrt(fan_in), PyTorch's default for a linear layer."""
    limit = 1.0 / math.sqrt(fan_in)
    weight_key, bias_key = jax.random.split(key)
    return Linear(
        jax.random.uniform(weight_key, (fan_in, fan_out), minval=-limit, maxval=limit),
        jax.random.uniform(bias_key, (fan_out,), minval=-limit, maxval=limit),
    )


def init_mlp(
    key: PRNGKeyArray, input_dim: int, width: int, depth: int, output_dim: int
) -> tuple[Linear, ...]:
    """A first layer, `depth` layers between equals, and an output: depth + 1 rectifiers."""
    sizes = [input_dim, *[width] * (depth + 1), output_dim]
    keys = jax.random.split(key, len(sizes) - 1)
    shapes = zip(keys, sizes[:-1], sizes[1:], strict=True)
    return tuple(init_linear(k, fan_in, fan_out) for k, fan_in, fan_out in shapes)


def apply_mlp(layers: Sequence[Linear], x: Float[Array, "rows dim"]) -> Float[Array, "rows out"]:
    """Rectifier after every layer but the last."""
    for weight, bias in layers[:-1]:
        x = jax.nn.relu(x @ weight + bias[None])
    return x @ layers[-1].weight + layers[-1].bias[None]
