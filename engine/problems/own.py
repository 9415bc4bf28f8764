"""A person's own table as a problem: scored as the data sets that everybody has."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import jax.numpy as jnp

from augury.engine.datasets.own.file import stamp
from augury.engine.datasets.own.load import load
from augury.engine.errors import UsageError
from augury.engine.learning.epistemic import UNKNOWN_TEMPERATURE
from augury.engine.metrics.labelled import Labelled
from augury.engine.problems.prepared import Prepared
from augury.engine.problems.real import Rows, sample_rows, tests_of
from augury.engine.types import Prior

if TYPE_CHECKING:
    from collections.abc import Mapping

    from augury.engine.catalog.problems import TableProblem
    from augury.engine.catalog.settings import RealSettings

Stamp: TypeAlias = tuple[int, ...]


def prepare(
    card: TableProblem, resources: Mapping[str, str], settings: RealSettings, seed: int = 0
) -> Prepared:
    """Rows of a table: its training rows are in random order, so the first ones are a sample.

    Args:
        card: table and number of rows.
        resources: "table", the path of the file, and "recipe", what is made of it.
        settings: `subsample` may have the seed choose the training rows.
        seed: of the subject.

    Raises:
        UsageError: the file is gone, changed or no table; or it has not so many rows.
    """
    path = resources.get("table")
    if path is None:
        raise UsageError(f"{card.id}: name its file with --data FILE --target COLUMN.")
    if settings.estimator == "projection":
        raise UsageError("the projection estimator is for the testbed only.")
    if settings.preprocess != "feature":
        raise UsageError("a table's columns are standardised each: --preprocess feature.")
    # Rows are kept for the next cell, but not beyond a change of the file.
    table = path, resources["recipe"], card.digest, stamp(Path(path))
    rows, num_classes = _on_device(*table)
    available, input_dim = rows.train_x.shape
    if not 1 <= card.num_train <= available:
        raise UsageError(f"{path} has 1 to {available} training rows, not {card.num_train}.")
    train_x, train_y = rows.train_x, rows.train_y
    shared = settings.subsample == "first" or card.num_train == available
    if not shared:
        chosen = jnp.asarray(sample_rows(available, card.num_train, card.dataset, seed))
        train_x, train_y = train_x[chosen], train_y[chosen]
    prior = Prior(input_dim, card.num_train, num_classes, UNKNOWN_TEMPERATURE)
    tests = _tests(*table, settings)
    return Prepared(train_x, train_y, prior, tests, settings.num_epistemic, shared)


@lru_cache(maxsize=1)
def _on_device(path: str, recipe: str, digest: str, stamp: Stamp) -> tuple[Rows, int]:
    """Rows and the number of classes: the same arrays for all cells of a table."""
    split, about = load(path, recipe, digest)
    return Rows(*(jnp.asarray(leaf) for leaf in split)), len(about.classes)


@lru_cache(maxsize=1)
def _tests(path: str, recipe: str, digest: str, stamp: Stamp, settings: RealSettings) -> Labelled:
    rows, num_classes = _on_device(path, recipe, digest, stamp)
    return tests_of(digest, num_classes, settings, rows.test_x, rows.test_y)
