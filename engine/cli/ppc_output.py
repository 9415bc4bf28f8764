"""Checks of a person's own predictions as text, and as a chart's bytes."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.engine.errors import UsageError
from augury.engine.store.render import between, number, render
from augury.engine.store.table import Table

if TYPE_CHECKING:
    from augury.engine.statistics.report import Report

# name, title, its standard error's column
_COLUMNS = (
    ("statistic", "statistic", ""),
    ("mode", "mode", ""),
    ("observed", "observed", ""),
    ("ends", "5 % to 95 %", ""),
    ("verdict", "verdict", ""),
    ("false_fails", "false fails", ""),
    ("p", "p", ""),
    ("mid_p", "mid-p", ""),
    ("sharpness", "sharpness", "sharpness_stderr"),
)


_SAME = 1e-12  # relative; an error that small is the last digit of equal quantiles


def written(reports: Sequence[Report], fmt: str) -> str:
    """All reports as one of `FORMATS`, ending in a newline."""
    return FORMATS[fmt](reports)


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


def _json(reports: Sequence[Report]) -> str:
    rows = [
        {**report.values(), "options": dict(report.options), "histogram": report.histogram()}
        for report in reports
    ]
    return json.dumps(rows, indent=1, allow_nan=False) + "\n"


def _csv(reports: Sequence[Report]) -> str:
    rows = [report.values() for report in reports]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: str(v).lower() if isinstance(v, bool) else v for k, v in row.items()})
    return text.getvalue()


def _plain(reports: Sequence[Report]) -> str:
    from augury.engine.cli.blocks import blocks
    from augury.engine.statistics.report import notes

    table = _table(reports)
    narrow = sys.stdout.isatty()
    parts = blocks(table, shutil.get_terminal_size((80, 24)).columns) if narrow else [table]
    tables = [render(part, "table") for part in parts]
    return "\n".join(tables) + "\n".join(notes(reports)) + "\n"


def _table(reports: Sequence[Report]) -> Table:
    """Few digits; `render` rounds a number to its error."""
    from augury.engine.statistics.report import percent

    rows: list[tuple[Any, ...]] = []
    for report in reports:
        values = report.values()
        p = ends = rate = None
        if values["p_value"] is not None:
            p = between(values["p_value"], values["p_low"], values["p_high"])
            ends = f"{number(values['q05'])} to {number(values['q95'])}"
            rate = percent(values["false_fail"])
            if values["sharpness_stderr"] <= _SAME * abs(values["sharpness"]):
                values["sharpness_stderr"] = 0.0
        shown = {**values, "p": p, "ends": ends, "verdict": report.verdict, "false_fails": rate}
        rows.append(tuple(shown[name] for name in _NAMES))
    titles: Mapping[str, Any] = {
        name: {"title": title, "wide": False, "stderr": error}
        for name, title, error in _COLUMNS
        if name not in ("statistic", "mode")  # a terminal too narrow repeats these in each block
    }
    return Table(_NAMES, rows, {"titles": titles})


_NAMES = (*(name for name, _, _ in _COLUMNS), "sharpness_stderr")
FORMATS: Mapping[str, Callable[[Sequence[Report]], str]] = {
    "table": _plain,
    "json": _json,
    "csv": _csv,
    "markdown": lambda reports: render(_table(reports), "markdown"),
    "latex": lambda reports: render(_table(reports), "latex"),
}
