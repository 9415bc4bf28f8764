"""Layers of encoders: random networks without biases, and convolutions."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax

from augury.engine.randomness import uniform

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

Weights = tuple["Float[Array, 'fan_in fan_out']", ...]


def draw(key: PRNGKeyArray, sizes: Sequence[int]) -> Weights:
    """Of a network with layers of `sizes`, as Glorot and Bengio 2010: variance 2 / (in + out)."""
    shapes = list(zip(sizes[:-1], sizes[1:], strict=True))
    return tuple(
        block * (6.0 / sum(shape)) ** 0.5
        for block, shape in zip(blocks(key, shapes), shapes, strict=True)
    )


def rectified(key: PRNGKeyArray, shapes: Sequence[tuple[int, ...]]) -> list[Array]:
    """Weights whose scale rectifiers keep (He et al. 2015): variance 2 / fan in; last axis: out."""
    return [
        block * (6.0 / math.prod(shape[:-1])) ** 0.5
        for block, shape in zip(blocks(key, shapes), shapes, strict=True)
    ]


def blocks(key: PRNGKeyArray, shapes: Sequence[tuple[int, ...]]) -> list[Array]:
    """Uniform draws from +-1. All are one draw: a program with one is far quicker to compile."""
    sizes = [math.prod(shape) for shape in shapes]
    numbers, start, found = uniform(key, (sum(sizes),), 1.0), 0, []
    for shape, size in zip(shapes, sizes, strict=True):
        found.append(numbers[start : start + size].reshape(shape))
        start += size
    return found


def convolved(
    x: Float[Array, "n h w c"], kernel: Float[Array, "p q c out"], stride: int = 1
) -> Float[Array, "n h/stride w/stride out"]:
    """Zeros beyond the border; sides are rounded up."""
    layout = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(
        x, kernel, (stride, stride), "SAME", dimension_numbers=layout
    )


def apply(
    weights: Weights, x: Float[Array, "n fan_in"], bend: Callable[[Any], Any]
) -> Float[Array, "n fan_out"]:
    """`bend` after every layer but the last."""
    for weight in weights[:-1]:
        x = bend(x @ weight)
    return x @ weights[-1]
