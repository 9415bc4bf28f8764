"""Tables go out here: to stdout, or to where `-o` points."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from augury.engine.cli.failure import say
from augury.engine.cli.options import absent, is_there
from augury.engine.errors import UsageError
from augury.engine.service.reader import Reader
from augury.engine.store.table import Table

COPIED = ("csv", "json", "parquet")  # the engine's own COPY; the rest is rendered here


def emit(
    reader: Reader, name: str, params: Mapping[str, Any], fmt: str, out: str | None
) -> Mapping[str, Any] | None:
    """Write the named query's rows as `fmt` to the file `out`, or to stdout.

    What the rows say of themselves is returned; None where an engine wrote them.

    Raises:
        UsageError: parquet to a terminal.
        StoreError: the place cannot be written.
    """
    meta = None
    if out is not None:
        place, meta = _to_file(reader, name, params, fmt, out)
        say(f"wrote {place}")
    elif fmt in COPIED:
        meta = _copy_to_stdout(reader, name, params, fmt)
    else:
        text, meta = _rendered(reader, name, params, fmt)
        _write_text(text)
    if not is_there(reader.store):
        say(absent(reader.store))
    elif _may_be_empty(name, params) and not reader.query(name, **_briefly(name, params)).rows:
        say("no cell has failed." if name == "failures" else "no row matches.")
    return meta


def text_of(reader: Reader, name: str, params: Mapping[str, Any], fmt: str) -> str:
    """The rows as a table, markdown or latex, ending in a newline."""
    return _rendered(reader, name, params, fmt)[0]


def _rendered(
    reader: Reader, name: str, params: Mapping[str, Any], fmt: str
) -> tuple[str, Mapping[str, Any]]:
    from augury.engine.cli.blocks import blocks
    from augury.engine.store.render import render

    table = reader.query(name, **params)
    if name == "failures":  # tracebacks are pages long: in csv and json only
        table = _without(table, "traceback")
    if fmt == "table" and sys.stdout.isatty():
        return "\n".join(render(part, fmt) for part in blocks(table, _width())), table.meta
    return render(table, fmt), table.meta


def _to_file(
    reader: Reader, name: str, params: Mapping[str, Any], fmt: str, out: str
) -> tuple[Path, Mapping[str, Any] | None]:
    if fmt in COPIED:
        said: dict[str, Any] = {}
        return reader.export(name, dict(params), fmt, out, said), said or None
    from augury.engine.service.destination import checked, deliver, keep_off

    target = checked(out)  # before the store is asked, which may take long
    if isinstance(reader.store, Path):
        keep_off(reader.store, target)
    text, meta = _rendered(reader, name, params, fmt)
    return deliver(text.encode(), out), meta


def _may_be_empty(name: str, params: Mapping[str, Any]) -> bool:
    """Whether somebody chose rows: a header alone would leave them guessing."""
    chosen = {"board": ("filter", "run"), "cells": ("filter", "run", "scenario", "sweep")}
    return name == "failures" or any(params.get(word) for word in chosen.get(name, ()))


def _briefly(name: str, params: Mapping[str, Any]) -> dict[str, Any]:
    return {**params, "limit": 1} if name == "cells" else dict(params)


def _copy_to_stdout(
    reader: Reader, name: str, params: Mapping[str, Any], fmt: str
) -> Mapping[str, Any] | None:
    if fmt == "parquet" and sys.stdout.isatty():
        raise UsageError("parquet is binary: give -o FILE.parquet, or pipe it.")
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory(prefix="augury-") as folder:
        said: dict[str, Any] = {}
        path = reader.export(name, dict(params), fmt, Path(folder) / f"export.{fmt}", said)
        sys.stdout.flush()
        with open(path, "rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()
    return said or None


def _write_text(text: str) -> None:
    # A table may hold Greek letters where the terminal's encoding has none.
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def _without(table: Table, name: str) -> Table:
    place = table.columns.index(name)
    rows = [row[:place] + row[place + 1 :] for row in table.rows]
    return Table(table.columns[:place] + table.columns[place + 1 :], rows, table.meta)


def _width() -> int:
    import shutil

    return shutil.get_terminal_size((80, 24)).columns
