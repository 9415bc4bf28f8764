"""Cells whose joint predictions are scored (testbed, real): prepare, fit side by side, score."""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from augury.engine.catalog.entry import load, static
from augury.engine.catalog.scenarios import config_of, entry_of, settings_of
from augury.engine.catalog.settings import JointSettings
from augury.engine.compiled import Compiled, compile_seconds
from augury.engine.evaluation.scores import make_evaluator, score_learner
from augury.engine.learning.checkpoints import Checkpoint
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import (
    Learner,
    agent_key,
    epistemic_key,
    make_known,
)
from augury.engine.learning.fitting import Fitter, fit_cells, make_fitter
from augury.engine.learning.measuring import measure_width
from augury.engine.learning.reports import reports
from augury.engine.learning.widths import choose_width, members_at_once, widest
from augury.engine.training import curve, diverged
from augury.engine.types import (
    BatchContext,
    Cell,
    CellFinished,
    Emit,
    MetricRow,
    Progress,
    Seconds,
    canonical,
)

if TYPE_CHECKING:
    from augury.engine.problems.prepared import Prepared

Prepare = Callable[[Cell, JointSettings], "Prepared"]
MEASURED_STEPS = 500  # shorter trainings follow the rule


@dataclass(frozen=True, slots=True)
class Programs:
    """What is compiled once for cells of one kind and width."""

    fitter: Fitter
    evaluator: Compiled


def run_cells(cells: Sequence[Cell], emit: Emit, context: BatchContext, prepare: Prepare) -> None:
    """Evaluate cells that share a batch key; one `CellFinished` for each."""
    settings = settings_of(cells[0])
    agents = [make_agent(cell) for cell in cells]
    if not isinstance(agents[0], LearnerAgent):
        for cell, agent in zip(cells, agents, strict=True):
            _run_contract(cell, agent, settings, emit, prepare)
        return
    _run_learners(cells, agents, settings, emit, context, prepare)


def _run_learners(
    cells: Sequence[Cell],
    agents: Sequence[LearnerAgent],
    settings: JointSettings,
    emit: Emit,
    context: BatchContext,
    prepare: Prepare,
) -> None:
    pending = list(zip(cells, agents, strict=True))
    width = context.width
    while pending:
        started, compiled = time.perf_counter(), compile_seconds()
        first = prepare(pending[0][0], settings)
        learner = agents[0].learner(first.prior.input_dim, first.prior.num_classes)
        programs = functools.partial(
            _programs,
            entry_of(cells[0]).target,
            canonical(static(agents[0].config)),
            first.prior.input_dim,
            first.prior.num_classes,
            settings.num_epistemic,
            members=members_at_once(context.device),
            shared=first.shared,
            built=_Built(learner),
        )
        if width is None:
            emit(Progress(tuple(cell.cell_id for cell, _ in pending), "compile"))
            width = _width(pending[0], first, learner, settings, context, programs)
        group, pending = pending[:width], pending[width:]
        # No name for them here: the next group's would be made beside them.
        _run_group(
            group,
            [first, *(prepare(cell, settings) for cell, _ in group[1:])],
            programs(width=width),
            settings,
            emit,
            context,
            (started, compiled),
        )


def _width(
    one: tuple[Cell, LearnerAgent],
    problem: Prepared,
    learner: Learner,
    settings: JointSettings,
    context: BatchContext,
    programs: Callable[..., Programs],
) -> int:
    """Measured where enough trainings wait to repay it, else by rule."""
    rule = choose_width(learner, problem, context.device)
    steps = _steps(learner, problem, settings)
    if steps < MEASURED_STEPS or not context.waiting:
        return rule
    cell, agent = one
    known = make_known(problem.prior.num_train, problem.prior.temperature, agent.config)
    rows = [(agent_key(cell.seed, cell.problem), problem.x, problem.y, known)]
    make = lambda width: programs(width=width).fitter  # noqa: E731
    return measure_width(make, rows, steps, context.waiting, rule, widest(problem))


