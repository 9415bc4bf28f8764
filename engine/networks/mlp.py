"""ReLU networks, many at once: the members' axis comes first, so a layer is one batched matmul."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

FirstBias: TypeAlias = Literal["zero", "truncated", "normal"]
Params: TypeAlias = "tuple[tuple[Float[Array, 'm i o'], Float[Array, 'm o']], ...]"


def init(
    key: PRNGKeyArray, sizes: Sequence[int], num_members: int, first_bias: FirstBias = "zero"
) -> Params:
    """Weights of `num_members` independent networks with layers of `sizes` (input to output).

    Weights: normal of deviation s = 1/sqrt(fan_in) cut at 2 s, hence of true deviation .88 s, as
    published. Biases are zero, but the first layer's may be normal with deviation
    1/sqrt(input_dim), cut at two deviations ("truncated") or not ("normal").
    """
    layers = []
    for number, (fan_in, fan_out) in enumerate(zip(sizes[:-1], sizes[1:], strict=True)):
        weight_key, bias_key = jax.random.split(jax.random.fold_in(key, number))
        scale = fan_in**-0.5
        weight = scale * jax.random.truncated_normal(
            weight_key, -2.0, 2.0, (num_members, fan_in, fan_out), jnp.float32
        )
        shape = (num_members, fan_out)
        if number > 0 or first_bias == "zero":
            bias = jnp.zeros(shape, jnp.float32)
        elif first_bias == "truncated":
            bias = scale * jax.random.truncated_normal(bias_key, -2.0, 2.0, shape, jnp.float32)
        else:
            bias = scale * jax.random.normal(bias_key, shape, jnp.float32)
        layers.append((weight, bias))
    return tuple(layers)


def apply(params: Params, x: Float[Array, "data dim"]) -> Float[Array, "member data out"]:
    """Outputs of every member at every row."""
    (weight, bias), *rest = params
    hidden = jnp.einsum("nd,mdo->mno", x, weight) + bias[:, None, :]
    for weight, bias in rest:
        hidden = jnp.maximum(hidden, 0.0) @ weight + bias[:, None, :]
    return hidden
