"""Predicted labels checked in both modes, as they are and with a shared temperature."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from augury.engine.catalog.problems import CorruptionProblem, parse
from augury.engine.catalog.scenarios import settings_of
from augury.engine.evaluation.temperature import probabilities
from augury.engine.randomness import generator
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import check
from augury.engine.statistics.classes import CategoricalMixture, categorical_mixture
from augury.engine.statistics.predictive import MODES
from augury.engine.statistics.rows import check_rows, histogram, missing_rows
from augury.engine.types import Cell, CellFinished, MetricRow, Seconds

if TYPE_CHECKING:
    from jaxtyping import Float, Int

    from augury.engine.statistics.verdict import Check

STATISTICS = ("accuracy", "ece")
RECALIBRATIONS = ("none", "temperature")


@dataclass(frozen=True, slots=True)
class LabelPrediction:
    """What members say of the rows of one cell, and what the rows' labels are."""

    cell: Cell
    logits: Float[np.ndarray, "members rows classes"] | None  # None where there are none
    labels: Int[np.ndarray, " rows"]
    temperature: float = 1.0  # fitted on other rows
    reason: str = ""  # why there are no logits
    seconds: Seconds = Seconds()
    curves: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)


def place(mode: str, statistic: str, recalibration: str) -> str:
    """The split of a row: `bayesian/accuracy/none`."""
    return f"{mode}/{statistic}/{recalibration}"


def evaluate_labels(prediction: LabelPrediction) -> CellFinished:
    """Check every statistic in both modes, before and after recalibration.

    What is drawn for a problem does not depend on the subject; which members make the replicates
    depends on the cell's seed as well. Before and after recalibration the draws are the same.
    """
    start = time.perf_counter()
    rows: list[MetricRow] = []
    curves = dict(prediction.curves)
    for recalibration in RECALIBRATIONS:
        if prediction.logits is None:
            rows.extend(_missing(prediction, recalibration))
            continue
        temperature = prediction.temperature if recalibration == "temperature" else 1.0
        predictive = categorical_mixture(probabilities(prediction.logits, temperature))
        scores = bind(["accuracy", "ece", "nll", "brier"], predictive)(prediction.labels)
        rows.extend(_scores(scores, recalibration, temperature, len(prediction.labels)))
        for mode, statistic, found in _checks(prediction, predictive):
            where = place(mode, statistic, recalibration)
            rows.extend(replace(row, split=where) for row in check_rows(found))
            rows.extend(_beside(found, where, scores, len(prediction.labels)))
            for name, points in histogram(found).items():
                curves[name.replace(mode, where, 1)] = points
    spent = replace(prediction.seconds, evaluate=time.perf_counter() - start)
    spent = replace(spent, evaluate=spent.evaluate + prediction.seconds.evaluate)
    return CellFinished(prediction.cell.cell_id, tuple(rows), spent, 1, curves)


def _checks(
    prediction: LabelPrediction, predictive: CategoricalMixture
) -> Iterator[tuple[str, str, Check]]:
    problem, seed = parse(prediction.cell.problem), prediction.cell.seed
    assert isinstance(problem, CorruptionProblem)
    number = settings_of(prediction.cell).num_replicates
    drawn = problem.unit, problem.severity
    for mode in MODES:
        found = check(
            predictive,
            prediction.labels,
            bind(STATISTICS, predictive),
            mode,
            number,
            members=generator(f"ppc/members/{mode}", *drawn, seed),
            noise=generator("ppc/noise", *drawn),
        )
        for statistic in STATISTICS:
            yield mode, statistic, found[statistic]


def _beside(
    found: Check, where: str, scores: Mapping[str, float], size: int
) -> Iterator[MetricRow]:
    """What a reader wants next to a verdict: how it fails, and how good the prediction is."""
    for metric, direction in (("fails_low", "low"), ("fails_high", "high")):
        failed = None if found.reason else float(found.direction == direction)
        yield MetricRow(
            metric, failed, split=where, num_samples=found.num_replicates, reason=found.reason
        )
    accuracy = float(scores["accuracy"])
    error = (accuracy * (1.0 - accuracy) / size) ** 0.5
    yield MetricRow("accuracy", accuracy, error, split=where, num_samples=size)
    yield MetricRow("ece15", float(scores["ece"]), split=where, num_samples=size)


def _scores(
    scores: Mapping[str, float], recalibration: str, temperature: float, size: int
) -> Iterator[MetricRow]:
    for metric in ("nll", "brier"):
        yield MetricRow(metric, float(scores[metric]), split=recalibration, num_samples=size)
    yield MetricRow("temperature", temperature, split=recalibration)


def _missing(prediction: LabelPrediction, recalibration: str) -> Iterator[MetricRow]:
    number, why = settings_of(prediction.cell).num_replicates, prediction.reason
    for mode in MODES:
        for statistic in STATISTICS:
            where = place(mode, statistic, recalibration)
            for row in missing_rows(mode, number, why):
                yield replace(row, split=where)
            for metric in ("fails_low", "fails_high", "accuracy", "ece15"):
                yield MetricRow(metric, None, split=where, num_samples=number, reason=why)