def _steps(learner: Learner, problem: Prepared, settings: JointSettings) -> int:
    rules, told = learner.training, problem.prior
    steps = rules.steps(told.num_train, told.input_dim) if rules else 0
    return min(steps, settings.max_steps or steps)


def _run_group(
    group: Sequence[tuple[Cell, LearnerAgent]],
    problems: Sequence[Prepared],
    programs: Programs,
    settings: JointSettings,
    emit: Emit,
    context: BatchContext,
    since: tuple[float, float],
) -> None:
    ids = tuple(cell.cell_id for cell, _ in group)
    width = programs.fitter.trainer.width if programs.fitter.trainer else 1
    # Cells of one batch key have equally many steps.
    steps = _steps(programs.fitter.learner, problems[0], settings)
    emit(Progress(ids, "compile" if programs.evaluator.compilations == 0 else "train", 0, steps))
    keys = [agent_key(cell.seed, cell.problem) for cell, _ in group]
    knowns = [
        make_known(p.prior.num_train, p.prior.temperature, agent.config)
        for (_, agent), p in zip(group, problems, strict=True)
    ]
    kept = Checkpoint.of(context.checkpoints, ids, width, steps) if context.checkpoints else None
    rows = [
        (key, problem.x, problem.y, known)
        for key, problem, known in zip(keys, problems, knowns, strict=True)
    ]
    report = reports(emit, ids, len(group), steps)
    learned, losses = fit_cells(programs.fitter, rows, steps, report, kept)
    started, compiled = since
    compile_share = (compile_seconds() - compiled) / len(group)
    train_share = (time.perf_counter() - started) / len(group) - compile_share
    for i, (cell, _) in enumerate(group):
        emit(Progress(ids, "evaluate", steps, steps))
        began, compiled = time.perf_counter(), compile_seconds()
        metrics = score_learner(
            programs.evaluator, learned[i], epistemic_key(keys[i]), knowns[i], problems[i].tests
        )
        extra = compile_seconds() - compiled
        seconds = Seconds(compile_share + extra, train_share, time.perf_counter() - began - extra)
        curves = {"loss": curve(losses[i])} if losses.shape[1] else {}
        emit(CellFinished(cell.cell_id, explained(metrics, losses[i]), seconds, width, curves))
    if kept:
        kept.remove()


def explained(rows: Sequence[MetricRow], losses: np.ndarray) -> tuple[MetricRow, ...]:
    """Rows whose missing values say that training diverged, where it did."""
    why = diverged(losses)
    if not why:
        return tuple(rows)
    return tuple(
        MetricRow(r.metric, None, None, r.tau, r.kappa, r.split, r.num_samples, why) for r in rows
    )


def _run_contract(
    cell: Cell, agent: Any, settings: JointSettings, emit: Emit, prepare: Prepare
) -> None:
    problem = prepare(cell, settings)
    key = agent_key(cell.seed, cell.problem)
    emit(Progress((cell.cell_id,), "train"))
    started = time.perf_counter()
    sampler = agent(problem.train, problem.prior, key)
    trained = time.perf_counter()
    emit(Progress((cell.cell_id,), "evaluate"))
    rows = problem.score(sampler, epistemic_key(key))
    seconds = Seconds(0.0, trained - started, time.perf_counter() - trained)
    emit(CellFinished(cell.cell_id, tuple(rows), seconds, 1))


@dataclass(frozen=True, slots=True, eq=False)
class _Built:
    """A learner as an argument of a cache that the other arguments identify."""

    learner: Learner

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Built)

    def __hash__(self) -> int:
        return 0


@functools.lru_cache(maxsize=32)
def _programs(
    target: str,
    config: str,
    input_dim: int,
    classes: int,
    samples: int,
    width: int,
    members: int,
    shared: bool,
    built: _Built,
) -> Programs:
    fitter = make_fitter(built.learner, width, members, shared)
    return Programs(fitter, make_evaluator(built.learner, samples))


def make_agent(cell: Cell) -> Any:
    """The agent of a cell, with the cell's config."""
    make = load(entry_of(cell).target)
    if "agent" in cell.resources:
        return make(cell.resources["agent"], cell.source)
    return make(config_of(cell))
