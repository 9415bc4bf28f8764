"""Networks whose weights are linear in an index: no weight of a first layer is ever generated.

An index z of m numbers gives a layer the weights sum_i z_i W_i + W_m. A first layer's outputs are
then as linear in z, so each W_i meets the rows once, for all indices together.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import jax
import jax.numpy as jnp

from augury.engine.networks.groups import in_groups
from augury.engine.networks.mlp import dense, rectified
from augury.engine.networks.weights import leaf_shapes
from augury.engine.randomness import normal

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

Layers: TypeAlias = "tuple[tuple[Float[Array, 'k o i'], Float[Array, 'k o']], ...]"
CUT = 0.87962566103423978  # deviation of a standard normal cut at 2


def init(key: PRNGKeyArray, sizes: Sequence[int], index_dim: int) -> Layers:
    """Maps from an index, with a constant, to networks with layers of `sizes`.

    Each leaf of n numbers has a map of its own: its matrix [index_dim, n] is of deviation
    sqrt(2 / (index_dim + n)), its constant of deviation sqrt(1 / n); both are normal, cut at two
    deviations before they are scaled to those.
    """
    shapes = [shape for layer in leaf_shapes(sizes) for shape in layer]
    total = sum((index_dim + 1) * math.prod(shape) for shape in shapes)
    drawn, start, leaves = jax.random.truncated_normal(key, -2.0, 2.0, (total,)) / CUT, 0, []
    for shape in shapes:
        n = math.prod(shape)
        part = drawn[start : start + (index_dim + 1) * n].reshape(index_dim + 1, *shape)
        start += part.size
        matrix, constant = math.sqrt(2.0 / (index_dim + n)), math.sqrt(1.0 / n)
        leaves.append(jnp.concatenate([part[:-1] * matrix, part[-1:] * constant]))
    return tuple(zip(leaves[::2], leaves[1::2], strict=True))


def scaled(layers: Layers) -> Layers:
    """Weights over the root of their fan-in."""
    return tuple((weight * weight.shape[-1] ** -0.5, bias) for weight, bias in layers)


def init_prior(key: PRNGKeyArray, sizes: Sequence[int], index_dim: int) -> Layers:
    """A fixed network whose every number is a random unit vector times its layer's part of z.

    Later layers divide their weights by the root of their fan-in, the first does not, as
    published. See `parts` for which numbers of z a layer has.
    """
    layers = []
    chunks = parts(index_dim, len(sizes) - 1)
    for number, (shapes, chunk) in enumerate(zip(leaf_shapes(sizes), chunks, strict=True)):
        here = []
        for shape in shapes:
            key, own = jax.random.split(key)
            drawn = normal(own, (chunk.stop - chunk.start, *shape))
            here.append(drawn / jnp.linalg.norm(drawn, axis=0, keepdims=True))
        weight, bias = here
        layers.append((weight * weight.shape[-1] ** -0.5 if number else weight, bias))
    return tuple(layers)


def parts(index_dim: int, num_layers: int) -> list[slice]:
    """Which numbers of the index each layer of a prior network has: its own, or all if too few."""
    if index_dim < num_layers:
        return [slice(0, index_dim)] * num_layers
    small, larger = divmod(index_dim, num_layers)
    ends = [small * (n + 1) + min(n + 1, larger) for n in range(num_layers)]
    return [slice(end, after) for end, after in zip([0, *ends], ends, strict=False)]


def columns(
    layers: Layers, indices: Sequence[Float[Array, "m k"]], x: Float[Array, "data dim"]
) -> Float[Array, "m out data"]:
    """Outputs of the networks of m indices at every row, rows last; each layer has its indices."""
    (weight, bias), *rest = layers
    features = dense(weight.reshape(1, -1, weight.shape[2]), bias.reshape(1, -1), x.T)
    features = features.reshape(*bias.shape, -1)

    def some(indices: Sequence[Float[Array, "m k"]]) -> Float[Array, "m out data"]:
        hidden = jnp.tensordot(indices[0], features, 1)
        if not rest:
            return hidden
        hidden = jax.nn.relu(hidden)
        for number, ((weight, bias), index) in enumerate(zip(rest, indices[1:], strict=True), 1):
            layer = dense if number == len(rest) else rectified
            hidden = layer(jnp.tensordot(index, weight, 1), jnp.tensordot(index, bias, 1), hidden)
        return hidden

    return in_groups(some, list(indices))


def with_constant(z: Float[Array, "m k"]) -> Float[Array, "m k+1"]:
    """Indices followed by a one, which picks the constant."""
    return jnp.concatenate([z, jnp.ones((z.shape[0], 1), z.dtype)], 1)
