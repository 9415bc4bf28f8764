"""What bounds return for the exact density ratio: their own error, without any training."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.problems.mi import PairProblem
from augury.engine.compiled import Compiled
from augury.engine.estimators.bounds import BITS
from augury.engine.estimators.objectives import OBJECTIVES, bounds_of
from augury.engine.problems.sources import items_of, source_of, truth_of


class Reading(NamedTuple):
    """Values of one bound over independent batches, in bits."""

    mean: float | None  # None: some batch has no finite value
    stderr: float | None
    std: float | None


@lru_cache(maxsize=256)
def readings(
    problem: PairProblem, objective: str, num_pairs: int, batches: int
) -> tuple[dict[str, Reading], ...]:
    """For each stage, what each estimator of an objective reads with the exact critic.

    The exact critic is the log density ratio, plus what the objective is best at. The same in
    every run: it belongs to the problem and the batch size.
    """
    found = values(problem, objective, num_pairs, batches)
    return tuple({name: _reading(v[stage]) for name, v in found.items()}
                 for stage in range(len(problem.bits)))  # fmt: skip


def values(
    problem: PairProblem, objective: str, num_pairs: int, batches: int
) -> dict[str, np.ndarray]:
    """What each estimator reads in each batch, in bits: [stages, batches]."""
    program = _program(objective, problem.blank(), num_pairs, batches)
    levels, items = jnp.asarray(truth_of(problem).levels), items_of(problem).every
    found = [program(jax.random.key(0), level, items) for level in levels]
    return {name: np.stack([np.asarray(one[name], np.float64) * BITS for one in found])
            for name in found[0]}  # fmt: skip


@lru_cache(maxsize=64)
def _program(objective: str, problem: PairProblem, num_pairs: int, batches: int) -> Compiled:
    source, bounds, aim = source_of(problem), bounds_of(objective), OBJECTIVES[objective]

    def read(key: jax.Array, level: jax.Array, items: object) -> dict[str, jax.Array]:
        def one(at: jax.Array) -> dict[str, jax.Array]:
            pairs = source.sample(jax.random.fold_in(key, at), level, num_pairs, items)
            best = source.log_ratio(*pairs.hidden, level) + aim.optimum
            return {name: bound(best) for name, bound in bounds.items()}

        return jax.lax.map(one, jnp.arange(batches))

    return Compiled(read, name="exact critic")


def _reading(values: np.ndarray) -> Reading:
    if not np.isfinite(values).all():
        return Reading(None, None, None)
    std = float(values.std(ddof=1))
    return Reading(float(values.mean()), std / math.sqrt(len(values)), std)
