"""Posterior predictive checks (arXiv:2112.01477): does the model expect its own error?"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Any

import numpy as np

from augury.engine import training
from augury.engine.batching import training_key
from augury.engine.catalog.entry import load
from augury.engine.catalog.members import IMAGE_MEMBERS
from augury.engine.catalog.problems import (
    CorruptionProblem,
    NormalProblem,
    QuadraticProblem,
    parse,
)
from augury.engine.catalog.scenarios import config_of, entry_of, settings_of
from augury.engine.compiled import compile_seconds
from augury.engine.errors import UsageError
from augury.engine.evaluation import image_cells
from augury.engine.evaluation.checks import Prediction, evaluate
from augury.engine.evaluation.label_checks import LabelPrediction, evaluate_labels
from augury.engine.learning.checkpoints import Checkpoint
from augury.engine.learning.epistemic import agent_key
from augury.engine.learning.reports import PROGRESS_SECONDS, reports
from augury.engine.networks import fitted_gaussian
from augury.engine.problems import normal, quadratic
from augury.engine.randomness import generator, stream
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.statistics.predictive import MODES
from augury.engine.types import (
    BatchContext,
    Cell,
    Data,
    Emit,
    MetricRow,
    Prior,
    Progress,
    Seconds,
)

GPU_NETWORKS = 1_600  # trained side by side; on CPU ensembles go one after another
_data = lru_cache(maxsize=8)(quadratic.generate)


def run_batch(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """Evaluate cells that share `batching.batch_key`; one `CellFinished` each, as it gets ready.

    Raises:
      UsageError: a subject that this kind of problem does not fit.
    """
    predict = _predictor(cells[0])
    shown = -np.inf
    for done, prediction in enumerate(predict(cells, emit, context)):
        if time.monotonic() - shown >= PROGRESS_SECONDS:
            shown = time.monotonic()
            emit(Progress((prediction.cell.cell_id,), "evaluate", done, len(cells)))
        labels = isinstance(prediction, LabelPrediction)
        emit(evaluate_labels(prediction) if labels else evaluate(prediction))


def _predictor(cell: Cell) -> Predictor:
    kind = type(parse(cell.problem))
    table = _PREDICTORS.get(kind, {})
    if cell.subject not in table:
        raise UsageError(
            f"{cell.subject} cannot be checked on {cell.problem}; there, use "
            f"{' or '.join(table) or 'nothing: it is no problem of this scenario'}."
        )
    return table[cell.subject]


def _posterior(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> Iterator[Prediction]:
    """Members drawn afresh from the exact posterior; no data to train on, so it is the prior."""
    for cell in cells:
        problem, config = parse(cell.problem), config_of(cell)
        assert isinstance(problem, NormalProblem)
        entry = entry_of(cell)
        prior = Prior(input_dim=0, num_train=0, noise_std=normal.NOISE_VARIANCE**0.5)
        nothing: Any = Data(np.zeros((0, 0)), np.zeros((0, 1)))  # type: ignore[arg-type]
        sampler = load(entry.target)(config)(nothing, prior, None)
        data = normal.generate(problem, generator("ppc/normal", problem.environment))
        limits = []
        for mode in MODES if config == entry.config else ():
            value = normal.limit_p_value(problem, data.theta, mode)
            if value is not None:
                limits.append(MetricRow("p_limit", value, split=mode))
        yield Prediction(cell, sampler.predictive(problem.num_rows), data.y, rows=tuple(limits))


def _networks(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> Iterator[Prediction]:
    """Networks trained once for each training key, then read at every test region asked for."""
    keyed = sorted(((training_key(cell), i) for i, cell in enumerate(cells)))
    units = [[cells[i] for _, i in unit] for _, unit in groupby(keyed, key=lambda item: item[0])]
    width = context.width or _width(_agent(cells[0]).num_networks, context.device)
    for start in range(0, len(units), width):
        yield from _train(units[start : start + width], width, emit, context)


def _train(
    units: Sequence[Sequence[Cell]], width: int, emit: Emit, context: BatchContext
) -> Iterator[Prediction]:
    """Fit the networks of each unit side by side. Time is shared among the cells."""
    started, compiled = time.perf_counter(), compile_seconds()
    heads = [unit[0] for unit in units]
    ids = tuple(cell.cell_id for unit in units for cell in unit)
    built = _agent(heads[0]).programs(1, width, settings_of(heads[0]).max_steps)
    steps = built.num_steps
    data = [_data(parse(cell.problem).unit) for cell in heads]
    fits = [
        (
            agent_key(cell.seed, parse(cell.problem).training()),
            known.train.x,
            known.train.y,
            config_of(cell),
        )
        for cell, known in zip(heads, data, strict=True)
    ]
    kept = Checkpoint.of(context.checkpoints, ids, width, steps) if context.checkpoints else None
    emit(Progress(ids, "train" if built.trainer.advance.compilations else "compile", 0, steps))
    report = reports(emit, ids, len(units), steps)
    params, losses = fitted_gaussian.fit(built, fits, report, kept)
    # All test rows at once, whichever are asked for: one program, and the same bytes for each.
    tested = [np.concatenate([rows.x for rows in known.test.values()]) for known in data]
    read = [
        tuple(
            np.asarray(part)
            for part in built.predict(
                p,
                x.astype(np.float32),
                stream(key, "masks"),
                fitted_gaussian.hyper_of(config),
            )
        )
        for p, x, (key, _, _, config) in zip(params, tested, fits, strict=True)
    ]
    spent = compile_seconds() - compiled
    seconds = Seconds(spent / len(ids), (time.perf_counter() - started - spent) / len(ids))
    for unit, known, (mean, scale), record in zip(units, data, read, losses, strict=True):
        begin = 0
        spans: dict[str, slice] = {}
        for region, rows in known.test.items():
            spans[region] = slice(begin, begin + len(rows.y))
            begin += len(rows.y)
        for cell in unit:
            problem = parse(cell.problem)
            assert isinstance(problem, QuadraticProblem)
            here = (slice(None), spans[problem.region])
            reason = _diverged(record, mean, scale)
            yield Prediction(
                cell,
                None if reason else normal_mixture(mean[here], scale[here]),
                known.test[problem.region].y,
                float(np.log(known.unit)),
                reason=reason,
                seconds=seconds,
                width=width,
                curves={"loss": training.curve(record)},
            )
    if kept:
        kept.remove()


def _agent(cell: Cell) -> fitted_gaussian.GaussianAgent:
    return load(entry_of(cell).target)(config_of(cell))


def _diverged(losses: np.ndarray, mean: np.ndarray, scale: np.ndarray) -> str:
    """Why networks predict nothing; empty if they do."""
    if why := training.diverged(losses):
        return why
    finite = np.isfinite(mean).all(-1) & np.isfinite(scale).all(-1)
    return "" if finite.all() else f"member {int(np.argmin(finite))} predicts no finite number"


def _width(num_networks: int, device: str) -> int:
    return 1 if device == "cpu" else max(1, min(16, GPU_NETWORKS // num_networks))


Predictor = Callable[[Sequence[Cell], Emit, BatchContext], Iterator[Prediction | LabelPrediction]]
_PREDICTORS: dict[type, dict[str, Predictor]] = {
    NormalProblem: {"posterior": _posterior},
    QuadraticProblem: dict.fromkeys(("ensemble", "dropout"), _networks),
    CorruptionProblem: dict.fromkeys(IMAGE_MEMBERS, image_cells.predictions),
}
