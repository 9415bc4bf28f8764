"""Posterior predictive checks (arXiv:2112.01477): does the model expect its own error?

A cell is one predictive on one problem, checked in both modes against the same random numbers.
What is drawn for an environment does not depend on the subject; which members make the replicates
depends on the cell's seed as well.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from augury.engine.catalog.entry import load, override
from augury.engine.catalog.problems import NormalProblem, parse
from augury.engine.catalog.scenarios import SCENARIOS, default_settings
from augury.engine.errors import UsageError
from augury.engine.problems import normal
from augury.engine.randomness import generator
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import check
from augury.engine.statistics.mixture import MODES
from augury.engine.statistics.rows import check_rows
from augury.engine.types import (
    BatchContext,
    Cell,
    CellFinished,
    Data,
    Emit,
    MetricRow,
    Prior,
    Progress,
    Seconds,
)

STATISTIC = "calibration"  # what the board shows


@dataclass(frozen=True, slots=True)
class Prediction:
    """A subject's belief about the rows of one cell, and what those rows were."""

    cell: Cell
    predictive: Any
    observed: np.ndarray  # [rows]
    log_unit: float = 0.0  # added to -log density: log of what the values were divided by
    rows: tuple[MetricRow, ...] = ()
    seconds: Seconds = Seconds()
    width: int = 1
    curves: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)


def run_batch(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """Evaluate cells that share `plan.batch_key`; one `CellFinished` each, as it gets ready.

    Raises:
      UsageError: a subject that this kind of problem does not fit.
    """
    ids = tuple(cell.cell_id for cell in cells)
    shown = -np.inf
    for done, prediction in enumerate(_predictions(cells, emit, context)):
        if time.monotonic() - shown > 0.2:
            emit(Progress(ids, "evaluate", done, len(cells)))
            shown = time.monotonic()
        emit(evaluate(prediction))


def evaluate(prediction: Prediction) -> CellFinished:
    """Check one prediction in both modes."""
    start = time.perf_counter()
    cell, predictive = prediction.cell, prediction.predictive
    settings = override(default_settings(cell.scenario), cell.settings, cell.scenario)
    environment = parse(cell.problem).unit
    statistics = bind([STATISTIC], predictive)
    rows = list(prediction.rows)
    for mode in MODES:
        checks = check(
            predictive,
            prediction.observed,
            statistics,
            mode,
            settings.num_replicates,
            members=generator(f"ppc/members/{mode}", environment, cell.seed),
            noise=generator("ppc/noise", environment),
        )
        rows.extend(check_rows(checks[STATISTIC]))
    rows.extend(_score_rows(prediction))
    seconds = Seconds(
        prediction.seconds.compile, prediction.seconds.train, time.perf_counter() - start
    )
    return CellFinished(cell.cell_id, tuple(rows), seconds, prediction.width, prediction.curves)


def _predictions(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> Iterator[Prediction]:
    subject, problem = cells[0].subject, parse(cells[0].problem)
    family = "normal" if isinstance(problem, NormalProblem) else "quadratic"
    if subject not in _PREDICTORS[family]:
        fits = [f"ppc/{f}-..." for f, subjects in _PREDICTORS.items() if subject in subjects]
        raise UsageError(
            f"{subject} cannot be checked on {problem.id}; it fits {' and '.join(fits)}. "
            f"Here, use {' or '.join(_PREDICTORS[family])}."
        )
    yield from _PREDICTORS[family][subject](cells, emit, context)


def _posterior(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> Iterator[Prediction]:
    """Members drawn afresh from the exact posterior; no data to train on, so it is the prior."""
    for cell in cells:
        problem = parse(cell.problem)
        assert isinstance(problem, NormalProblem)
        entry = SCENARIOS[cell.scenario].subjects[cell.subject]
        config = override(entry.config, cell.config, cell.subject)
        prior = Prior(input_dim=0, num_train=0, noise_std=normal.NOISE_VARIANCE**0.5)
        nothing = Data(np.zeros((0, 0)), np.zeros((0, 1)))  # type: ignore[arg-type]
        sampler = load(entry.target)(config)(nothing, prior, None)
        data = normal.generate(problem, generator("ppc/normal", problem.environment))
        limits = []
        for mode in MODES if config == entry.config else ():
            value = normal.limit_p_value(problem, data.theta, mode)
            if value is not None:
                limits.append(MetricRow("p_limit", value, split=mode))
        yield Prediction(cell, sampler.predictive(problem.num_rows), data.y, rows=tuple(limits))


def _score_rows(prediction: Prediction) -> tuple[MetricRow, ...]:
    """Marginal scores of the mixture, the same in both modes."""
    predictive, y = prediction.predictive, prediction.observed
    nll = prediction.log_unit - predictive.log_density(y)
    covered = bind(["picp90"], predictive)(y)["picp90"]
    size = len(y)
    return (
        _finite("nll", nll.mean(), nll.std(ddof=1) / np.sqrt(size) if size > 1 else None, size),
        _finite("picp90", covered, np.sqrt(covered * (1.0 - covered) / size), size),
    )


def _finite(metric: str, value: Any, stderr: Any, size: int) -> MetricRow:
    if not np.isfinite(value):
        return MetricRow(metric, None, num_samples=size, reason=f"{metric} is not finite")
    return MetricRow(metric, float(value), None if stderr is None else float(stderr),
                     num_samples=size)  # fmt: skip


_PREDICTORS = {"normal": {"posterior": _posterior}, "quadratic": {}}
