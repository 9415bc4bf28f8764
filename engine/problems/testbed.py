"""Testbed problems from their cards: one compiled draw for each input dimension."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax.numpy as jnp

from augury.engine.catalog.problems import PlaneProblem, TestbedProblem
from augury.engine.compiled import Compiled
from augury.engine.metrics.pool import Point, Pool, draw_pool
from augury.engine.problems.environment import (
    Environment,
    draw_environment,
    draw_training,
    environment_key,
    logits,
)
from augury.engine.problems.prepared import Prepared
from augury.engine.types import Prior

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.catalog.settings import JointSettings

LARGEST_RATIO = 1_000  # of the published sweeps: up to it, rows need no program of their own


def prepare(card: TestbedProblem | PlaneProblem, settings: JointSettings) -> Prepared:
    """Draw environment, training rows and test batches of a card.

    Raises:
        UsageError: the test inputs would not fit in memory.
    """
    settings.check_inputs(card.input_dim)
    draw = drawing(
        card.input_dim,
        capacity(card),
        settings.num_test_batches,
        settings.points,
        settings.labels == "exact",
        settings.estimator == "projection",
    )
    x, y, tests = draw(
        environment_key(card.environment, card.setting),
        jnp.int32(card.num_train),
        jnp.float32(card.temperature),
    )
    prior = Prior(card.input_dim, card.num_train, 2, card.temperature, layers=2)
    return Prepared(x, y, prior, tests, settings.num_epistemic)


def capacity(card: TestbedProblem | PlaneProblem) -> int:
    """Rows of the padded training array: the same for all published problems of a dimension."""
    most = LARGEST_RATIO * card.input_dim
    while most < card.num_train:
        most *= 2
    return most


@lru_cache(maxsize=8)
def drawing(
    input_dim: int,
    rows: int,
    num_batches: int,
    points: tuple[Point, ...],
    exact: bool,
    projected: bool,
) -> Compiled:
    """(key, num_train, temperature) -> (x, y, pool of test inputs); all three traced."""

    def draw(key: PRNGKeyArray, num_train: Any, temperature: Any) -> Any:
        environment = draw_environment(key, input_dim, temperature)
        x, y = draw_training(key, environment, num_train, rows, input_dim)
        return x, y, fresh_tests(key, environment, input_dim, num_batches, points, exact, projected)

    return Compiled(draw)


def fresh_tests(
    key: PRNGKeyArray,
    environment: Environment,
    input_dim: int,
    num_batches: int,
    points: tuple[Point, ...],
    exact: bool,
    projected: bool = False,
) -> Pool:
    """Test inputs x ~ N(0, I) of an environment, for every (tau, kappa); traceable."""
    truth = lambda x: logits(environment, x)  # noqa: E731
    return draw_pool(key, points, num_batches, input_dim, truth, exact, projected)
