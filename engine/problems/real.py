"""Real data: the first rows of a set to learn from, its test rows to be scored on."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.entry import lookup
from augury.engine.datasets.load import load
from augury.engine.errors import UsageError
from augury.engine.learning.epistemic import UNKNOWN_TEMPERATURE
from augury.engine.metrics.labelled import Labelled, draw_anchors
from augury.engine.problems.prepared import Prepared
from augury.engine.randomness import stream
from augury.engine.types import Prior

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int
    from numpy.typing import NDArray

    from augury.engine.catalog.names import Preprocess, TestRows
    from augury.engine.catalog.problems import RealProblem
    from augury.engine.catalog.settings import RealSettings


class Rows(NamedTuple):
    """A data set on the device, once for all cells."""

    train_x: Float[Array, "train dim"]
    train_y: Int[Array, " train"]
    test_x: Float[Array, "test dim"]
    test_y: Int[Array, " test"]


def prepare(card: RealProblem, settings: RealSettings, seed: int = 0) -> Prepared:
    """Rows of a data set, and test batches that depend on the set and its test rows alone.

    Labels are what they are: the limit of low temperature, so the true log-likelihood is 0 and KL
    is minus the agent's joint log-likelihood (arXiv:2202.13509, section 5). Single labels are those
    of every test row once; so are pairs of anchors, where test rows are few enough.

    Args:
        card: data set and number of rows.
        settings: also how the rows are made.
        seed: of the subject; `settings.subsample` may have it choose the training rows.

    Raises:
        UsageError: no such set, or more rows than it has.
    """
    if settings.estimator == "projection":
        raise UsageError("the projection estimator is for the testbed only.")
    facts = lookup(DATASETS, card.dataset, "data set")
    if not 1 <= card.num_train <= facts.num_train:
        raise UsageError(f"{card.dataset} has 1 to {facts.num_train} rows, not {card.num_train}.")
    rows = on_device(card.dataset, settings.preprocess, settings.test_rows)
    learned, held_out = card.learned, slice(card.learned, card.learned + card.held_out)
    if card.validation and not card.held_out:
        raise UsageError(f"{card.id} leaves no training row to choose configs on.")
    shared = settings.subsample == "first"
    train_x, train_y = rows.train_x, rows.train_y
    if not shared and card.num_train < facts.num_train:
        order = shuffled(facts.num_train, card.dataset, seed)
        order[:learned].sort()
        chosen = jnp.asarray(order[: held_out.stop])
        train_x, train_y = _moved_ahead(train_x, chosen), _moved_ahead(train_y, chosen)
    if card.validation:
        tests = tests_of(
            card.dataset, facts.num_classes, settings, train_x[held_out], train_y[held_out]
        )
    else:
        tests = _of_test_rows(card.dataset, settings)
    prior = Prior(facts.input_dim, learned, facts.num_classes, UNKNOWN_TEMPERATURE)
    return Prepared(train_x, train_y, prior, tests, settings.num_epistemic, shared)


@lru_cache(maxsize=2)  # as many as are held on the host
def on_device(dataset: str, preprocess: Preprocess, test_rows: TestRows) -> Rows:
    """The rows of a set as arrays; the same ones whenever they are asked for."""
    return Rows(*(jnp.asarray(leaf) for leaf in load(dataset, preprocess, test_rows)))


@lru_cache(maxsize=2)
def _of_test_rows(dataset: str, settings: RealSettings) -> Labelled:
    rows = on_device(dataset, settings.preprocess, settings.test_rows)
    classes = DATASETS[dataset].num_classes
    return tests_of(dataset, classes, settings, rows.test_x, rows.test_y)


def tests_of(name: str, num_classes: int, settings: RealSettings, x: Any, y: Any) -> Labelled:
    """What is scored at rows x, y: draws depend on the set, their number and the point."""
    key = stream(jax.random.key(0), name)
    exact = settings.labels == "exact"
    anchors = {
        point: draw_anchors(
            stream(key, f"test {point[0]},{point[1]}"),
            point,
            len(y),
            settings.num_test_batches,
            exact,
        )
        for point in settings.points
    }
    return Labelled(x, jax.nn.one_hot(y, num_classes), anchors)


def shuffled(available: int, dataset: str, seed: int) -> NDArray[np.int64]:
    """A seed's order of the training rows. Every subject with that seed has the same one."""
    text = f"subsample {dataset} {seed}".encode()
    draws = np.random.default_rng(int.from_bytes(blake2b(text, digest_size=16).digest()))
    return draws.permutation(available)


def sample_rows(available: int, number: int, dataset: str, seed: int) -> NDArray[np.int64]:
    """Which training rows a seed learns from: [number], in the order of the data set.

    One seed's rows of a small problem are among its rows of a larger one, so that more data
    never means other data.
    """
    return np.sort(shuffled(available, dataset, seed)[:number])


def _moved_ahead(array: Any, rows: Any) -> Any:
    """Chosen rows first; what is beyond them is of no problem with so few."""
    return array.at[: len(rows)].set(array[rows])
