"""Reports on a person's own files as text: what `augury mi` and `augury ppc` share."""

from __future__ import annotations

import csv
import io
import json
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from augury.engine.store.render import render
from augury.engine.store.table import Table


class Column(NamedTuple):
    """Of a table: a name, what is above it, and the name of its standard error's column."""

    name: str
    title: str
    stderr: str = ""


@dataclass(frozen=True, slots=True)
class Reports:
    """What formats take of some reports; nothing is made that a format does not need."""

    values: Callable[[], list[dict[str, Any]]]  # a row for each report
    objects: Callable[[], list[dict[str, Any]]]  # that, and what is no number
    table: Callable[[], Table]  # few digits
    notes: Callable[[], Iterable[str]]  # lines below a table


def tabled(
    columns: Sequence[Column], rows: Iterable[Mapping[str, Any]], repeated: Sequence[str]
) -> Table:
    """Rows under these columns; a terminal too narrow repeats some of them in each block."""
    names = tuple(column.name for column in columns)
    names += tuple(column.stderr for column in columns if column.stderr)
    titles: dict[str, Any] = {
        column.name: {"title": column.title, "wide": False, "stderr": column.stderr}
        for column in columns
        if column.name not in repeated
    }
    return Table(names, [tuple(row[name] for name in names) for row in rows], {"titles": titles})


def _json(reports: Reports) -> str:
    return json.dumps(reports.objects(), indent=1, allow_nan=False) + "\n"


def _csv(reports: Reports) -> str:
    rows, text = reports.values(), io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    for row in rows:
        writer.writerow({k: str(v).lower() if isinstance(v, bool) else v for k, v in row.items()})
    return text.getvalue()


def _plain(reports: Reports) -> str:
    from augury.engine.cli.blocks import blocks

    table = reports.table()
    narrow = sys.stdout.isatty()
    parts = blocks(table, shutil.get_terminal_size((80, 24)).columns) if narrow else [table]
    tables = [render(part, "table") for part in parts]
    return "\n".join(tables) + "\n".join(reports.notes()) + "\n"


# Each ends in a newline.
FORMATS: Mapping[str, Callable[[Reports], str]] = {
    "table": _plain,
    "json": _json,
    "csv": _csv,
    "markdown": lambda reports: render(reports.table(), "markdown"),
    "latex": lambda reports: render(reports.table(), "latex"),
}
