"""Metric rows from values: a number that is not finite becomes a reason, never a row lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from augury.engine.metrics.row_sums import of_mean
from augury.engine.types import MetricRow


def mean_row(metric: str, values: np.ndarray, tau: int = 0, kappa: int = 0) -> MetricRow:
    """Mean and its standard error std/sqrt(n), ddof 1, over independent values."""
    values = np.asarray(values, np.float64)
    finite = np.isfinite(values)
    if not finite.all():
        bad = int((~finite).sum())
        reason = f"{bad} of {values.size} values are not finite"
        return MetricRow(metric, None, None, tau, kappa, "", int(values.size), reason)
    return MetricRow(
        metric, float(values.mean()), standard_error(values), tau, kappa, "", int(values.size)
    )


def row_of_rows(metric: str, values: np.ndarray) -> MetricRow:
    """Likewise over test rows that other subjects share: with its sums."""
    row = mean_row(metric, values)
    return row if row.value is None else replace(row, sums=of_mean(values))


def standard_error(values: np.ndarray) -> float | None:
    """std/sqrt(n) with ddof 1; None for fewer than two values."""
    if values.size < 2:
        return None
    return float(values.std(ddof=1) / np.sqrt(values.size))
