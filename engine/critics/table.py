"""The critics by name: how each is initialised and how it scores a batch of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from augury.engine.critics import joint, separable


class Critic(NamedTuple):
    """Two pure functions over the critic's parameters."""

    init: Callable[..., Any]  # (key, x_dim, y_dim, config) -> params
    scores: Callable[..., Any]  # (params, x, y) -> Float[Array, "pairs pairs"]


CRITICS: Mapping[str, Critic] = {
    "joint": Critic(joint.init, joint.scores),
    "separable": Critic(separable.init, separable.scores),
}
