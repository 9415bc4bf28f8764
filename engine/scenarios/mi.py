"""Mutual information: train critics on pairs made afresh at each step, read every bound."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.batching import training_key
from augury.engine.catalog.estimators import SAMPLES
from augury.engine.catalog.problems import ItemProblem, PairProblem, parse
from augury.engine.catalog.scenarios import config_of, entry_of, settings_of
from augury.engine.compiled import compile_seconds
from augury.engine.critics import exact_critic
from augury.engine.critics.program import Learnt, Program, make_program, plain
from augury.engine.errors import UsageError
from augury.engine.estimators.bounds import BITS
from augury.engine.estimators.stages import Known, Schedule, Value, rows
from augury.engine.information import samples
from augury.engine.information.decodable import decodable
from augury.engine.learning.checkpoints import Checkpoint
from augury.engine.problems.sources import items_of, truth_of
from augury.engine.randomness import stream
from augury.engine.training import curve, train
from augury.engine.types import (
    BatchContext,
    Cell,
    CellFinished,
    Emit,
    OutOfMemory,
    Progress,
    Seconds,
)

WIDTH = 8  # trainings side by side on an accelerator; on a CPU one after another is as fast
LONGER = 4  # looks beside the reported one, that tell whether its interval is right


def run_batch(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """Train each distinct critic of `cells` once and finish every cell that reads it.

    Emits the estimate of every stage in bits beside the true value. Raises `UsageError` for a
    schedule with more stages than steps and `OutOfMemory` where the width does not fit.
    """
    if SAMPLES in entry_of(cells[0]).tags:
        for done, cell in enumerate(cells):
            emit(Progress((cell.cell_id,), "evaluate", done, len(cells)))
            emit(_sampled(cell))
        return
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
    truth = truth_of(_problem(cell))
    settings, config = settings_of(cell), config_of(cell)
    steps = min(config.num_steps, settings.max_steps or config.num_steps)
    if steps < len(truth.bits):
        raise UsageError(f"{cell.problem} has {len(truth.bits)} stages but {steps} steps.")
    return Schedule(truth.bits, steps // len(truth.bits), settings.num_final)


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
    program = program_of(first[0], width)
    padded = [*first, *[first[-1]] * (width - len(first))]
    keys = jnp.stack([jax.random.key(cell.seed) for cell in padded])
    kept = context.checkpoints and Checkpoint.of(context.checkpoints, ids, "mi", width)
    items = items_of(_problem(first[0]))
    pool = items.every if settings_of(first[0]).pool == "full" else items.train

    def on_chunk(done: int, losses: np.ndarray) -> None:
        recent = losses[: len(units)]
        mean = float(np.mean(recent[np.isfinite(recent)])) if np.isfinite(recent).any() else None
        emit(Progress(ids, "train", done, schedule.num_steps, mean))

    traced = [plain(config_of(cell))[1] for cell in padded]
    own = {
        "levels": jnp.asarray(np.stack([truth_of(_problem(cell)).levels for cell in padded])),
        "stage_steps": jnp.full(width, schedule.stage_steps, jnp.int32),
        **{n: jnp.asarray([t[n] for t in traced], jnp.float32) for n in traced[0]},
    }
    ends = [schedule.stage_steps * (stage + 1) for stage in range(len(schedule.bits))]
    trained = train(
        program.trainer,
        program.begin(jax.vmap(lambda key: stream(key, "critic"))(keys)),
        jax.vmap(lambda key: stream(key, "pairs"))(keys),
        (own, pool),
        schedule.num_steps,
        on_chunk,
        kept or None,
        keep=ends,
    )
    spent = time.monotonic()
    training = spent - started - (compile_seconds() - compiled)
    for position, unit in enumerate(units):
        emit(Progress(tuple(cell.cell_id for cell in unit), "evaluate", 0, len(ends)))
        started, compiled = time.monotonic(), compile_seconds()
        known = _second_look(unit[0], program, trained.kept, position, items.held_out)
        loss = curve(trained.losses[position])
        mine = replace(schedule, bits=truth_of(_problem(unit[0])).bits)
        looking = time.monotonic() - started - (compile_seconds() - compiled)
        seconds = Seconds(train=training / len(cells), evaluate=looking / len(unit))
        for cell in unit:
            values = np.asarray(trained.record[cell.subject][position], np.float64) * BITS
            found = rows(values, mine, known[cell.subject])
            curves = {"mi": curve(values), "loss": loss}
            yield CellFinished(cell.cell_id, found, seconds, width, curves)
    if kept:
        kept.remove()


def _sampled(cell: Cell) -> CellFinished:
    """A cell whose estimator trains nothing."""
    started, compiled = time.monotonic(), compile_seconds()
    problem = _problem(cell)
    known = [Known(decodable=value) for value in _decodable(problem)]
    found = tuple(samples.estimate(entry_of(cell), config_of(cell), problem, cell.seed, known))
    spent = compile_seconds() - compiled
    seconds = Seconds(compile=spent, evaluate=time.monotonic() - started - spent)
    return CellFinished(cell.cell_id, found, seconds)


def _decodable(problem: PairProblem) -> tuple[Value | None, ...]:
    """Of each stage, where it is not the nominal value."""
    if isinstance(problem, ItemProblem):
        return decodable(problem)
    return (None,) * len(problem.bits)


def _second_look(
    cell: Cell, program: Program, kept: Any, position: int, held_out: Any
) -> dict[str, list[Known]]:
    """Of each estimator and stage: what a trained critic reads elsewhere, what the exact one."""
    problem, settings, config = _problem(cell), settings_of(cell), config_of(cell)
    objective = entry_of(cell).group
    truth, pairs = truth_of(problem), config.batch_size
    exact = exact_critic.readings(problem, objective, pairs, settings.oracle_batches)
    share = jnp.float32(plain(config)[1]["share"])
    found: dict[str, list[Known]] = {name: [] for name in exact[0]}
    draws = batches_of(settings.held_out_pairs, pairs) * pairs * (pairs - 1)
    apart = settings.pool == "split" or not isinstance(problem, ItemProblem)
    readable = _decodable(problem)
    for stage, level in enumerate(truth.levels):
        looks: list[dict[str, Value]] = []
        if apart:
            params = jax.tree.map(lambda leaf, s=stage: jnp.asarray(leaf[position, s]), kept)
            key = stream(jax.random.fold_in(jax.random.key(cell.seed), stage), "held-out")
            for again in range(1 + LONGER):
                fresh = jax.random.fold_in(key, again)
                read = program.look(Learnt(*params), fresh, jnp.asarray(level), held_out, share)
                looks.append({name: _in_bits(pooled, draws) for name, pooled in read.items()})
        for name, reading in exact[stage].items():
            best = Value(float("nan"), float("nan"))
            if reading.mean is not None and reading.stderr is not None:
                best = Value(reading.mean, reading.stderr, settings.oracle_batches)
            values = [look[name] for look in looks]
            found[name].append(
                Known(
                    values[0] if values else None, _joined(values[1:]), best, readable[stage], pairs
                )
            )
    return found


def _in_bits(pooled: Any, draws: int) -> Value:
    return Value(float(pooled.value) * BITS, float(pooled.stderr) * BITS, draws)


def _joined(values: Sequence[Value]) -> Value | None:
    """Looks of equal length as one."""
    if not values:
        return None
    number = len(values)
    spread = float(np.sqrt(sum(v.stderr**2 for v in values))) / number
    total = sum(v.num_samples for v in values)
    return Value(float(np.mean([v.value for v in values])), spread, total)


def batches_of(held_out_pairs: int, batch_size: int) -> int:
    """Batches whose unlike pairs are at least so many; two, for an error."""
    return max(2, -(-held_out_pairs // (batch_size * (batch_size - 1))))


def _problem(cell: Cell) -> PairProblem:
    problem = parse(cell.problem)
    assert isinstance(problem, PairProblem)
    return problem


def program_of(cell: Cell, width: int) -> Program:
    """The program that trains and reads the critic of a cell."""
    config, _ = plain(config_of(cell))
    batches = batches_of(settings_of(cell).held_out_pairs, config.batch_size)
    return make_program(entry_of(cell).group, config, _problem(cell).blank(), width, batches)
