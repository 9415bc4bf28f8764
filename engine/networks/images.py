"""Networks of images, one at a time: `vmap` or `lax.map` makes many of one.

A convolution is a product of patches and weights. Under `vmap` over members it is one batched
product; on CPU, 10 members of two small layers one after another take a fifth of the time of
XLA's own convolution, and two thirds of that product for all of them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.randomness import normal

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

Pytree = Any
Drop = Callable[[Any, int], Any]  # (values [n, ...], which place of the network) -> values
Moments = Sequence[tuple[Any, Any]]  # mean and variance at each normalisation, in order
EPSILON = 1e-3  # added to a variance, as published


class Network(NamedTuple):
    """One architecture for one shape of images."""

    init: Callable[[PRNGKeyArray], Pytree]
    apply: Callable[[Pytree, Any, Drop, Moments | None], tuple[Any, Moments]]
    # (params, images [n, h, w, c] in [0, 1], drop, moments) -> (logits [n, classes], moments).
    # Without moments a batch is normalised by its own, which come back


def build(name: str, shape: tuple[int, int, int], classes: int, width: int) -> Network:
    """`mlp` and `cnn` with so many units or channels in the first layer, or `resnet20`."""
    return _NETWORKS[name](shape, classes, width)


def keep_all(x: Any, place: int) -> Any:
    """No dropout."""
    return x


def _mlp(shape: tuple[int, int, int], classes: int, width: int) -> Network:
    """Two hidden layers of `width`; dropout before all but the first layer."""
    sizes = (shape[0] * shape[1] * shape[2], width, width, classes)

    def init(key: PRNGKeyArray) -> Pytree:
        pairs = zip(sizes[:-1], sizes[1:], strict=True)
        return [_dense(jax.random.fold_in(key, n), *pair) for n, pair in enumerate(pairs)]

    def apply(params: Pytree, x: Any, drop: Drop, moments: Moments | None) -> tuple[Any, Moments]:
        h = x.reshape(x.shape[0], -1)
        for place, layer in enumerate(params):
            h = drop(jax.nn.relu(h), place) if place else h
            h = _affine(layer, h)
        return h, ()

    return Network(init, apply)


def _cnn(shape: tuple[int, int, int], classes: int, width: int) -> Network:
    """Two 3 x 3 convolutions of stride 2 (width, 2 width), one hidden layer of 64.

    Dropout before all but the first layer.
    """
    high, wide = ((side + 3) // 4 for side in shape[:2])
    flat = high * wide * 2 * width
    sizes = ((9 * shape[2], width), (9 * width, 2 * width), (flat, 64), (64, classes))

    def init(key: PRNGKeyArray) -> Pytree:
        return [_dense(jax.random.fold_in(key, n), *pair) for n, pair in enumerate(sizes)]

    def apply(params: Pytree, x: Any, drop: Drop, moments: Moments | None) -> tuple[Any, Moments]:
        h = jax.nn.relu(_affine(params[0], patches(x, 3, 2)))
        h = jax.nn.relu(_affine(params[1], patches(drop(h, 1), 3, 2)))
        h = drop(h, 2).reshape(x.shape[0], -1)
        h = jax.nn.relu(_affine(params[2], h))
        return _affine(params[3], drop(h, 3)), ()

    return Network(init, apply)


def _resnet20(shape: tuple[int, int, int], classes: int, width: int) -> Network:
    """ResNet-20 v1 (He et al. 2016, arXiv:1512.03385): 3 stacks of 3 blocks, `width` doubling.

    Shortcuts into a new stack are 1 x 1 convolutions of stride 2. Dropout comes before every
    convolution and the last layer, as in google-research/uq_benchmark_2019.
    """
    widths = [width << stack for stack in range(3)]

    def init(key: PRNGKeyArray) -> Pytree:
        keys = iter(jax.random.split(key, 32))
        stem = _kernel(next(keys), 9 * shape[2], width)
        blocks, before = [], width
        for stack, wide in enumerate(widths):
            for number in range(3):
                change = stack > 0 and number == 0
                blocks.append((
                    _kernel(next(keys), 9 * before, wide),
                    _kernel(next(keys), 9 * wide, wide),
                    _kernel(next(keys), before, wide)[0] if change else None,
                ))  # fmt: skip
                before = wide
        return stem, blocks, _dense(next(keys), before, classes)

    def apply(params: Pytree, x: Any, drop: Drop, moments: Moments | None) -> tuple[Any, Moments]:
        stem, blocks, head = params
        seen: list[tuple[Any, Any]] = []
        place = iter(range(64))

        def convolved(layer: Any, h: Any, stride: int) -> Any:
            weight, scale, offset = layer
            h = patches(drop(h, next(place)), 3, stride) @ weight
            if moments is None:
                mean = h.mean((0, 1, 2))
                own = mean, ((h - mean) ** 2).mean((0, 1, 2))
            else:
                own = moments[len(seen)]
            seen.append(own)
            return (h - own[0]) * (scale * jax.lax.rsqrt(own[1] + EPSILON)) + offset

        h = jax.nn.relu(convolved(stem, x, 1))
        for first, second, shortcut in blocks:
            stride = 1 if shortcut is None else 2
            y = jax.nn.relu(convolved(first, h, stride))
            y = convolved(second, y, 1)
            if shortcut is not None:
                h = patches(drop(h, next(place)), 1, 2) @ shortcut
            h = jax.nn.relu(h + y)
        return _affine(head, drop(h.mean((1, 2)), next(place))), tuple(seen)

    return Network(init, apply)


def patches(
    x: Float[Array, "n h w c"], size: int, stride: int
) -> Float[Array, "n p q size*size*c"]:
    """What each place of a convolution sees; zeros beyond the border, as much at both ends."""
    n, h, w, c = x.shape
    high, wide = -(-h // stride), -(-w // stride)
    ends = [max((out - 1) * stride + size - side, 0) for out, side in ((high, h), (wide, w))]
    padded = jnp.pad(x, ((0, 0), *((end // 2, end - end // 2) for end in ends), (0, 0)))
    parts = [
        jax.lax.slice(
            padded,
            (0, i, j, 0),
            (n, i + (high - 1) * stride + 1, j + (wide - 1) * stride + 1, c),
            (1, stride, stride, 1),
        )
        for i in range(size)
        for j in range(size)
    ]
    return jnp.concatenate(parts, -1)


def _affine(layer: tuple[Any, Any], x: Any) -> Any:
    return x @ layer[0] + layer[1]


def _dense(key: PRNGKeyArray, fan_in: int, fan_out: int) -> tuple[Any, Any]:
    """Weights of He et al. 2015, arXiv:1502.01852; zero biases."""
    return normal(key, (fan_in, fan_out)) * (2.0 / fan_in) ** 0.5, jnp.zeros(fan_out)


def _kernel(key: PRNGKeyArray, fan_in: int, fan_out: int) -> tuple[Any, Any, Any]:
    """Weights, and the scale and offset of the normalisation behind them."""
    return _dense(key, fan_in, fan_out)[0], jnp.ones(fan_out), jnp.zeros(fan_out)


_NETWORKS: dict[str, Callable[[tuple[int, int, int], int, int], Network]] = {
    "mlp": _mlp,
    "cnn": _cnn,
    "resnet20": _resnet20,
}
