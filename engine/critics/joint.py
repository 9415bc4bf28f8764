"""One network of the concatenated pair: the most expressive critic and the dearest."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.critics.mlp import Linear, apply_mlp, init_mlp

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.catalog.critic_config import CriticConfig


class Joint(NamedTuple):
    """The network's layers, the first one in the part that sees x and the part that sees y.

    As one array its slope would be put together from two at every step, and of long x and y that
    is most of the memory a step moves.
    """

    x_weight: Float[Array, "x_dim width"]
    y_weight: Float[Array, "y_dim width"]
    bias: Float[Array, " width"]
    rest: tuple[Linear, ...]


def init(key: PRNGKeyArray, x_dim: int, y_dim: int, config: CriticConfig) -> Joint:
    """Layers of f([x; y])."""
    size = x_dim + y_dim
    (weight, bias), *rest = init_mlp(key, size, config.width, config.depth, 1, config.init)
    return Joint(weight[:x_dim], weight[x_dim:], bias, tuple(rest))


def layers(params: Joint) -> tuple[Linear, ...]:
    """The network of the concatenation [x; y]."""
    weight = jnp.concatenate([params.x_weight, params.y_weight])
    return (Linear(weight, params.bias), *params.rest)


def scores(
    params: Joint, x: Float[Array, "pairs x_dim"], y: Float[Array, "pairs y_dim"]
) -> Float[Array, "pairs pairs"]:
    """f([x_i; y_j]) at row i, column j.

    The first layer is linear, so it is applied to the K rows of x and of y and added pair by
    pair: the same function without the K^2 x (x_dim + y_dim) matrix of concatenations.
    """
    hidden = (x @ params.x_weight)[:, None] + (y @ params.y_weight + params.bias[None])[None]
    values = apply_mlp(params.rest, jax.nn.relu(hidden).reshape(-1, hidden.shape[-1]))
    return values.reshape(x.shape[0], y.shape[0])
