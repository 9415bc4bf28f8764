"""Mutual information: train critics on pairs made afresh at each step, read every bound."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
import optax

from augury.engine.catalog.entry import load
from augury.engine.catalog.estimators import ESTIMATORS
from augury.engine.catalog.problems import parse
from augury.engine.catalog.problems.mi import GaussianProblem
from augury.engine.catalog.scenarios import config_of, entry_of, settings_of
from augury.engine.compiled import Compiled, compile_seconds
from augury.engine.critics.table import CRITICS
from augury.engine.errors import UsageError
from augury.engine.estimators.bounds import BITS
from augury.engine.estimators.objectives import OBJECTIVES
from augury.engine.estimators.stages import Schedule, rows
from augury.engine.learning.checkpoints import Checkpoint
from augury.engine.plan import training_key
from augury.engine.problems import gaussian
from augury.engine.randomness import stream
from augury.engine.training import Step, Trainer, curve, make_trainer, train
from augury.engine.types import (
    BatchContext,
    Cell,
    CellFinished,
    Emit,
    OutOfMemory,
    Progress,
    Seconds,
)

if TYPE_CHECKING:
    from augury.engine.catalog.estimators import CriticConfig

WIDTH = 8  # trainings side by side on an accelerator; on a CPU one after another is as fast


@dataclass(frozen=True, slots=True)
class Program:
    """What one objective, critic and number of sources compile to."""

    begin: Compiled  # keys [width] -> params
    trainer: Trainer


def run_batch(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """Train each distinct critic of `cells` once and finish every cell that reads it.

    Emits the estimate of every stage in bits beside the true value. Raises `UsageError` for a
    schedule with more stages than steps and `OutOfMemory` where the width does not fit.
    """
    units: dict[str, list[Cell]] = {}
    for cell in cells:
        units.setdefault(training_key(cell), []).append(cell)
    width = context.width or (1 if context.device.lower() == "cpu" else WIDTH)
    waiting, compiled = list(units.values()), compile_seconds()
    try:
        for start in range(0, len(waiting), width):
            for finished in _train(waiting[start : start + width], width, emit, context):
                # Every cell bears its share of what the batch has compiled, first or last.
                share = (compile_seconds() - compiled) / len(cells)
                emit(replace(finished, seconds=replace(finished.seconds, compile=share)))
    except jax.errors.JaxRuntimeError as error:
        if "RESOURCE_EXHAUSTED" in str(error) or "out of memory" in str(error).lower():
            raise OutOfMemory(str(error)) from error
        raise


def schedule_of(cell: Cell) -> Schedule:
    """Stages of a cell's training. Raises `UsageError` where a stage would have no step."""
    problem = _problem(cell)
    settings, config = settings_of(cell), config_of(cell)
    steps = min(config.num_steps, settings.max_steps or config.num_steps)
    if steps < len(problem.bits):
        raise UsageError(f"{cell.problem} has {len(problem.bits)} stages but {steps} steps.")
    return Schedule(problem.bits, steps // len(problem.bits), settings.num_final)


def _train(
    units: Sequence[Sequence[Cell]], width: int, emit: Emit, context: BatchContext
) -> Iterator[CellFinished]:
    """One training side by side for each unit; a unit's cells read the same scores."""
    cells = [cell for unit in units for cell in unit]
    ids = tuple(cell.cell_id for cell in cells)
    first = [unit[0] for unit in units]
    schedule = schedule_of(first[0])
    started, compiled = time.monotonic(), compile_seconds()
    emit(Progress(ids, "compile", 0, schedule.num_steps))
    program = _program_of(first[0], width)
    padded = [*first, *[first[-1]] * (width - len(first))]
    keys = jnp.stack([jax.random.key(cell.seed) for cell in padded])
    kept = context.checkpoints and Checkpoint.of(context.checkpoints, ids, "mi", width)

    def on_chunk(done: int, losses: np.ndarray) -> None:
        recent = losses[: len(units)]
        mean = float(np.mean(recent[np.isfinite(recent)])) if np.isfinite(recent).any() else None
        emit(Progress(ids, "train", done, schedule.num_steps, mean))

    arguments = {
        "bits": jnp.asarray([_problem(cell).bits for cell in padded], jnp.float32),
        "stage_steps": jnp.full(width, schedule.stage_steps, jnp.int32),
        "learning_rate": jnp.asarray([config_of(c).learning_rate for c in padded], jnp.float32),
    }
    trained = train(
        program.trainer,
        program.begin(jax.vmap(lambda key: stream(key, "critic"))(keys)),
        jax.vmap(lambda key: stream(key, "pairs"))(keys),
        arguments,
        schedule.num_steps,
        on_chunk,
        kept or None,
    )
    training = time.monotonic() - started - (compile_seconds() - compiled)
    seconds = Seconds(train=training / len(cells))
    for position, unit in enumerate(units):
        loss = curve(trained.losses[position])
        for cell in unit:
            values = np.asarray(trained.record[cell.subject][position], np.float64) * BITS
            found = rows(values, replace(schedule, bits=_problem(cell).bits))
            curves = {"mi": curve(values), "loss": loss}
            yield CellFinished(cell.cell_id, found, seconds, width, curves)
    if kept:
        kept.remove()


def _problem(cell: Cell) -> GaussianProblem:
    problem = parse(cell.problem)
    assert isinstance(problem, GaussianProblem)
    return problem


def _program_of(cell: Cell, width: int) -> Program:
    entry, config = entry_of(cell), config_of(cell)
    objective = entry.group or cell.subject
    # Rates and lengths are arguments of the program: a fixed value keeps it out of the cache's key.
    fixed = replace(config, learning_rate=1.0, num_steps=1)
    return make_program(objective, fixed, _problem(cell).num_sources, width)


@cache
def make_program(objective: str, config: CriticConfig, num_sources: int, width: int) -> Program:
    """Compile-once functions that train `width` critics by one objective.

    Every bound whose estimator names this objective is recorded at each step, before the update.
    """
    critic, objective_of = CRITICS[config.critic], OBJECTIVES[objective]
    bounds = {n: load(e.target) for n, e in sorted(ESTIMATORS.items()) if e.group == objective}

    def batch(key: Any, step: Any, arguments: Any) -> Any:
        stage = jnp.minimum(step // arguments["stage_steps"], arguments["bits"].shape[0] - 1)
        fresh = jax.random.fold_in(key, step)
        return gaussian.sample(fresh, arguments["bits"][stage], config.batch_size, num_sources)

    def loss(params: Any, pairs: Any, key: Any, arguments: Any) -> Any:
        scores = critic.scores(params, *pairs)
        return -objective_of(scores), {name: bound(scores) for name, bound in bounds.items()}

    def adam(arguments: Any) -> optax.GradientTransformation:
        return optax.adam(arguments["learning_rate"])

    begin = jax.vmap(lambda key: critic.init(key, num_sources, num_sources, config))
    return Program(Compiled(begin, name="critic"), make_trainer(Step(batch, loss, adam), width))
