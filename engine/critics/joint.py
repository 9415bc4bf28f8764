"""One network of the concatenated pair: the most expressive critic and the dearest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax

from augury.engine.critics.mlp import Linear, apply_mlp, init_mlp

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.catalog.estimators import CriticConfig


def init(key: PRNGKeyArray, x_dim: int, y_dim: int, config: CriticConfig) -> tuple[Linear, ...]:
    """Layers of f([x; y])."""
    return init_mlp(key, x_dim + y_dim, config.width, config.depth, 1)


def scores(
    params: tuple[Linear, ...], x: Float[Array, "pairs x_dim"], y: Float[Array, "pairs y_dim"]
) -> Float[Array, "pairs pairs"]:
    """f([x_i; y_j]) at row i, column j.

    The first layer is linear, so it is applied to the K rows of x and of y and added pair by
    pair: the same function without the K^2 x (x_dim + y_dim) matrix of concatenations.
    """
    (weight, bias), *rest = params
    x_dim, width = x.shape[1], weight.shape[1]
    hidden = (x @ weight[:x_dim])[:, None] + (y @ weight[x_dim:] + bias[None])[None]
    values = apply_mlp(rest, jax.nn.relu(hidden).reshape(-1, width))
    return values.reshape(x.shape[0], y.shape[0])
