"""Mutual information of a person's own rows as text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from augury.engine.cli.reports import FORMATS, Column, Reports, tabled
from augury.engine.store.render import number
from augury.engine.store.table import Table

if TYPE_CHECKING:
    from augury.engine.pairs.report import Report

_COLUMNS = (
    Column("estimator", "estimator"),
    Column("bits", "bits", "bits_stderr"),
    Column("interval", "95 % interval"),
    Column("nats", "nats"),
    Column("independence", "y shuffled"),
    Column("processing", "y noisier"),
    Column("additivity", "two at once"),
    Column("rows", "rows"),
)


def written(reports: Sequence[Report], about: Sequence[str], fmt: str) -> str:
    """All reports as one of `FORMATS`, ending in a newline; `about` are lines below a table."""
    from augury.engine.pairs.report import notes

    return FORMATS[fmt](
        Reports(
            lambda: [report.values() for report in reports],
            lambda: [{**report.values(), "cautions": report.cautions()} for report in reports],
            lambda: _table(reports),
            lambda: notes(reports, about),
        )
    )


def _table(reports: Sequence[Report]) -> Table:
    """Few digits; `render` rounds a number to its error."""
    return tabled(_COLUMNS, map(_shown, reports), ("estimator",))


def _shown(report: Report) -> dict[str, Any]:
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
    return shown
