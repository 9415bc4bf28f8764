"""The one thread that changes the store, and cursors for those who read it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from augury.engine.errors import StoreLockedError
from augury.engine.store.connection import open_store, store_error
from augury.engine.store.guard import interrupted

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")
OPEN_SECONDS = 20.0  # a client may read the file for a moment
READ_SECONDS = 30.0


class Writer:
    """Owns the store's connection. Changes happen one after another; readers do not wait."""

    def __init__(self, store: Path) -> None:
        """Open it, waiting out clients that read it just now. Raises `StoreError`."""
        self._store = store
        self._con = _open(store)
        self._change = self._con.cursor()
        self._thread = ThreadPoolExecutor(1, "write")
        self._readers = ThreadPoolExecutor(4, "read")

    async def write(self, change: Callable[[duckdb.DuckDBPyConnection], T]) -> T:
        """Run a change in the writing thread. Raises what it raises."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: change(self._change))

    async def read(self, question: Callable[[duckdb.DuckDBPyConnection], T]) -> T:
        """Ask with a cursor of its own; interrupted after 30 seconds."""
        loop = asyncio.get_running_loop()
        try:
            cursor = self._con.cursor()
        except Exception as error:
            raise store_error(error, self._store) from error

        def ask() -> T:
            # Here, for whoever waits may be cancelled while this thread still uses the cursor.
            try:
                with interrupted(cursor, READ_SECONDS):
                    return question(cursor)
            finally:
                cursor.close()

        return await loop.run_in_executor(self._readers, ask)

    async def reopen(self) -> None:
        """After a write error, if DuckDB did not get over it by itself. Raises `StoreError`."""

        def again() -> None:
            try:
                self._change.execute("SELECT 1").fetchall()
            except Exception:
                pass  # invalid, or closed by an earlier attempt
            else:
                return
            self._change.close()
            self._con.close()
            self._con = open_store(self._store)
            self._change = self._con.cursor()

        await asyncio.get_running_loop().run_in_executor(self._thread, again)

    def close(self) -> None:
        """Finish what is under way and close the file."""
        self._readers.shutdown(cancel_futures=True)
        self._thread.shutdown()
        self._change.close()
        self._con.close()


def _open(store: Path) -> duckdb.DuckDBPyConnection:
    deadline = time.monotonic() + OPEN_SECONDS
    while True:
        try:
            return open_store(store)
        except StoreLockedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
