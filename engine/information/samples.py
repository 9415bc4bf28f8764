"""Estimators that take samples, on pairs drawn once: one row of numbers for each stage."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.catalog.entry import load
from augury.engine.catalog.problems.mi import PairProblem
from augury.engine.compiled import Compiled
from augury.engine.estimators.bounds import BITS
from augury.engine.estimators.stages import Known, Value, compared, names
from augury.engine.problems.sources import items_of, source_of, truth_of
from augury.engine.randomness import stream
from augury.engine.types import MetricRow

if TYPE_CHECKING:
    from jaxtyping import Float

    from augury.engine.catalog.entry import Entry

BLOCK = 500  # pairs made at once: images of many would not fit


def estimate(
    entry: Entry[Any], config: Any, problem: PairProblem, seed: int, known: list[Known]
) -> Iterator[MetricRow]:
    """Draw `config.num_samples` pairs for each stage and read them.

    The value has no error of its own: the spread over seeds is one.
    """
    truth, function = truth_of(problem), load(entry.target)
    for stage, (true, split) in enumerate(zip(truth.bits, names(truth.bits), strict=True)):
        x, y = draw(problem, truth.levels[stage], config.num_samples, seed)
        value = function(x, y, config) * BITS
        found = Value(value, math.nan, len(x)) if math.isfinite(value) else None
        said = "" if found else "diverged: the value is not finite"
        yield from compared(split, true, found, said, known[stage] if known else Known())
        yield MetricRow("mi_diverged", float(found is None), None, 0, 0, split, len(x))


def draw(
    problem: PairProblem, level: Any, number: int, seed: int
) -> tuple[Float[np.ndarray, "rows x_dim"], Float[np.ndarray, "rows y_dim"]]:
    """`number` pairs of one stage; every estimator gets the same ones."""
    program = _program(problem.blank())
    key = stream(jax.random.key(seed), "samples")
    every = items_of(problem).every
    parts = [program(key, jnp.int32(at), jnp.asarray(level), every)
             for at in range(-(-number // BLOCK))]  # fmt: skip
    x, y = (np.concatenate([np.asarray(p[side], np.float64) for p in parts]) for side in (0, 1))
    return x[:number], y[:number]


@lru_cache(maxsize=64)
def _program(problem: PairProblem) -> Compiled:
    source = source_of(problem)

    def block(key: jax.Array, at: jax.Array, level: jax.Array, items: Any) -> Any:
        pairs = source.sample(jax.random.fold_in(key, at), level, BLOCK, items)
        return pairs.x, pairs.y

    return Compiled(block, name="samples")
