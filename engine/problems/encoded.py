"""Pairs of images behind a frozen encoder, which has seen none of their items.

A part of the items is the encoder's: what it learns, or takes moments of, are images of these. The
pairs are made of the rest, so no value here rests on what an encoder knows by heart.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from augury.engine.catalog.problems.mi_encoded import EncodedProblem
from augury.engine.compiled import Compiled
from augury.engine.datasets.two_classes import Items as Labelled
from augury.engine.datasets.two_classes import load_two_classes
from augury.engine.encoders import resnet
from augury.engine.encoders.shape import Shape
from augury.engine.encoders.table import INVERTIBLE
from augury.engine.problems import class_pairs
from augury.engine.problems.items import TRAIN, Pool, parts
from augury.engine.problems.pairs import Pairs, Source
from augury.engine.randomness import stream

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jaxtyping import Array, Float

ENCODERS = 0.3  # of the items of each class: the encoder's
NUM_IMAGES = 1_000  # behind the moments of an invertible encoder
NUM_STEPS = 500  # of the training of one that learns


def shape_of(problem: EncodedProblem) -> Shape:
    """Of an image."""
    return Shape(problem.grid[0], problem.size, problem.size)


def source(problem: EncodedProblem) -> Source:
    """The pairs of images, encoded; items are those of images, and the encoder's parameters."""
    images = class_pairs.images(problem.image)
    shape = shape_of(problem)
    size = resnet.sides(shape, problem.stage).size if problem.stage else shape.size

    def encode(params: Any, x: Array) -> Array:
        if problem.stage:
            return resnet.features(params, x, shape, problem.stage)
        return INVERTIBLE[problem.encoder].forward(params, x, shape)[0]

    def sample(key: Any, rate: Float[Array, ""], num_pairs: int, items: Any) -> Pairs:
        *seen, params = items
        pairs = images.sample(key, rate, num_pairs, tuple(seen))
        both = encode(params, jnp.concatenate([pairs.x, pairs.y]))
        return Pairs(both[:num_pairs], both[num_pairs:], pairs.hidden)

    return Source(size, size, sample, images.log_ratio)


def cut(labelled: Labelled, shares: Sequence[float] = (1.0,)) -> list[Pool]:
    """The encoder's items first, then the rest in these shares."""
    rest = [(1 - ENCODERS) * share / sum(shares) for share in shares]
    return parts(*labelled, (ENCODERS, *rest))


def items(problem: EncodedProblem) -> tuple[Any, Any, Any]:
    """All items that pairs show, those that train a critic, those held out; with the encoder.

    Raises:
        AuguryError: a data set is not here.
    """
    params = parameters(problem)
    labelled = load_two_classes(problem.picture)
    (_, every), (_, *sides) = cut(labelled), cut(labelled, (TRAIN, 1 - TRAIN))
    return (every, params), (sides[0], params), (sides[1], params)


def folds(problem: EncodedProblem, number: int) -> list[Any]:
    """The items that pairs show in so many disjoint parts of equal size, with the encoder."""
    labelled = load_two_classes(problem.picture)
    return [(part, parameters(problem)) for part in cut(labelled, (1.0,) * number)[1:]]


def parameters(problem: EncodedProblem) -> Any:
    """The encoder of a problem: the same for all stages, bits, and in every run."""
    return _parameters(replace(problem, bits=(0.0,), stage=min(problem.stage, 1)))


@lru_cache(maxsize=4)  # of one kind of images all; those of flows of 64 pixels take 310 MB
def _parameters(problem: EncodedProblem) -> Any:
    mine = cut(load_two_classes(problem.picture))[0]
    return fit(problem, mine, stream(jax.random.key(0), "encoder"), NUM_STEPS)


def fit(problem: EncodedProblem, mine: Pool, key: Any, num_steps: int) -> Any:
    """An encoder from items that are its own; `num_steps` of those that learn."""
    if not problem.stage:
        return _maker(problem)(key, (mine,))
    shape, number = shape_of(problem), problem.num_sources
    return resnet.fit(key, _images(problem), (mine,), shape, number, num_steps)


@lru_cache(maxsize=4)
def _images(problem: EncodedProblem) -> resnet.Images:
    """Draws of images with their labels."""
    images = class_pairs.images(problem.image)

    def draw(key: Any, number: int, items: Any) -> tuple[Array, Array]:
        pairs = images.sample(key, jnp.float32(0.5), number, items)
        return pairs.x, pairs.hidden[0]

    return draw


@lru_cache(maxsize=4)
def _maker(problem: EncodedProblem) -> Compiled:
    draw, shape = _images(problem), shape_of(problem)

    def make(key: Any, items: Any) -> Any:
        seen = draw(stream(key, "images"), NUM_IMAGES, items)[0]
        return INVERTIBLE[problem.encoder].fit(stream(key, "weights"), seen, shape)

    return Compiled(make, name="encoder")
