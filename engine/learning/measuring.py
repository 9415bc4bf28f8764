"""How many cells train side by side, measured: a few steps at the widths next to the rule's."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import jax

from augury.engine.compiled import compile_seconds
from augury.engine.learning.fitting import Fitter, done_with, stacked

if TYPE_CHECKING:
    from jaxtyping import PRNGKeyArray

    from augury.engine.learning.epistemic import Known

Row = tuple["PRNGKeyArray", Any, Any, "Known"]
SHORT, LONG = 8, 40  # steps of the two timed stretches: what they share cancels
GAIN = 0.2  # of the training time that another width may save, at most, as seen so far
CLEAR = 0.95  # a width replaces another when a cell's step takes less than this of it


def measure_width(
    make: Callable[[int], Fitter],
    rows: Sequence[Row],
    num_steps: int,
    trainings: int,
    rule: int,
    most: int,
) -> int:
    """The width at which a cell's step is shortest, of the rule's and its neighbours'.

    Args:
        make: the fitter of a width; what it compiles is kept, so the chosen one costs nothing.
        rows: cells of the batch, at least one; they repeat to fill a width.
        num_steps: steps of each training.
        trainings: trainings that this answer will serve.
        rule: what to start from, and the answer where measuring would not pay for its compiling.
        most: the widest that memory and the planner allow.
    """
    compiling = compile_seconds()
    best, seconds = rule, step_seconds(make(rule), rows)
    compiling = compile_seconds() - compiling
    if GAIN * seconds * num_steps * trainings < 2 * compiling:
        return rule
    for towards in (2.0, 0.5):
        width = int(best * towards)
        while 1 <= width <= most:
            try:
                found = step_seconds(make(width), rows)
            except Exception as error:  # noqa: BLE001  JAX has no class for exhausted memory
                if "RESOURCE_EXHAUSTED" not in str(error):
                    raise
                break
            if found >= CLEAR * seconds:
                break
            best, seconds = width, found
            width = int(width * towards)
        if best != rule:
            break
    return best


def step_seconds(fitter: Fitter, rows: Sequence[Row]) -> float:
    """Seconds of one step of one cell, at the fitter's width."""
    assert fitter.trainer is not None
    width = fitter.trainer.width
    cells = [rows[i % len(rows)] for i in range(width)]
    _, params, keys, arguments = stacked(fitter, cells)
    state = fitter.trainer.start(params, arguments)
    spent = []
    for steps in (SHORT, SHORT, LONG):  # the first compiles
        started = time.perf_counter()
        state, _ = fitter.trainer.advance(state, keys, arguments, _int(0), _int(steps))
        jax.block_until_ready(state)
        spent.append(time.perf_counter() - started)
    done_with(fitter, arguments)
    return max(spent[2] - spent[1], 1e-9) / (LONG - SHORT) / width


def _int(value: int) -> Any:
    return jax.numpy.int32(value)
