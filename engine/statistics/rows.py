"""Checks as metric rows: what a cell stores."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from augury.engine.statistics.predictive import Mode
from augury.engine.statistics.verdict import Check
from augury.engine.types import MetricRow

if TYPE_CHECKING:
    from jaxtyping import Float, Int

BINS = 30
_SAME = 1e-12  # relative
_MOST_STEPS = 100 * BINS  # of a grid that is worth minding
_VERDICT = ("p_value", "mid_p", "sharpness", "passes", "passes_range")


def check_rows(check: Check) -> tuple[MetricRow, ...]:
    """All numbers of one check, split by its mode, S as their number of samples.

    A check that means nothing keeps its rows, with the reason in place of the values.
    """
    if check.reason:
        numbers: dict[str, tuple[float | None, float | None]] = dict.fromkeys(
            _VERDICT, (None, None)
        )
    else:
        numbers = {
            "p_value": (check.p_value, check.stderr),
            "mid_p": (check.mid_p, None),
            "sharpness": (check.sharpness, check.sharpness_stderr),
            "passes": (float(check.passes), None),
            "passes_range": (float(check.passes_range), None),
        }
    finite = np.isfinite(check.observed)
    numbers["observed"] = (check.observed if finite else None, None)
    numbers["num_members"] = (float(check.num_members), None)
    return tuple(
        MetricRow(
            metric,
            value,
            stderr,
            split=check.mode,
            num_samples=check.num_replicates,
            reason="" if value is not None else check.reason,
        )
        for metric, (value, stderr) in numbers.items()
    )


def histogram(check: Check) -> dict[str, list[tuple[int, float]]]:
    """Counts of the replicates in at most BINS bins and their edges, as curves of a cell.

    `store.checks_query` reads them by these names. Nothing of a check that means nothing.
    """
    if check.reason:
        return {}
    counts, edges = bars(check.replicates)
    name = f"histogram/{check.mode}"
    return {
        name: [(n, float(count)) for n, count in enumerate(counts)],
        f"{name}/edges": [(n, float(edge)) for n, edge in enumerate(edges)],
    }


def bars(
    replicates: Float[np.ndarray, " S"],
) -> tuple[Int[np.ndarray, " bars"], Float[np.ndarray, " edges"]]:
    """Counts of the replicates and the edges between them: at most BINS bins of equal width.

    Values on a grid, such as shares of n rows, get bins of whole steps of it: no bin holds fewer
    values of the grid than another. Values that differ in their last digits are the same.
    """
    values = np.unique(replicates)
    low, high = values[0], values[-1]
    if high - low <= _SAME * max(abs(low), abs(high)):
        half = 0.5 * abs(low) or 0.5
        return np.array([len(replicates)]), low + np.array([-half, half])
    step = _grid(values)
    if not step:
        return np.histogram(replicates, bins=BINS)
    places = round((high - low) / step) + 1
    width = -(-places // BINS)  # in steps
    edges = low + step * (width * np.arange(-(-places // width) + 1) - 0.5)
    return np.histogram(replicates, bins=edges)


def _grid(values: Float[np.ndarray, " values"]) -> float:
    """The step of the grid that ascending values lie on; 0 if they lie on none of a sane size."""
    step = float(np.diff(values).min())
    places = (values - values[0]) / step
    if places[-1] > _MOST_STEPS or np.abs(places - np.round(places)).max() > 1e-6:
        return 0.0
    return step


def missing_rows(mode: Mode, num_replicates: int, reason: str) -> tuple[MetricRow, ...]:
    """The rows of a check that could not be made, and why."""
    return tuple(
        MetricRow(metric, None, split=mode, num_samples=num_replicates, reason=reason)
        for metric in (*_VERDICT, "observed")
    )
