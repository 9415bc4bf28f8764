"""How the replicates of a check lie about the value that was observed."""

from __future__ import annotations

from collections.abc import Sequence

from augury.engine.charts.chart import Axis, Chart, Mark, Series
from augury.engine.statistics.rows import bars
from augury.engine.statistics.verdict import Check


def replicates(statistic: str, unit: str, checks: Sequence[Check]) -> Chart:
    """A row of bars for each check of one statistic, and a line at the observed value."""
    series = []
    for check in checks:
        counts, edges = bars(check.replicates)
        middles = edges[1:] / 2 + edges[:-1] / 2  # their sum may overflow
        points = tuple(zip(middles.tolist(), map(float, counts), strict=True))
        series.append(Series(check.mode, points, kind="bars"))
    marks = {check.observed: Mark(check.observed, "observed") for check in checks}
    return Chart(
        statistic, tuple(series), Axis(unit), Axis("replicates"),
        tuple(marks.values()), "", "no replicates",
    )  # fmt: skip
