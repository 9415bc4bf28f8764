"""Tables as files. csv, parquet and json are DuckDB's own COPY; the rest is rendered text."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.engine.errors import StoreError, unknown
from augury.engine.store import queries, render
from augury.engine.store.records import Query, Table
from augury.engine.types import JSON

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
) -> Path:
    """Write the statement's rows to a new file in `directory`/exports; the caller moves it.

    The statement's own ORDER BY decides the order of rows, so equal stores give equal bytes. Of
    parquet only the rows are equal: how DuckDB packs them depends on how they lie in the store.

    Raises:
        UsageError: unknown format.
        StoreError: DuckDB could not write.
    """
    import duckdb

    from augury.engine.store.connection import EXPORTS, store_error

    if fmt not in FORMATS:
        raise unknown("format", fmt, FORMATS)
    folder = directory.absolute() / EXPORTS
    target = folder / f"{secrets.token_hex(8)}.{fmt}"
    cursor = con.cursor()
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        cursor.execute("BEGIN TRANSACTION READ ONLY")
        if fmt in _COPY:
            place = str(target).replace("'", "''")
            statement = f"COPY (\n{sql}\n) TO '{place}' ({_COPY[fmt]})"
            cursor.execute(statement, dict(params)).fetchall()
        else:
            cursor.execute(sql, dict(params))
            columns = tuple(column[0] for column in cursor.description or ())
            table = Table(columns, cursor.fetchall(), meta or {})
            target.write_text(render.render(table, fmt), encoding="utf-8")
    except duckdb.Error as error:
        target.unlink(missing_ok=True)
        raise store_error(error, folder) from error
    except OSError as error:
        target.unlink(missing_ok=True)
        raise StoreError(f"cannot write {target}: {os.strerror(error.errno or 0)}.") from None
    finally:
        cursor.close()  # and with it the transaction
    return target


def query(
    con: duckdb.DuckDBPyConnection, name: str, params: Mapping[str, Any], fmt: str, directory: Path
) -> Path:
    """Export a named query; a person's SQL too, under the same guard."""
    from augury.engine.store.guard import check

    cursor = con.cursor()
    try:
        if name == "sql":
            text = check(cursor, str(params.get("sql", "")))
            prepared = Query("SELECT * FROM query($statement)", {"statement": text})
        else:
            prepared = queries.prepare(cursor, name, params)
    finally:
        cursor.close()
    return write(con, prepared.sql, prepared.params, fmt, directory, prepared.meta)
