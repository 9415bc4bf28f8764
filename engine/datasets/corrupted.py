"""Corrupted images: what is trained on, what calibrates, and what is tested."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from augury.engine.corruptions.corrupt import corrupt
from augury.engine.datasets.pixels import load_pixels, published
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Int, UInt8

    from augury.engine.catalog.problems import CorruptionProblem


class Clean(NamedTuple):
    """Clean images [n, h, w, c] of bytes, and labels."""

    train_x: UInt8[np.ndarray, "train h w c"]
    train_y: Int[np.ndarray, " train"]
    held_x: UInt8[np.ndarray, "held h w c"]  # neither trained on nor tested, corrupted or not
    held_y: Int[np.ndarray, " held"]


def clean(problem: CorruptionProblem) -> Clean:
    """The first rows to train on, and as many held-out images as are tested, if there are.

    Held-out images come from the training file, so that no image that calibrates is the source of
    a corrupted one.

    Raises:
        UsageError: more rows than there are.
    """
    every = load_pixels(problem.source)
    if problem.num_train > len(every.train_x):
        raise UsageError(
            f"{problem.source} has {len(every.train_x):,} images to train on, beside those that "
            f"are held out; {problem.id} asks for {problem.num_train:,}."
        )
    train, held = slice(problem.num_train), slice(problem.num_test)
    return Clean(every.train_x[train], every.train_y[train], every.held_x[held], every.held_y[held])


def tested(
    problem: CorruptionProblem,
) -> tuple[UInt8[np.ndarray, "test h w c"], Int[np.ndarray, " test"]]:
    """The corrupted test images and their labels; an image's randomness is of its number."""
    every = load_pixels(problem.source)
    rows = slice(problem.num_test)
    index, labels = every.test_index[rows], every.test_y[rows]
    if problem.dataset != problem.source:
        return published(problem.corruption, problem.severity)[index], labels
    found = corrupt(every.test_x[rows], problem.corruption, problem.severity, index.tolist())
    return found, labels
