"""Mutual information of a person's own rows as text."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from augury.engine.store.render import number, render
from augury.engine.store.table import Table

if TYPE_CHECKING:
    from augury.engine.pairs.report import Report

# name, title, its standard error's column
_COLUMNS = (
    ("estimator", "estimator", ""),
    ("bits", "bits", "bits_stderr"),
    ("interval", "95 % interval", ""),
    ("nats", "nats", ""),
    ("independence", "y shuffled", ""),
    ("processing", "y noisier", ""),
    ("additivity", "two at once", ""),
    ("rows", "rows", ""),
)
_NAMES = (*(name for name, _, _ in _COLUMNS), "bits_stderr")


def written(reports: Sequence[Report], about: Sequence[str], fmt: str) -> str:
    """All reports as one of `FORMATS`, ending in a newline; `about` are lines below a table."""
    return FORMATS[fmt](reports, about)


def _json(reports: Sequence[Report], about: Sequence[str]) -> str:
    rows = [{**report.values(), "cautions": report.cautions()} for report in reports]
    return json.dumps(rows, indent=1, allow_nan=False) + "\n"


def _csv(reports: Sequence[Report], about: Sequence[str]) -> str:
    rows = [report.values() for report in reports]
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: str(v).lower() if isinstance(v, bool) else v for k, v in row.items()})
    return text.getvalue()


def _plain(reports: Sequence[Report], about: Sequence[str]) -> str:
    from augury.engine.cli.blocks import blocks
    from augury.engine.pairs.report import notes

    table = _table(reports)
    narrow = sys.stdout.isatty()
    parts = blocks(table, shutil.get_terminal_size((80, 24)).columns) if narrow else [table]
    tables = [render(part, "table") for part in parts]
    return "\n".join(tables) + "\n".join(notes(reports, about)) + "\n"


def _table(reports: Sequence[Report]) -> Table:
    """Few digits; `render` rounds a number to its error."""
    rows: list[tuple[Any, ...]] = []
    for report in reports:
        values = report.values()
        shown = {**values, "interval": None}
        if values["nats"] is not None:
            shown["nats"] = number(values["nats"], report.estimate.stderr).partition(" ")[0]
        if values["bits_low"] is not None:
            shown["interval"] = f"{values['bits_low']:.3g} to {values['bits_high']:.3g}"
        for name in ("independence", "processing", "additivity"):
            holds = values[f"{name}_holds"]
            word = "ok" if holds else "FAILS"
            shown[name] = None if holds is None else f"{values[f'{name}_bits']:.2g} {word}"
        rows.append(tuple(shown[name] for name in _NAMES))
    titles: Mapping[str, Any] = {
        name: {"title": title, "wide": False, "stderr": error}
        for name, title, error in _COLUMNS
        if name != "estimator"  # a terminal too narrow repeats it in each block
    }
    return Table(_NAMES, rows, {"titles": titles})


FORMATS: Mapping[str, Callable[[Sequence[Report], Sequence[str]], str]] = {
    "table": _plain,
    "json": _json,
    "csv": _csv,
    "markdown": lambda reports, about: render(_table(reports), "markdown"),
    "latex": lambda reports, about: render(_table(reports), "latex"),
}
