"""The laws of pairs by kind of problem, and what is true of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.problems.mi import ChannelProblem, GaussianProblem, PairProblem
from augury.engine.catalog.problems.mi_closed import ClosedFormProblem
from augury.engine.catalog.problems.mi_encoded import EncodedProblem, EncodedTextProblem
from augury.engine.catalog.problems.mi_items import (
    ImageProblem,
    ItemProblem,
    MixtureProblem,
    TextProblem,
)
from augury.engine.datasets.two_classes import PHOTOGRAPHS, load_photographs, load_two_classes
from augury.engine.datasets.two_classes import Items as Labelled
from augury.engine.problems import channel, class_pairs, closed_form, encoded, gaussian
from augury.engine.problems.items import TRAIN, parts, pool
from augury.engine.problems.pairs import Source, Truth

_SOURCES: Mapping[type, Callable[[Any], Source]] = {
    GaussianProblem: gaussian.source,
    ChannelProblem: channel.source,
    ClosedFormProblem: closed_form.source,
    ImageProblem: class_pairs.images,
    EncodedProblem: encoded.source,
    EncodedTextProblem: encoded.source,
    TextProblem: class_pairs.texts,
    MixtureProblem: class_pairs.mixtures,
}


def source_of(problem: PairProblem) -> Source:
    """How its pairs are drawn; problems that are equal when blank share it."""
    return _SOURCES[type(problem)](problem)


class Items(NamedTuple):
    """What pairs are made of: nothing, where laws have a formula."""

    every: Any = ()
    train: Any = ()
    held_out: Any = ()


def items_of(problem: PairProblem) -> Items:
    """The items of its data sets on the device: all of them, and cut in two by `TRAIN`.

    Raises:
        AuguryError: a data set is not here.
    """
    if isinstance(problem, encoded.Encoded):
        return Items(*encoded.items(problem))
    return _items(problem.datasets) if isinstance(problem, ItemProblem) else Items()


def folds_of(problem: ItemProblem, number: int) -> list[Any]:
    """The items in so many disjoint parts of equal size."""
    if isinstance(problem, encoded.Encoded):
        return encoded.folds(problem, number)
    found, shared = _loaded(problem.datasets)
    cut = [parts(*one, (1.0,) * number) for one in found]
    return [(*side, *shared) for side in zip(*cut, strict=True)]


@lru_cache(maxsize=3)  # the photographs take 150 MB
def _items(names: tuple[str, ...]) -> Items:
    found, shared = _loaded(names)
    cut = [parts(*one, (TRAIN, 1 - TRAIN)) for one in found]
    both = [(*side, *shared) for side in zip(*cut, strict=True)]
    return Items((*(pool(*one) for one in found), *shared), both[0], both[1])


def _loaded(names: tuple[str, ...]) -> tuple[list[Labelled], tuple[Any, ...]]:
    """Items with their classes, and what belongs to no class: photographs for the background."""
    found = [load_two_classes(name) for name in names if name != PHOTOGRAPHS]
    shared = (jnp.asarray(load_photographs()),) if PHOTOGRAPHS in names else ()
    return found, shared


def truth_of(problem: PairProblem) -> Truth:
    """What is traced of each stage, and the bits that x and y share in it.

    Raises:
        UsageError: more bits than the sources can share.
    """
    bits = problem.bits
    levels = bits
    if isinstance(problem, (ChannelProblem, ItemProblem)):
        sizes = (problem.num_sources, getattr(problem, "num_classes", 2))
        levels = [channel.crossover(b, *sizes) for b in bits]
    elif isinstance(problem, ClosedFormProblem):
        bits = (closed_form.information(problem.recipe) / math.log(2.0),)
    if getattr(problem, "shuffled", False):
        bits = (0.0,) * len(bits)
    return Truth(np.asarray(levels, np.float32), tuple(bits))
