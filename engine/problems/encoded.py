"""Pairs of images and texts behind a frozen encoder, which has seen none of their items.

A part of the items is the encoder's: what it learns, or takes moments of, is made of these. The
pairs are made of the rest, so no value here rests on what an encoder knows by heart.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from augury.engine.catalog.problems.mi_encoded import EncodedProblem, EncodedTextProblem
from augury.engine.catalog.problems.mi_items import ImageProblem
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

Encoded = EncodedProblem | EncodedTextProblem
ENCODERS = 0.3  # of the items of each class: the encoder's
NUM_ROWS = 1_000  # images or texts behind the moments of an invertible encoder
NUM_STEPS = 500  # of the training of one that learns


def shape_of(problem: Encoded) -> Shape:
    """Of an image; the 768 numbers of an embedding are three maps of 16 x 16."""
    if isinstance(problem, EncodedTextProblem):
        return Shape(3 * problem.sources, 16, 16)
    return Shape(problem.grid[0], problem.size, problem.size)


def source(problem: Encoded) -> Source:
    """The pairs, encoded; items are those in front of it, and the encoder's parameters."""
    plain = _plain(problem)
    shape = shape_of(problem)
    size = resnet.sides(shape, problem.stage).size if problem.stage else shape.size

    def encode(params: Any, x: Array) -> Array:
        if problem.stage:
            return resnet.features(params, x, shape, problem.stage)
        return INVERTIBLE[problem.encoder].forward(params, x, shape)[0]

    def sample(key: Any, rate: Float[Array, ""], num_pairs: int, items: Any) -> Pairs:
        *seen, params = items
        pairs = plain.sample(key, rate, num_pairs, tuple(seen))
        both = encode(params, jnp.concatenate([pairs.x, pairs.y]))
        return Pairs(both[:num_pairs], both[num_pairs:], pairs.hidden)

    return Source(size, size, sample, plain.log_ratio)


def _plain(problem: Encoded) -> Source:
    if isinstance(problem.plain, ImageProblem):
        return class_pairs.images(problem.plain)
    return class_pairs.texts(problem.plain)


def cut(labelled: Labelled, shares: Sequence[float] = (1.0,)) -> list[Pool]:
    """The encoder's items first, then the rest in these shares."""
    rest = [(1 - ENCODERS) * share / sum(shares) for share in shares]
    return parts(*labelled, (ENCODERS, *rest))


def items(problem: Encoded) -> tuple[Any, Any, Any]:
    """All items that pairs show, those that train a critic, those held out; with the encoder.

    Raises:
        AuguryError: a data set is not here.
    """
    params = parameters(problem)
    labelled = load_two_classes(problem.datasets[0])
    (_, every), (_, *sides) = cut(labelled), cut(labelled, (TRAIN, 1 - TRAIN))
    return (every, params), (sides[0], params), (sides[1], params)


def folds(problem: Encoded, number: int) -> list[Any]:
    """The items that pairs show in so many disjoint parts of equal size, with the encoder."""
    labelled = load_two_classes(problem.datasets[0])
    return [(part, parameters(problem)) for part in cut(labelled, (1.0,) * number)[1:]]


def parameters(problem: Encoded) -> Any:
    """The encoder of a problem: the same for all stages, bits, and in every run."""
    if isinstance(problem, EncodedProblem) and problem.stage:
        problem = replace(problem, stage=1)
    return _parameters(replace(problem, bits=(0.0,)))


@lru_cache(maxsize=4)  # of one kind of images all; those of flows of 64 pixels take 310 MB
def _parameters(problem: Encoded) -> Any:
    mine = cut(load_two_classes(problem.datasets[0]))[0]
    return fit(problem, mine, stream(jax.random.key(0), "encoder"), NUM_STEPS)


def fit(problem: Encoded, mine: Pool, key: Any, num_steps: int) -> Any:
    """An encoder from items that are its own; `num_steps` of those that learn."""
    if not problem.stage:
        return _maker(problem)(key, (mine,))
    shape, number = shape_of(problem), problem.num_sources
    return resnet.fit(key, _drawn(problem), (mine,), shape, number, num_steps)


@lru_cache(maxsize=4)
def _drawn(problem: Encoded) -> resnet.Images:
    """Draws of x with its labels."""
    plain = _plain(problem)

    def draw(key: Any, number: int, items: Any) -> tuple[Array, Array]:
        pairs = plain.sample(key, jnp.float32(0.5), number, items)
        return pairs.x, pairs.hidden[0]

    return draw


@lru_cache(maxsize=4)
def _maker(problem: Encoded) -> Compiled:
    draw, shape = _drawn(problem), shape_of(problem)

    def make(key: Any, items: Any) -> Any:
        seen = draw(stream(key, "images"), NUM_ROWS, items)[0]
        return INVERTIBLE[problem.encoder].fit(stream(key, "weights"), seen, shape)

    return Compiled(make, name="encoder")
