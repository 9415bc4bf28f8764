"""One prediction checked in both modes: the rows of a cell of the ppc scenario."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from augury.engine.catalog.entry import override
from augury.engine.catalog.metrics import CHECKED_BY
from augury.engine.catalog.problems import parse
from augury.engine.catalog.scenarios import default_settings
from augury.engine.randomness import generator
from augury.engine.statistics.binding import bind
from augury.engine.statistics.check import check
from augury.engine.statistics.predictive import MODES
from augury.engine.statistics.rows import check_rows, histogram, missing_rows
from augury.engine.types import Cell, CellFinished, MetricRow, Seconds


@dataclass(frozen=True, slots=True)
class Prediction:
    """A subject's belief about the rows of one cell, and what those rows were."""

    cell: Cell
    predictive: Any  # None where there is none
    observed: np.ndarray  # [rows]
    log_unit: float = 0.0  # added to -log density: log of what the values were divided by
    rows: tuple[MetricRow, ...] = ()  # of its own, beside those of the check
    reason: str = ""  # why there is no predictive
    seconds: Seconds = Seconds()
    width: int = 1
    curves: Mapping[str, Sequence[tuple[int, float]]] = field(default_factory=dict)


def evaluate(prediction: Prediction) -> CellFinished:
    """Check one prediction in both modes, and score its mixture.

    What is drawn for an environment does not depend on the subject; which members make the
    replicates depends on the cell's seed as well.
    """
    start = time.perf_counter()
    cell, predictive = prediction.cell, prediction.predictive
    settings = override(default_settings(cell.scenario), cell.settings, cell.scenario)
    environment = parse(cell.problem).unit
    rows, curves = list(prediction.rows), dict(prediction.curves)
    for mode in MODES:
        if predictive is None:
            rows.extend(missing_rows(mode, settings.num_replicates, prediction.reason))
            continue
        checks = check(
            predictive,
            prediction.observed,
            bind([CHECKED_BY], predictive),
            mode,
            settings.num_replicates,
            members=generator(f"ppc/members/{mode}", environment, cell.seed),
            noise=generator("ppc/noise", environment),
        )
        rows.extend(check_rows(checks[CHECKED_BY]))
        curves |= histogram(checks[CHECKED_BY])
    rows.extend(_score_rows(prediction))
    seconds = Seconds(
        prediction.seconds.compile, prediction.seconds.train, time.perf_counter() - start
    )
    return CellFinished(cell.cell_id, tuple(rows), seconds, prediction.width, curves)


def _score_rows(prediction: Prediction) -> tuple[MetricRow, ...]:
    """Marginal scores of the mixture, the same in both modes."""
    predictive, y, size = prediction.predictive, prediction.observed, len(prediction.observed)
    if predictive is None:
        return tuple(
            MetricRow(metric, None, num_samples=size, reason=prediction.reason)
            for metric in ("nll", "picp90")
        )
    nll = prediction.log_unit - predictive.log_density(y)
    covered = float(bind(["picp90"], predictive)(y)["picp90"])
    return (
        _row("nll", float(nll.mean()), float(nll.std()) / max(size - 1, 1) ** 0.5, size),
        _row("picp90", covered, (covered * (1.0 - covered) / size) ** 0.5, size),
    )


def _row(metric: str, value: float, stderr: float, size: int) -> MetricRow:
    if not np.isfinite(value):
        return MetricRow(metric, None, num_samples=size, reason=f"{metric} is not finite")
    return MetricRow(metric, value, stderr, num_samples=size)
