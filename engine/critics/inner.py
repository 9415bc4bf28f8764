"""The dot product of x and y: no parameter at all, for representations that are critics already."""

from __future__ import annotations

from typing import TYPE_CHECKING

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

    from augury.engine.catalog.critic_config import CriticConfig


def init(key: PRNGKeyArray, x_dim: int, y_dim: int, config: CriticConfig) -> tuple[()]:
    """Nothing to learn. Raises `UsageError` where x and y have no dot product."""
    if x_dim != y_dim:
        raise UsageError(f"the critic inner needs x and y of one size, not {x_dim} and {y_dim}.")
    return ()


def scores(
    params: tuple[()], x: Float[Array, "pairs dim"], y: Float[Array, "pairs dim"]
) -> Float[Array, "pairs pairs"]:
    """x_i . y_j at row i, column j."""
    return x @ y.T
