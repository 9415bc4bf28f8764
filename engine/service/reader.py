"""Reading a store whoever holds it: through its engine, or directly when none lives."""

from __future__ import annotations

import os
import tempfile
import time
from base64 import b64decode
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from augury.engine.canonical import JSON
from augury.engine.errors import (
    EngineAbsentError,
    EngineError,
    EngineGoneError,
    StoreError,
    StoreLockedError,
    unwritable,
)
from augury.engine.paths import discard
from augury.engine.service import client
from augury.engine.service.destination import checked, deliver, keep_off
from augury.engine.service.lock import held
from augury.engine.service.turns import TURNS
from augury.engine.store.table import Table
from augury.engine.unattended import unattended

if TYPE_CHECKING:
    import duckdb

    from augury.engine.plan import Selection
    from augury.engine.service.link import Link, Store

T = TypeVar("T")
WAIT_SECONDS = 20.0  # an engine that has the file but does not listen yet
STRANGER_SECONDS = 1.0  # no engine: somebody else has it open and will not let go for us


class Reader:
    """Answers questions about a store; holds nothing open between two of them.

    Of a store elsewhere, the far end of the link answers, and all may raise `LinkLostError`.
    """

    def __init__(self, store: Store) -> None:
        """Nothing is opened."""
        self.store = store

    def exists(self) -> bool:
        """Whether there is a store; one that is not there yet reads as an empty one."""
        if not isinstance(self.store, Path):
            with _far(self.store) as peer:
                return peer.call("exists")
        from augury.engine.store.connection import FILE_NAME

        return (self.store / FILE_NAME).exists()

    def log(self, start: int, most: int, file: int = 0) -> dict[str, JSON] | None:
        """A part of the engine's log, as `augury.engine.service.log.read_part`; None without one.

        Raises `StoreError` where the log cannot be read.
        """
        if not isinstance(self.store, Path):
            with _far(self.store) as peer:
                return peer.call("log", start=start, most=most, file=file)
        from augury.engine.service import log

        try:
            return log.read_part(self.store, start, most, file)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StoreError(f"cannot read {log.log_path(self.store)}: {error.strerror}.") from None

    def query(self, name: str, /, **params: JSON) -> Table:
        """Answer a named query of `augury.engine.store.queries`. Times are ISO-8601 text.

        Raises:
            UsageError: the question cannot be meant.
            StoreError: the store cannot be read.
        """

        def direct(con: duckdb.DuckDBPyConnection) -> Table:
            from augury.engine.store import queries

            # By way of JSON, so that both ways give values of the same types.
            return Table.from_json(queries.run(con, name, params).to_json())

        return self._ask(
            lambda engine: Table.from_json(engine.call("query", name=name, params=params)), direct
        )

    def status(self) -> dict[str, JSON]:
        """The engine (None when none lives) and all runs, newest first.

        Without an engine a run that is not at its end is "stopped": nobody works on it.
        """

        def direct(con: duckdb.DuckDBPyConnection) -> dict[str, JSON]:
            from augury.engine.store import queries

            rows = queries.run(con, "runs").dicts()
            return {"engine": None, "runs": [_stored_run(row) for row in rows]}

        return self._ask(lambda engine: engine.call("status"), direct)

    def preview(self, selection: Selection) -> dict[str, JSON]:
        """What a selection stands for, as `augury.engine.service.preview.preview` tells it."""

        def direct(con: duckdb.DuckDBPyConnection) -> dict[str, JSON]:
            from augury.engine.plan import expand
            from augury.engine.service.preview import preview
            from augury.engine.service.timing import Timing
            from augury.engine.store import planning, write

            planned, timing = expand(selection), Timing()
            timing.take_up(planning.observed_seconds(con))
            states = write.states(con, [p.cell.cell_id for p in planned])
            told = preview(planned, states, timing, _workers())
            return told | {"elsewhere": 0 if told["new"] else write.elsewhere(con, planned)}

        def asked(engine: client.Client) -> dict[str, JSON]:
            if not engine.compatible:
                raise EngineError(engine.advice())
            return engine.call("preview", selection=selection.to_json())

        return self._ask(asked, direct)

    def export(
        self,
        name: str,
        params: Mapping[str, Any],
        fmt: str,
        destination: str | os.PathLike[str],
        said: dict[str, JSON] | None = None,
    ) -> Path:
        """Write a named query to `destination`, as `deliver` does; the same bytes either way.

        `said` takes up the `Table.meta` of the rows where it is at hand: not from an engine.

        Raises:
            UsageError: unknown query or format.
            StoreError: the store cannot be read or the file not be written.
        """
        target = checked(destination)
        if not isinstance(self.store, Path):
            return _fetch(self.store, name, params, fmt, target)
        keep_off(self.store, target)

        def asked(engine: client.Client) -> Path:
            answer = engine.call("export", name=name, params=dict(params), format=fmt)
            return Path(answer["path"])

        try:  # not in the store, which may be somebody else's
            temporary = tempfile.TemporaryDirectory(prefix="augury-")
        except OSError as error:
            raise unwritable("to a temporary directory", f"{error.strerror}.") from None
        with temporary as text:
            folder = Path(text)

            def direct(con: duckdb.DuckDBPyConnection) -> Path:
                from augury.engine.store import export

                return export.query(con, name, params, fmt, folder, said)

            made = self._ask(asked, direct, folder)
            try:  # with nothing held open: who reads a pipe may take long
                return deliver(made, target)
            finally:
                discard(made)

    def write(self, content: bytes, destination: str | os.PathLike[str]) -> Path:
        """Write what was drawn from the store's numbers to `destination`, as `deliver` does.

        Raises:
            StoreError: the file cannot be written, or the store keeps its own files there.
        """
        target = checked(destination)
        if isinstance(self.store, Path):
            keep_off(self.store, target)
        return deliver(content, target)

    def _ask(
        self,
        engine: Callable[[client.Client], T],
        direct: Callable[[duckdb.DuckDBPyConnection], T],
        exports: Path | None = None,
    ) -> T:
        if not isinstance(self.store, Path):
            with _far(self.store) as peer:
                return engine(peer)
        asked = time.monotonic()
        while True:
            try:
                with client.connect(self.store) as peer:
                    return engine(peer)
            except (EngineAbsentError, EngineGoneError):
                pass
            try:
                with TURNS.alone() if exports else TURNS.reading():
                    return _directly(self.store, direct, exports)
            except StoreLockedError:  # an engine comes up or ends just now, or a stranger has it
                patience = WAIT_SECONDS if held(self.store) else STRANGER_SECONDS
                if time.monotonic() > asked + patience:
                    raise
                time.sleep(0.02)


def _directly(
    store: Path, direct: Callable[[duckdb.DuckDBPyConnection], T], exports: Path | None
) -> T:
    from augury.engine.store.connection import EXPORTS, open_read_only

    con = open_read_only(store, exports and exports / EXPORTS)
    try:
        return direct(con)
    finally:
        con.close()


def _far(link: Link) -> client.Client:
    return client.Client(link, wanted="store")


def _fetch(link: Link, name: str, params: Mapping[str, Any], fmt: str, target: Path) -> Path:
    """Bring an export over, whole, then put it in its place."""
    with tempfile.TemporaryFile(prefix="augury-") as file, _far(link) as peer:
        for part in peer.stream("fetch", name=name, params=dict(params), format=fmt):
            file.write(b64decode(part))
        file.seek(0)
        return deliver(file, target)


@cache
def _workers() -> int:
    """How many an engine of this machine would have; asked once, for the driver may be slow."""
    from augury.engine.executors.places import find_places

    return len(find_places())


def _stored_run(row: Mapping[str, Any]) -> Mapping[str, JSON]:
    from augury.engine.service.ledger import STORED, RunState, summary

    return unattended(summary(RunState(**{name: row[name] for name in STORED})))
