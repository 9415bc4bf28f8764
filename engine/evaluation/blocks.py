"""Logits of many samples at many test batches, a few batches at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from augury.engine.metrics.at_least import at_least
from augury.engine.metrics.mixtures import LOWEST

if TYPE_CHECKING:
    from jaxtyping import Array, Float

Logits = Callable[[Any], Any]  # rows [n, dim] -> [samples, classes, n]
BLOCK_VALUES = 10_000  # samples x rows in flight: bounds memory, keeps a layer in cache
LEAST_ROWS = 200  # in a block: fewer make poor matrix products


def over_blocks(
    logits: Logits,
    x: Float[Array, "batch width dim"],
    parts: Any,
    num_samples: int,
    score: Callable[[Any, Any], Any],
) -> Any:
    """`score(log_p [samples, classes, b, width], parts of b batches)` for all batches.

    `parts` and what `score` returns have leaves that count batches first. Log-probabilities are
    `LOWEST` where they are -inf.
    """
    total, width = x.shape[:2]
    rows = max(BLOCK_VALUES // num_samples, LEAST_ROWS)
    size = max(1, min(rows // width, total))
    blocks = -(-total // size)

    def cut(leaf: Any) -> Any:
        extra = jnp.repeat(leaf[:1], blocks * size - total, 0)
        return jnp.concatenate([leaf, extra]).reshape(blocks, size, *leaf.shape[1:])

    def block(part: tuple[Any, Any]) -> Any:
        flat = part[0].reshape(size * width, -1)
        values = logits(flat) if len(flat) <= rows or size > 1 else _in_pieces(logits, flat, rows)
        log_p = at_least(jax.nn.log_softmax(values, axis=1), LOWEST)
        return score(log_p.reshape(*values.shape[:2], size, width), part[1])

    scored = jax.lax.map(block, jax.tree.map(cut, (x, parts)))
    return jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:])[:total], scored)


def _in_pieces(logits: Logits, flat: Any, rows: int) -> Any:
    """Logits of one wide batch: hidden layers of all its rows need not exist at once."""
    count = len(flat)
    pieces = -(-count // rows)
    padded = jnp.concatenate([flat, jnp.zeros((pieces * rows - count, flat.shape[1]))])
    values = jax.lax.map(logits, padded.reshape(pieces, rows, -1))  # [piece, m, classes, rows]
    return jnp.moveaxis(values, 0, 2).reshape(*values.shape[1:3], -1)[..., :count]
