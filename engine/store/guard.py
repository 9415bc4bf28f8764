"""SQL from people: read-only by three layers, because each alone has been got around.

1. one statement, of type SELECT (stops COPY, ATTACH, SET, CHECKPOINT, PRAGMA, a second statement);
2. a read-only transaction (stops a data-modifying CTE, which types as SELECT);
3. no access to files and a locked configuration, set when the store was opened
   (stops read_text, read_csv, extensions).
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from augury.engine.errors import StoreError, UsageError
from augury.engine.store.connection import damaged
from augury.engine.store.table import Table

if TYPE_CHECKING:
    import duckdb

SECONDS = 30.0
MOST_ROWS = 100_000
MOST_BYTES = 256 << 20  # of text and blobs


def check(cursor: duckdb.DuckDBPyConnection, sql: str) -> str:
    """The statement, if all that can be told beforehand holds.

    Raises:
        UsageError: not exactly one SELECT.
        StoreError: the connection was not shut off from files.
    """
    from augury.engine.store import driver

    try:
        statements = cursor.extract_statements(sql)
    except driver.Error as error:
        raise UsageError(f"cannot read the SQL: {_one_line(error)}") from None
    if len(statements) != 1 or statements[0].type != driver.StatementType.SELECT:
        raise UsageError("only one SELECT statement is accepted; the store is read-only here.")
    safe = cursor.execute(
        "SELECT NOT current_setting('enable_external_access')"
        " AND current_setting('lock_configuration')"
    ).fetchone()
    if not safe or not safe[0]:
        raise StoreError("this connection can reach files; open the store with open_read_only.")
    return statements[0].query


@contextmanager
def interrupted(
    cursor: duckdb.DuckDBPyConnection, seconds: float = SECONDS
) -> Iterator[threading.Event]:
    """Interrupt what the cursor does after `seconds`; the event says whether that came to be.

    Never after the block: whoever closes the cursor then would find it busy.
    """
    late, over, guard = threading.Event(), threading.Event(), threading.Lock()

    def interrupt() -> None:
        with guard:
            if not over.is_set():
                late.set()
                cursor.interrupt()

    timer = threading.Timer(seconds, interrupt)
    timer.daemon = True
    timer.start()
    try:
        yield late
    finally:
        timer.cancel()
        with guard:
            over.set()


@contextmanager
def limited(cursor: duckdb.DuckDBPyConnection, seconds: float = SECONDS) -> Iterator[None]:
    """Interrupt the cursor after `seconds`. Raises `UsageError` then, and for what is wrong."""
    from augury.engine.store import driver

    with interrupted(cursor, seconds) as late:
        try:
            yield
        except (MemoryError, driver.OutOfMemoryException):
            raise UsageError("the query needs more memory than it may have; narrow it.") from None
        except driver.Error as error:
            if damaged(error):
                raise  # not the question's fault: the caller names the file
            if late.is_set():
                raise UsageError(f"the query took longer than {seconds:g} s; narrow it.") from None
            raise UsageError(f"SQL: {_one_line(error)}") from None


def guarded(cursor: duckdb.DuckDBPyConnection, sql: str, seconds: float = SECONDS) -> Table:
    """Run one SELECT read-only and give its rows; interrupted after `seconds`.

    Raises:
        UsageError: refused, wrong, too slow, or more than `MOST_ROWS` rows.
    """
    from augury.engine.store import driver

    statement = check(cursor, sql)
    cursor.execute("BEGIN TRANSACTION READ ONLY")
    try:
        with limited(cursor, seconds):
            cursor.execute(statement)
            columns = tuple(column[0] for column in cursor.description or ())
            rows = cursor.fetchmany(MOST_ROWS + 1)
    finally:
        try:
            cursor.execute("ROLLBACK")
        except driver.Error:
            pass  # the failed statement ended it already
    if _size(rows) > MOST_BYTES:
        raise UsageError(f"the query gives more than {MOST_BYTES >> 20} MiB of text; narrow it.")
    if len(rows) > MOST_ROWS:
        raise UsageError(f"the query gives more than {MOST_ROWS:,} rows; add a LIMIT.")
    return Table(columns, rows)


def _size(rows: list[tuple[Any, ...]]) -> int:
    return sum(len(value) for row in rows for value in row if isinstance(value, (str, bytes)))


def _one_line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text.split(" LINE ")[0][:300]
