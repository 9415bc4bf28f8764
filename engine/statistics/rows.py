"""Checks as metric rows: what a cell stores."""

from __future__ import annotations

import numpy as np

from augury.engine.statistics.predictive import Mode
from augury.engine.statistics.verdict import Check
from augury.engine.types import MetricRow

BINS = 30
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
    """Counts of the replicates in BINS equal bins and their edges, as curves of a cell.

    `charts.plots` draws them by these names. Nothing of a check that means nothing.
    """
    if check.reason:
        return {}
    counts, edges = np.histogram(check.replicates, bins=BINS)
    name = f"histogram/{check.mode}"
    return {
        name: [(n, float(count)) for n, count in enumerate(counts)],
        f"{name}/edges": [(n, float(edge)) for n, edge in enumerate(edges)],
    }


def missing_rows(mode: Mode, num_replicates: int, reason: str) -> tuple[MetricRow, ...]:
    """The rows of a check that could not be made, and why."""
    return tuple(
        MetricRow(metric, None, split=mode, num_samples=num_replicates, reason=reason)
        for metric in (*_VERDICT, "observed")
    )
