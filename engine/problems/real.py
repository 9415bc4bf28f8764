"""Real data: the first rows of a set to learn from, its test rows to be scored on."""

from __future__ import annotations

from functools import lru_cache
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.entry import lookup
from augury.engine.compiled import Compiled
from augury.engine.datasets.load import load
from augury.engine.errors import UsageError
from augury.engine.evaluation.scores import Tests
from augury.engine.learning.epistemic import UNKNOWN_TEMPERATURE
from augury.engine.metrics.test_sets import TestSet, draw_places
from augury.engine.problems.prepared import Prepared
from augury.engine.randomness import stream
from augury.engine.types import Prior

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int, PRNGKeyArray
    from numpy.typing import NDArray

    from augury.engine.catalog.problems import RealProblem
    from augury.engine.catalog.settings import RealSettings


def prepare(card: RealProblem, settings: RealSettings, seed: int = 0) -> Prepared:
    """Rows of a data set, and test batches that depend on the set and its test rows alone.

    Labels are what they are: the limit of low temperature, so the true log-likelihood is 0 and KL
    is minus the agent's joint log-likelihood (arXiv:2202.13509, section 5). Accuracy, NLL and ECE
    take every test row once.

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
    split = load(card.dataset, settings.preprocess, settings.test_rows)
    x, y = jnp.asarray(split.test_x), jnp.asarray(split.test_y)
    key = stream(jax.random.key(0), card.dataset)
    draw = drawing(facts.num_classes, settings.num_test_batches)
    sets = {
        (tau, kappa): draw(
            stream(key, f"test {tau},{kappa}"),
            x,
            y,
            jnp.int32(kappa),
            jnp.zeros((tau, kappa or tau)),
        )
        for tau, kappa in settings.points
    }
    rows = TestSet(x[:, None], jax.nn.one_hot(y, facts.num_classes)[:, None], jnp.zeros(len(y)))
    prior = Prior(facts.input_dim, card.num_train, facts.num_classes, UNKNOWN_TEMPERATURE)
    train_x, train_y = jnp.asarray(split.train_x), jnp.asarray(split.train_y)
    if settings.subsample == "random" and card.num_train < facts.num_train:
        chosen = jnp.asarray(sample_rows(facts.num_train, card.num_train, card.dataset, seed))
        train_x, train_y = _moved_ahead(train_x, chosen), _moved_ahead(train_y, chosen)
    return Prepared(
        train_x,
        train_y,
        prior,
        Tests(sets, rows),
        settings.num_epistemic,
    )


def sample_rows(available: int, number: int, dataset: str, seed: int) -> NDArray[np.int64]:
    """Which training rows a seed learns from: [number], in the order of the data set.

    One seed's rows of a small problem are among its rows of a larger one, so that more data
    never means other data. Every subject with that seed has the same ones.
    """
    text = f"subsample {dataset} {seed}".encode()
    draws = np.random.default_rng(int.from_bytes(blake2b(text, digest_size=16).digest()))
    return np.sort(draws.permutation(available)[:number])


def _moved_ahead(array: Any, rows: Any) -> Any:
    """Chosen rows first; what is beyond them is of no problem with so few."""
    return array.at[: len(rows)].set(array[rows])


@lru_cache(maxsize=16)
def drawing(num_classes: int, num_batches: int) -> Compiled:
    """(key, x, y, kappa, zeros [tau, k]) -> test set of batches of tau labels at k test rows."""

    def draw(key: PRNGKeyArray, x: Any, y: Any, kappa: Any, like: Any) -> TestSet:
        tau, distinct = like.shape
        row_key, place_key = jax.random.split(key)
        rows = jax.random.randint(row_key, (num_batches, distinct), 0, x.shape[0])
        places = draw_places(place_key, num_batches, tau, kappa)
        return TestSet(x[rows], count_labels(places, y[rows], num_classes), jnp.zeros(num_batches))

    return Compiled(draw)


def count_labels(
    places: Int[Array, "batch tau"], y: Int[Array, "batch k"], num_classes: int
) -> Float[Array, "batch k classes"]:
    """How often each distinct row, with its one given label, is among the tau."""
    times = jax.nn.one_hot(places, y.shape[1]).sum(1)
    return times[..., None] * jax.nn.one_hot(y, num_classes)
