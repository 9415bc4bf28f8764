"""i-RevNet (Jacobsen et al. 2018, arXiv:1802.07088), a small one: a network that loses nothing.

Channels are halves a and b; a block makes them b and a + F(b), F a random network of convolutions.
Where resolution drops, 2 x 2 pixels become channels, so that no number is lost. The published
encoder has 301 layers and normalises by the batch it sees; this one has two blocks in a stage and
normalises by the moments of one set of images, so that it is a function of one image.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.encoders.layers import convolved, rectified
from augury.engine.encoders.shape import Shape, maps, rows, squeeze, unsqueeze
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

NUM_STAGES = 4  # of images of 64 pixels and more: then maps of 2 x 2 are left
NUM_BLOCKS = 2  # in a stage; the first one halves the resolution
LEAST = 8
NARROWER = 4  # times the hidden channels
EPSILON = 1e-3  # added to a variance


class Block(NamedTuple):
    """F: standardise, rectify, convolve, rectify, convolve."""

    mean: Float[Array, " channels"]
    scale: Float[Array, " channels"]
    first: Float[Array, "3 3 channels hidden"]
    second: Float[Array, "3 3 hidden out"]


Halves = tuple["Float[Array, 'n h w c']", "Float[Array, 'n h w c']"]


def halves(shape: Shape) -> int:
    """How often the resolution is halved: once at the start, then in each stage.

    Raises:
        UsageError: sides that cannot be halved twice.
    """
    side = min(shape.height, shape.width)
    if shape.height % 4 or shape.width % 4 or side < LEAST:
        raise UsageError(
            f"i-RevNet takes images whose sides are multiples of 4, at least {LEAST}, not "
            f"{shape.height} x {shape.width}."
        )
    count, side = 1, side // 2
    while count <= NUM_STAGES and side % 2 == 0 and side > 2:
        count, side = count + 1, side // 2
    return count


def strides(shape: Shape) -> list[int]:
    """Of each block."""
    return [2, *[1] * (NUM_BLOCKS - 1)] * (halves(shape) - 1)


def fit(key: PRNGKeyArray, images: Float[Array, "n size"], shape: Shape) -> tuple[Block, ...]:
    """Random blocks, and the moments that `images` have in front of each."""
    pair, blocks = _begin(images, shape), []
    for place, stride in enumerate(strides(shape)):
        seen = pair[1]
        channels = seen.shape[-1]
        out = channels * stride * stride
        narrow = max(out // NARROWER, 4)
        shapes = ((3, 3, channels, narrow), (3, 3, narrow, out))
        weights = rectified(jax.random.fold_in(key, place), shapes)
        scale = jnp.sqrt(seen.var((0, 1, 2)) + EPSILON)
        block = Block(seen.mean((0, 1, 2)), scale, weights[0], weights[1])
        pair = _step(block, pair, stride)
        blocks.append(block)
    return tuple(blocks)


def forward(
    params: tuple[Block, ...], x: Float[Array, "n size"], shape: Shape
) -> tuple[Float[Array, "n size"], Float[Array, " n"]]:
    """What images become, and log |det| of the derivative: 0, as only sums are taken."""
    pair = _begin(x, shape)
    for block, stride in zip(params, strides(shape), strict=True):
        pair = _step(block, pair, stride)
    return rows(jnp.concatenate(pair, -1)), jnp.zeros(len(x))


def inverse(
    params: tuple[Block, ...], z: Float[Array, "n size"], shape: Shape
) -> Float[Array, "n size"]:
    """The images."""
    factor = 2 ** halves(shape)
    last = Shape(shape.channels * factor**2, shape.height // factor, shape.width // factor)
    a, b = jnp.split(maps(z, last), 2, axis=-1)
    for block, stride in reversed(list(zip(params, strides(shape), strict=True))):
        before = unsqueeze(a) if stride == 2 else a
        other = b - _residual(block, before, stride)
        a, b = (unsqueeze(other) if stride == 2 else other), before
    return rows(unsqueeze(jnp.concatenate([a, b], -1)))


def _begin(x: Float[Array, "n size"], shape: Shape) -> Halves:
    a, b = jnp.split(squeeze(maps(x, shape)), 2, axis=-1)
    return a, b


def _step(block: Block, pair: Halves, stride: int) -> Halves:
    a, b = pair
    more = _residual(block, b, stride)
    return (squeeze(b), squeeze(a) + more) if stride == 2 else (b, a + more)


def _residual(
    block: Block, x: Float[Array, "n h w c"], stride: int
) -> Float[Array, "n h/stride w/stride out"]:
    seen = jax.nn.relu((x - block.mean) / block.scale)
    narrow = jax.nn.relu(convolved(seen, block.first, stride))
    return convolved(narrow, block.second)
