"""Real data: the first rows of a set to learn from, its test rows to be scored on."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

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

    from augury.engine.catalog.problems import RealProblem
    from augury.engine.catalog.settings import JointSettings


def prepare(card: RealProblem, settings: JointSettings) -> Prepared:
    """Rows of a data set, and test batches that depend on the set alone.

    Labels are what they are: the limit of low temperature, so the true log-likelihood is 0 and KL
    is minus the agent's joint log-likelihood (arXiv:2202.13509, section 5). Accuracy, NLL and ECE
    take every test row once.

    Raises:
        UsageError: no such set, or more rows than it has.
    """
    if settings.estimator == "projection":
        raise UsageError("the projection estimator is for the testbed only.")
    facts = lookup(DATASETS, card.dataset, "data set")
    if not 1 <= card.num_train <= facts.num_train:
        raise UsageError(f"{card.dataset} has 1 to {facts.num_train} rows, not {card.num_train}.")
    split = load(card.dataset)
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
    return Prepared(
        jnp.asarray(split.train_x),
        jnp.asarray(split.train_y),
        prior,
        Tests(sets, rows),
        settings.num_epistemic,
    )


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
