"""All weights of a network as one vector, and back."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import jax

if TYPE_CHECKING:
    from jaxtyping import Array, Float

    from augury.engine.networks.mlp import Params


def leaf_shapes(sizes: Sequence[int]) -> list[tuple[tuple[int, int], tuple[int]]]:
    """Shapes (weight, bias) of each layer of a network with layers of `sizes`."""
    return [((fan_out, fan_in), (fan_out,)) for fan_in, fan_out in pairwise(sizes)]


def count(sizes: Sequence[int]) -> int:
    """Numbers in a network."""
    return sum(math.prod(shape) for layer in leaf_shapes(sizes) for shape in layer)


def unflatten(flat: Float[Array, "m p"], sizes: Sequence[int]) -> Params:
    """Vectors of `count(sizes)` numbers as the layers of as many networks."""
    layers, start = [], 0
    for layer in leaf_shapes(sizes):
        leaves = []
        for shape in layer:
            end = start + math.prod(shape)
            leaves.append(flat[:, start:end].reshape(-1, *shape))
            start = end
        layers.append(tuple(leaves))
    return tuple(layers)


@jax.custom_vjp
def perturbed(
    mean: Float[Array, "1 ..."], deviation: Float[Array, "1 ..."], z: Float[Array, "m ..."]
) -> Float[Array, "m ..."]:
    """Mean + deviation * z. Nothing flows back to z.

    Its slope adds up samples term by term: on CPU a reduction of the first axis runs through
    memory with a stride, one number at a time.
    """
    return mean + deviation * z


def _forward(mean: Any, deviation: Any, z: Any) -> Any:
    return perturbed(mean, deviation, z), z


def _backward(z: Any, slope: Any) -> Any:
    each = [slope[m : m + 1] for m in range(slope.shape[0])]
    of_deviation = [part * z[m : m + 1] for m, part in enumerate(each)]
    return sum(each[1:], each[0]), sum(of_deviation[1:], of_deviation[0]), None


perturbed.defvjp(_forward, _backward)
