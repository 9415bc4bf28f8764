"""ReLU networks, many at once: the members' axis comes first, so a layer is one batched matmul."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import jax
import jax.numpy as jnp

from augury.engine.metrics.at_least import at_least
from augury.engine.randomness import normal

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

FirstBias: TypeAlias = Literal["zero", "truncated", "normal"]
Params: TypeAlias = "tuple[tuple[Float[Array, 'm o i'], Float[Array, 'm o']], ...]"


def init(
    key: PRNGKeyArray, sizes: Sequence[int], num_members: int, first_bias: FirstBias = "zero"
) -> Params:
    """Weights of `num_members` independent networks with layers of `sizes` (input to output).

    Weights: normal of deviation s = 1/sqrt(fan_in) cut at 2 s, hence of true deviation .88 s, as
    published. Biases are zero, but the first layer's may be normal with deviation
    1/sqrt(input_dim), cut at two deviations ("truncated") or not ("normal").
    """
    shapes = [(fan_out, fan_in) for fan_in, fan_out in zip(sizes[:-1], sizes[1:], strict=True)]
    ends = list(accumulate(fan_out * fan_in for fan_out, fan_in in shapes))
    weight_key, bias_key = jax.random.split(key)
    extra = sizes[1] if first_bias == "truncated" else 0
    # One flat draw for all layers: draws are slow to compile, the more so with several axes.
    drawn = jax.random.truncated_normal(weight_key, -2.0, 2.0, (num_members * (ends[-1] + extra),))
    drawn = drawn.reshape(num_members, -1)
    bias = jnp.zeros((num_members, sizes[1]))
    if first_bias == "truncated":
        bias = drawn[:, ends[-1] :] * sizes[0] ** -0.5
    elif first_bias == "normal":
        bias = normal(bias_key, (num_members, sizes[1])) * sizes[0] ** -0.5
    layers = []
    for end, shape in zip(ends, shapes, strict=True):
        part = drawn[:, end - shape[0] * shape[1] : end]
        weight = part.reshape(num_members, *shape) * shape[1] ** -0.5
        layers.append((weight, jnp.zeros((num_members, shape[0])) if layers else bias))
    return tuple(layers)


def apply(params: Params, x: Float[Array, "data dim"]) -> Float[Array, "member data out"]:
    """Outputs of every member at every row."""
    return jnp.swapaxes(columns(params, x), 1, 2)


def columns(params: Params, x: Float[Array, "data dim"]) -> Float[Array, "member out data"]:
    """As `apply`, rows last: a vector register then holds rows, whatever the widths are."""
    *body, head = params
    return dense(*head, hidden(tuple(body), x))


def hidden(body: Params, x: Float[Array, "data dim"]) -> Any:
    """What the last layer reads: [member, width, data], or [dim, data] without hidden layers."""
    values: Any = x.T
    for weight, bias in body:
        values = rectified(weight, bias, values)
    return values


@jax.custom_vjp
def dense(
    weight: Float[Array, "m o i"], bias: Float[Array, "m o"], x: Float[Array, "*m i n"]
) -> Float[Array, "m o n"]:
    """Affine map of each member: weight @ x + bias. Without an axis of members, x is shared."""
    return _product(weight, x) + bias[:, :, None]


def _forward(weight: Any, bias: Any, x: Any) -> Any:
    return dense(weight, bias, x), (weight, x)


def _backward(kept: Any, slope: Any) -> Any:
    weight, x = kept
    return _outer(slope, x), slope.sum(2), _pulled(weight, slope, shared=x.ndim == 2)


dense.defvjp(_forward, _backward)


@jax.custom_vjp
def rectified(
    weight: Float[Array, "m o i"], bias: Float[Array, "m o"], x: Float[Array, "*m i n"]
) -> Float[Array, "m o n"]:
    """max(dense, 0). Its slope reads the result alone, and divides nothing (as maximum's does)."""
    return at_least(dense(weight, bias, x), 0.0)


def _rectified_forward(weight: Any, bias: Any, x: Any) -> Any:
    out = rectified(weight, bias, x)
    return out, (weight, x, out)


def _rectified_backward(kept: Any, slope: Any) -> Any:
    weight, x, out = kept
    return _backward((weight, x), jnp.where(out > 0, slope, 0.0))


rectified.defvjp(_rectified_forward, _rectified_backward)


def _product(weight: Any, x: Any) -> Any:
    if x.ndim == 3:
        return weight @ x
    # One tall product: at 100 inputs a fifth faster than a product for each member.
    flat = weight.reshape(-1, weight.shape[2]) @ x
    return flat.reshape(*weight.shape[:2], x.shape[1])


def _outer(slope: Any, x: Any) -> Any:
    if x.ndim == 3:
        return jnp.einsum("mon,min->moi", slope, x)
    flat = slope.reshape(-1, slope.shape[2]) @ x.T
    return flat.reshape(*slope.shape[:2], x.shape[0])


def _pulled(weight: Any, slope: Any, shared: bool) -> Any:
    # On CPU the product of a flipped operand is slower by a quarter than that of one written out.
    flipped = jax.lax.optimization_barrier(jnp.swapaxes(weight, 1, 2))
    each = flipped @ slope
    return each.sum(0) if shared else each
