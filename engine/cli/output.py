"""Tables go out here: to stdout, or to a file that is either whole or not there."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from augury.engine.cli.failure import say
from augury.engine.errors import StoreError, UsageError
from augury.engine.service.reader import Reader
from augury.engine.store.records import Table

COPIED = ("csv", "json", "parquet")  # the engine's own COPY; the rest is rendered here


def emit(reader: Reader, name: str, params: Mapping[str, Any], fmt: str, out: str | None) -> None:
    """Write the named query's rows as `fmt` to the file `out`, or to stdout.

    Raises:
        UsageError: parquet to a terminal.
        StoreError: the file cannot be written.
    """
    if out is None:
        _to_stdout(reader, name, params, fmt)
        return
    target = writable(out)
    if fmt in COPIED:
        reader.export(name, dict(params), fmt, target)
    else:
        replace(target, text_of(reader, name, params, fmt))
    say(f"wrote {target}")


def text_of(reader: Reader, name: str, params: Mapping[str, Any], fmt: str) -> str:
    """The rows as a table, markdown or latex, ending in a newline."""
    from augury.engine.cli.blocks import blocks
    from augury.engine.store.render import render

    table = reader.query(name, **params)
    if name == "failures":  # tracebacks are pages long: in csv and json only
        table = _without(table, "traceback")
    if fmt == "table" and sys.stdout.isatty():
        return "\n".join(render(part, fmt) for part in blocks(table, _width()))
    return render(table, fmt)


def writable(out: str) -> Path:
    """The absolute path of a file that can be created. Raises `StoreError`."""
    target = Path(out).expanduser().absolute()
    if target.is_dir():
        raise StoreError(f"{target} is a directory: give -o a file name.")
    if not target.parent.is_dir():
        raise StoreError(f"{target.parent} is no directory: create it first.")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise StoreError(f"{target.parent} is not writable by you.")
    return target


def replace(target: Path, text: str) -> None:
    """Write beside the target, then rename: a reader never sees half a file."""
    import tempfile  # with its random numbers 8 ms, which most commands need not spend

    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(name, 0o666 & ~_umask())
        os.replace(name, target)
    except OSError as error:
        Path(name).unlink(missing_ok=True)
        raise StoreError(f"cannot write {target}: {error.strerror}.") from None


def _to_stdout(reader: Reader, name: str, params: Mapping[str, Any], fmt: str) -> None:
    if fmt not in COPIED:
        _write_text(text_of(reader, name, params, fmt))
        return
    if fmt == "parquet" and sys.stdout.isatty():
        raise UsageError("parquet is binary: give -o FILE.parquet, or pipe it.")
    import shutil
    import tempfile

    with tempfile.TemporaryDirectory(prefix="augury-") as folder:
        path = reader.export(name, dict(params), fmt, Path(folder) / f"export.{fmt}")
        sys.stdout.flush()
        with open(path, "rb") as file:
            shutil.copyfileobj(file, sys.stdout.buffer)
        sys.stdout.buffer.flush()


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


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
