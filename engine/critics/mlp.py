"""A plain rectifier network with the uniform initialisation that published results rest on."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import jax

from augury.engine.randomness import uniform

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray


class Linear(NamedTuple):
    """Weights and bias of one layer: x @ weight + bias."""

    weight: Float[Array, "fan_in fan_out"]
    bias: Float[Array, " fan_out"]


class Limits(NamedTuple):
    """Ends of the uniform draws of a layer."""

    weight: float
    bias: float


def limits(init: str, fan_in: int, fan_out: int) -> Limits:
    """How far initial weights and biases go.

    torch: both to 1/sqrt(fan_in), PyTorch's default for linear layers, as in published results.
    he (2015): variance 2/fan_in, kept by rectifiers. glorot (2010): 2/(fan_in + fan_out). The two
    have no bias.
    """
    found: Mapping[str, Limits] = {
        "torch": Limits(1 / math.sqrt(fan_in), 1 / math.sqrt(fan_in)),
        "he": Limits(math.sqrt(6 / fan_in), 0.0),
        "glorot": Limits(math.sqrt(6 / (fan_in + fan_out)), 0.0),
    }
    return found[init]


def init_mlp(
    key: PRNGKeyArray,
    input_dim: int,
    width: int,
    depth: int,
    output_dim: int,
    init: str = "torch",
) -> tuple[Linear, ...]:
    """A first layer, `depth` layers between equals, and an output: depth + 1 rectifiers.

    Depth -1 is a single linear layer.
    """
    sizes = [input_dim, *[width] * (depth + 1), output_dim]
    shapes = list(zip(sizes[:-1], sizes[1:], strict=True))
    # One draw for all layers: a program with one is several times quicker to compile.
    draws = uniform(key, (sum((fan_in + 1) * fan_out for fan_in, fan_out in shapes),), 1.0)
    layers, start = [], 0
    for fan_in, fan_out in shapes:
        block = draws[start : start + (fan_in + 1) * fan_out].reshape(fan_in + 1, fan_out)
        ends = limits(init, fan_in, fan_out)
        layers.append(Linear(block[:-1] * ends.weight, block[-1] * ends.bias))
        start += block.size
    return tuple(layers)


def apply_mlp(layers: Sequence[Linear], x: Float[Array, "rows dim"]) -> Float[Array, "rows out"]:
    """Rectifier after every layer but the last."""
    for weight, bias in layers[:-1]:
        x = jax.nn.relu(x @ weight + bias[None])
    return x @ layers[-1].weight + layers[-1].bias[None]
