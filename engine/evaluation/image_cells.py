"""Cells of corrupted images: one training for all corruptions, read at each of them."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np

from augury.engine import training
from augury.engine.batching import training_key
from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.entry import load
from augury.engine.catalog.problems import CorruptionProblem, parse
from augury.engine.catalog.scenarios import config_of, entry_of, settings_of
from augury.engine.compiled import compile_seconds
from augury.engine.datasets import corrupted
from augury.engine.evaluation.label_checks import LabelPrediction
from augury.engine.evaluation.temperature import fit_temperature
from augury.engine.learning.checkpoints import Checkpoint
from augury.engine.learning.epistemic import agent_key, epistemic_key
from augury.engine.learning.reports import reports
from augury.engine.networks import fitted_images as images
from augury.engine.types import BatchContext, Cell, Emit, Progress, Seconds


def predictions(
    cells: Sequence[Cell], emit: Emit, context: BatchContext
) -> Iterator[LabelPrediction]:
    """Every training of a batch in turn, and all cells that share it."""
    keyed = sorted((training_key(cell), place) for place, cell in enumerate(cells))
    for _, group in groupby(keyed, key=lambda item: item[0]):
        yield from _trained([cells[place] for _, place in group], emit, context)


def _trained(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> Iterator[LabelPrediction]:
    started, compiled = time.perf_counter(), compile_seconds()
    ids = tuple(cell.cell_id for cell in cells)
    problem, config = _problem(cells[0]), config_of(cells[0])
    rows = corrupted.clean(problem)
    agent: images.ImageAgent = load(entry_of(cells[0]).target)(config)
    built = agent.programs(
        rows.train_x.shape[1:],
        DATASETS[problem.source].num_classes,
        context.device,
        settings_of(cells[0]).max_steps,
    )
    steps = built.num_steps
    kept = Checkpoint.of(context.checkpoints, ids, steps) if context.checkpoints else None
    emit(Progress(ids, "train" if built.trainer.advance.compilations else "compile", 0, steps))
    key = agent_key(cells[0].seed, problem.training())
    report = reports(emit, ids, 1, steps)
    fitted, losses = images.fit(built, config, rows.train_x, rows.train_y, key, report, kept)
    masks = epistemic_key(key)
    reason = training.diverged(losses)
    held = np.zeros(0) if reason else images.predict(built, fitted, rows.held_x, masks)
    if not reason and not np.isfinite(held).all():
        reason = "a member predicts no finite number"
    temperature = 1.0 if reason else fit_temperature(held, rows.held_y)
    spent = compile_seconds() - compiled
    shared = Seconds(spent / len(ids), (time.perf_counter() - started - spent) / len(ids))
    curves = {"loss": training.curve(losses)}
    for cell in cells:
        begun = time.perf_counter()
        x, labels = corrupted.tested(_problem(cell))
        logits = None if reason else images.predict(built, fitted, x, masks)
        if logits is not None and not np.isfinite(logits).all():
            yield LabelPrediction(
                cell, None, labels, reason="a member predicts no finite number", seconds=shared,
                curves=curves,
            )  # fmt: skip
            continue
        took = Seconds(shared.compile, shared.train, time.perf_counter() - begun)
        yield LabelPrediction(cell, logits, labels, temperature, reason, took, curves)
    if kept:
        kept.remove()


def _problem(cell: Cell) -> CorruptionProblem:
    problem = parse(cell.problem)
    assert isinstance(problem, CorruptionProblem)
    return problem
