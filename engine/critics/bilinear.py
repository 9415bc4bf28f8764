"""One matrix between x and y: no network, so only what is linear in both."""

from __future__ import annotations

from typing import TYPE_CHECKING

from augury.engine.critics.mlp import Linear, init_mlp

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.catalog.critic_config import CriticConfig


def init(key: PRNGKeyArray, x_dim: int, y_dim: int, config: CriticConfig) -> Linear:
    """Weights and bias of the map from y into the space of x."""
    (layer,) = init_mlp(key, y_dim, config.width, -1, x_dim, config.init)
    return layer


def scores(
    params: Linear, x: Float[Array, "pairs x_dim"], y: Float[Array, "pairs y_dim"]
) -> Float[Array, "pairs pairs"]:
    """x_i . (W y_j + b) at row i, column j."""
    return x @ (y @ params.weight + params.bias[None]).T
