"""What a critic is trained on: a law of pairs that can be drawn, and what is known of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Array, Float


class Pairs(NamedTuple):
    """Draws of (x, y) and of what they were made from."""

    x: Float[Array, "pairs x_dim"]
    y: Float[Array, "pairs y_dim"]
    hidden: tuple[Any, Any]  # of x and of y, pairs first: what the density ratio is a function of


@dataclass(frozen=True, slots=True)
class Source:
    """A law of pairs as pure functions of one traced number or vector for each stage."""

    x_dim: int
    y_dim: int
    sample: Callable[..., Pairs]  # (key, level, num_pairs, items) -> Pairs
    # (hidden of x, hidden of y, level) -> log of p(x_i, y_j) / (p(x_i) p(y_j)) at row i, column j
    log_ratio: Callable[..., Any]


class Truth(NamedTuple):
    """The stages of a problem: what is traced, and how much x and y share."""

    levels: np.ndarray  # [stages, ...] float32
    bits: tuple[float, ...]
