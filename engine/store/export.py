"""Tables as files. csv, parquet and json are DuckDB's own COPY; the rest is rendered text."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON
from augury.engine.errors import unknown, unwritable
from augury.engine.store import queries, render
from augury.engine.store.table import Query, Table

if TYPE_CHECKING:
    import duckdb

_COPY: Mapping[str, str] = {
    "csv": "FORMAT csv, HEADER true",
    "parquet": "FORMAT parquet, COMPRESSION zstd",
    "json": "FORMAT json, ARRAY true",
}
FORMATS: tuple[str, ...] = (*_COPY, *render.FORMATS)


def write(
    con: duckdb.DuckDBPyConnection,
    sql: str,
    params: Mapping[str, Any],
    fmt: str,
    directory: Path,
    meta: Mapping[str, JSON] | None = None,
    seconds: float | None = None,
    within: duckdb.DuckDBPyConnection | None = None,
) -> Path:
    """Write the statement's rows to a new file in `directory`/exports; the caller moves it.

    The statement's own ORDER BY decides the order of rows, so equal stores give equal bytes. Of
    parquet only the rows are equal: how DuckDB packs them depends on how they lie in the store.
    After `seconds`, if given, it is interrupted. `within` is a cursor in a transaction of its own,
    which ends here; else there is a new one.

    Raises:
        UsageError: unknown format, or too slow.
        StoreError: DuckDB could not write.
    """
    from augury.engine.store import driver
    from augury.engine.store.connection import file_of, store_error
    from augury.engine.store.guard import limited

    if fmt not in FORMATS:
        raise unknown("format", fmt, FORMATS)
    target = _new(directory, fmt)
    cursor = within or con.cursor()
    try:
        if within is None:
            cursor.execute("BEGIN TRANSACTION READ ONLY")
        with limited(cursor, seconds) if seconds else nullcontext():
            if fmt in _COPY:
                place = str(target).replace("'", "''")
                statement = f"COPY (\n{sql}\n) TO '{place}' ({_COPY[fmt]})"
                cursor.execute(statement, dict(params)).fetchall()
            else:
                cursor.execute(sql, dict(params))
                columns = tuple(column[0] for column in cursor.description or ())
                table = Table(columns, cursor.fetchall(), meta or {})
                return _text(table, fmt, directory)
    except BaseException as error:
        target.unlink(missing_ok=True)
        if isinstance(error, driver.Error):
            raise store_error(error, target.parent, file_of(con)) from error
        raise
    finally:
        cursor.close()  # and with it the transaction
    return target


def query(
    con: duckdb.DuckDBPyConnection,
    name: str,
    params: Mapping[str, Any],
    fmt: str,
    directory: Path,
    said: dict[str, JSON] | None = None,
) -> Path:
    """Export a named query; a person's SQL too, under the same guard.

    `said` takes up what the rows say of themselves (`Table.meta`), which a file has no place for.
    """
    from augury.engine.store import driver
    from augury.engine.store.connection import store_error
    from augury.engine.store.guard import SECONDS, check, guarded

    cursor = con.cursor()
    seconds = None
    try:
        if name == "sql":
            text, seconds = check(cursor, str(params.get("sql", ""))), SECONDS
            if fmt in render.FORMATS:
                return _text(guarded(cursor, text), fmt, directory)
            prepared = Query("SELECT * FROM query($statement)", {"statement": text})
        else:
            cursor.execute("BEGIN TRANSACTION READ ONLY")  # all of a file is of one moment
            prepared = queries.prepare(cursor, name, params)
            if said is not None:
                said.update(prepared.meta)
            return write(con, prepared.sql, prepared.params, fmt, directory, prepared.meta, None,
                         cursor)  # fmt: skip
    except driver.Error as error:
        raise store_error(error) from error
    finally:
        cursor.close()
    return write(con, prepared.sql, prepared.params, fmt, directory, {}, seconds)


def _new(directory: Path, fmt: str) -> Path:
    """A file name that nobody has, in a folder that is there."""
    from augury.engine.store.connection import EXPORTS

    folder = directory.absolute() / EXPORTS
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise unwritable(folder, f"{error.strerror}.") from None
    return folder / f"{secrets.token_hex(8)}.{fmt}"


def _text(table: Table, fmt: str, directory: Path) -> Path:
    target = _new(directory, fmt)
    try:
        target.write_text(render.render(table, fmt), encoding="utf-8")
    except OSError as error:
        target.unlink(missing_ok=True)
        raise unwritable(target, f"{error.strerror}.") from None
    return target
