"""Checks of a person's own predictions as text, and as a chart's bytes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.engine.cli.reports import FORMATS, Column, Reports, tabled
from augury.engine.errors import UsageError
from augury.engine.store.render import between, number
from augury.engine.store.table import Table

if TYPE_CHECKING:
    from augury.engine.statistics.report import Report

_COLUMNS = (
    Column("statistic", "statistic"),
    Column("mode", "mode"),
    Column("observed", "observed"),
    Column("ends", "5 % to 95 %"),
    Column("verdict", "verdict"),
    Column("false_fails", "false fails"),
    Column("p", "p"),
    Column("mid_p", "mid-p"),
    Column("sharpness", "sharpness", "sharpness_stderr"),
)
_SAME = 1e-12  # relative; an error that small is the last digit of equal quantiles


def written(reports: Sequence[Report], fmt: str) -> str:
    """All reports as one of `FORMATS`, ending in a newline."""
    from augury.engine.statistics.report import notes

    return FORMATS[fmt](
        Reports(
            lambda: [report.values() for report in reports],
            lambda: [_object(report) for report in reports],
            lambda: _table(reports),
            lambda: notes(reports),
        )
    )


def charted(reports: Sequence[Report], place: str) -> bytes:
    """The replicates of one statistic in every mode, in the format that the file's suffix names.

    Raises:
      UsageError: a suffix that is no chart's, several statistics, or nothing to draw.
    """
    from augury.engine.charts.formats import FORMATS as CHARTS
    from augury.engine.charts.formats import written as chart_bytes
    from augury.engine.charts.replicates import replicates

    suffix = Path(place).suffix.lower().removeprefix(".")
    if suffix not in CHARTS:
        raise UsageError(f"--chart takes a FILE.svg, .png or .csv, got {place!r}.")
    statistics = sorted({report.statistic for report in reports})
    if len(statistics) > 1:
        raise UsageError(f"--chart draws one statistic: give --statistic {statistics[0]}, say.")
    checks = [report.check for report in reports if not report.check.reason]
    if not checks:
        raise UsageError(f"nothing to draw: {reports[0].check.reason}.")
    return chart_bytes(replicates(statistics[0], reports[0].unit, checks), suffix)


def _object(report: Report) -> dict[str, Any]:
    more = {"options": dict(report.options), "histogram": report.histogram()}
    return {**report.values(), **more}


def _table(reports: Sequence[Report]) -> Table:
    """Few digits; `render` rounds a number to its error."""
    return tabled(_COLUMNS, map(_shown, reports), ("statistic", "mode"))


def _shown(report: Report) -> dict[str, Any]:
    from augury.engine.statistics.report import percent

    values = report.values()
    p = ends = rate = None
    if values["p_value"] is not None:
        p = between(values["p_value"], values["p_low"], values["p_high"])
        ends = f"{number(values['q05'])} to {number(values['q95'])}"
        rate = percent(values["false_fail"])
        if values["sharpness_stderr"] <= _SAME * abs(values["sharpness"]):
            values["sharpness_stderr"] = 0.0
    more = {"p": p, "ends": ends, "verdict": report.verdict, "false_fails": rate}
    return {**values, **more, "statistic": report.name}
