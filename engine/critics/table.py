"""The critics by name: how each is initialised and how it scores a batch of pairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from augury.engine.critics import bilinear, inner, joint, separable


class Critic(NamedTuple):
    """Two pure functions over the critic's parameters."""

    init: Callable[..., Any]  # (key, x_dim, y_dim, config) -> params
    scores: Callable[..., Any]  # (params, x, y) -> Float[Array, "pairs pairs"]
    rows: Literal["x", "y"] = "x"  # what row i of the scores belongs to


CRITICS: Mapping[str, Critic] = {
    "joint": Critic(joint.init, joint.scores),
    "separable": Critic(separable.init, separable.scores, "y"),
    "bilinear": Critic(bilinear.init, bilinear.scores),
    "inner": Critic(inner.init, inner.scores),
}
