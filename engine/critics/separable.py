"""Two networks and a dot product: K forward passes instead of K^2."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax

from augury.engine.critics.mlp import Linear, apply_mlp, init_mlp

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.catalog.critic_config import CriticConfig


class Towers(NamedTuple):
    """Layers of g, which sees x, and of h, which sees y."""

    g: tuple[Linear, ...]
    h: tuple[Linear, ...]


def init(key: PRNGKeyArray, x_dim: int, y_dim: int, config: CriticConfig) -> Towers:
    """Two networks of the same width and depth that end in `config.embed` numbers."""
    g_key, h_key = jax.random.split(key)
    return Towers(
        init_mlp(g_key, x_dim, config.width, config.depth, config.embed, config.init),
        init_mlp(h_key, y_dim, config.width, config.depth, config.embed, config.init),
    )


def scores(
    params: Towers, x: Float[Array, "pairs x_dim"], y: Float[Array, "pairs y_dim"]
) -> Float[Array, "pairs pairs"]:
    """h(y_i) . g(x_j) at row i, column j: as published, `infonce` then normalises over x."""
    return apply_mlp(params.h, y) @ apply_mlp(params.g, x).T
