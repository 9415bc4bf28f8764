"""A small residual network that learns which class each picture of an image has.

The published encoder is a ResNet-50 that tells 1,024 combinations of ten labels apart; its weights
are not public. This one has a logit for each label and four stages of one block each, whose maps
are what is seen after stages 1 to 4; a layer of 64 units behind them is stage 5. Blocks start as
the identity (De and Smith 2020, arXiv:2002.10444), so that nothing is normalised by a batch.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import optax

from augury.engine.compiled import Compiled
from augury.engine.encoders.layers import convolved, rectified
from augury.engine.encoders.shape import Shape, maps, rows
from augury.engine.randomness import stream
from augury.engine.training import Step, Trainer, make_trainer, train

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

CHANNELS = (8, 16, 32, 64)  # of each stage; the first has half the resolution, then it halves
UNITS = 64
NUM_STAGES = len(CHANNELS) + 1
BATCH = 64
LEARNING_RATE = 2e-3  # Adam, down to nothing along half a cosine

Images = Callable[[Any, int, Any], tuple[Any, Any]]
# (key, number, items) -> (images [number, size], labels [number, sources] of 0 and 1)


class Block(NamedTuple):
    """x or its 1 x 1 convolution, and `weight` times two convolutions of it."""

    first: Float[Array, "3 3 before channels"]
    second: Float[Array, "3 3 channels channels"]
    shortcut: Float[Array, "1 1 before channels"] | None
    weight: Float[Array, ""]


class Network(NamedTuple):
    """From pixels to a logit for each picture."""

    stem: Float[Array, "3 3 colours channels"]
    blocks: tuple[Block, ...]
    units: tuple[Float[Array, "size units"], Float[Array, " units"]]
    head: tuple[Float[Array, "units sources"], Float[Array, " sources"]]


def sides(shape: Shape, stage: int) -> Shape:
    """Of the maps after a stage; of the units behind them, each is a channel."""
    if stage > len(CHANNELS):
        return Shape(UNITS, 1, 1)
    half = 2**stage
    return Shape(CHANNELS[stage - 1], -(-shape.height // half), -(-shape.width // half))


def init(key: PRNGKeyArray, shape: Shape, num_sources: int) -> Network:
    """Random weights; every block starts as its shortcut."""
    widths = (CHANNELS[0], *CHANNELS)
    shapes = [(3, 3, shape.channels, CHANNELS[0])]
    for before, channels in pairwise(widths):
        shapes += [(3, 3, before, channels), (3, 3, channels, channels), (1, 1, before, channels)]
    shapes += [(sides(shape, len(CHANNELS)).size, UNITS), (UNITS, num_sources)]
    stem, *body, units, head = rectified(key, shapes)
    blocks = tuple(
        Block(first, second, shortcut if place else None, jnp.zeros(()))
        for place, (first, second, shortcut) in enumerate(
            zip(body[::3], body[1::3], body[2::3], strict=True)
        )
    )
    return Network(stem, blocks, (units, jnp.zeros(UNITS)), (head, jnp.zeros(num_sources)))


def features(
    params: Network, x: Float[Array, "n size"], shape: Shape, stage: int
) -> Float[Array, "n features"]:
    """What is seen after a stage of 1 to `NUM_STAGES`: rows of maps, channels first."""
    h = jax.nn.relu(convolved(maps(x, shape), params.stem, 2))
    for block in params.blocks[:stage]:
        h = _through(block, h)
    flat = rows(h)
    if stage <= len(CHANNELS):
        return flat
    return jax.nn.relu(flat @ params.units[0] + params.units[1])


def logits(params: Network, x: Float[Array, "n size"], shape: Shape) -> Float[Array, "n sources"]:
    """Log odds of class 1 at each place."""
    return features(params, x, shape, NUM_STAGES) @ params.head[0] + params.head[1]


def fit(
    key: PRNGKeyArray, draw: Images, items: Any, shape: Shape, num_sources: int, num_steps: int
) -> Network:
    """Weights after `num_steps` steps on images that `draw` makes anew of `items` for each."""
    begin, trainer = _program(draw, shape, num_sources)
    told = (items, jnp.int32(num_steps))
    begun = begin(stream(key, "weights")[None])
    trained = train(trainer, begun, stream(key, "images")[None], told, num_steps)
    return jax.tree.map(lambda leaf: leaf[0], trained.params)


@lru_cache(maxsize=2)
def _program(draw: Images, shape: Shape, num_sources: int) -> tuple[Compiled, Trainer]:
    """What is compiled for all seeds and numbers of steps."""

    def batch(key: Any, step: Any, told: Any) -> Any:
        return draw(jax.random.fold_in(key, step), BATCH, told[0])

    def loss(params: Network, seen: Any, key: Any, told: Any) -> Any:
        images, labels = seen
        found = logits(params, images, shape)
        return optax.sigmoid_binary_cross_entropy(found, labels).sum(1).mean(), ()

    def optimiser(told: Any) -> optax.GradientTransformation:
        def rate(step: Any) -> Any:
            return LEARNING_RATE * 0.5 * (1.0 + jnp.cos(jnp.pi * step / told[1]))

        return optax.adam(rate)

    def begin(key: Any) -> Network:
        return init(key, shape, num_sources)

    return Compiled(jax.vmap(begin), name="encoder"), make_trainer(
        Step(batch, loss, optimiser), 1, axes=None
    )


def _through(block: Block, x: Float[Array, "n h w c"]) -> Float[Array, "n p q channels"]:
    stride = 1 if block.shortcut is None else 2
    more = convolved(jax.nn.relu(convolved(x, block.first, stride)), block.second)
    kept = x if block.shortcut is None else convolved(x, block.shortcut, 2)
    return jax.nn.relu(kept + block.weight * more)
