"""Cross entropy of many members, and weight decay as a sum of squares."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int


def cross_entropy(
    logits: Float[Array, "member classes data"],
    y: Int[Array, " data"],
    weights: Float[Array, "member data"] | None = None,
) -> Float[Array, " member"]:
    """Mean over rows of -log softmax(logits)[y], times `weights`, for each member. Rows last."""
    here = jax.nn.one_hot(y, logits.shape[1], dtype=bool, axis=0)[None]
    chosen = jnp.where(here, logits, 0.0).sum(1)
    each = jax.nn.logsumexp(logits, axis=1) - chosen
    return (each if weights is None else weights * each).mean(-1)


def sum_of_squares(params: Any) -> Float[Array, ""]:
    """Over all parameters, biases included; no factor of one half."""
    return sum((jnp.sum(leaf * leaf) for leaf in jax.tree.leaves(params)), jnp.float32(0.0))


def decay_scale(
    weight_decay: Float[Array, ""],
    num_train: Float[Array, ""],
    temperature: Float[Array, ""],
    input_dim: int,
    adaptive: bool,
) -> Float[Array, ""]:
    """Factor of the sum of squares: l2/n, times sqrt(temperature) * input_dim if adaptive."""
    scale = weight_decay / num_train
    return scale * jnp.sqrt(temperature) * input_dim if adaptive else scale
