"""The one bridge to engine and store: requests go out to threads, answers come back as messages."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.message_pump import MessagePump

from augury.engine.canonical import canonical
from augury.engine.errors import AuguryError, EngineError, StoreError, StoreLockedError, UsageError
from augury.engine.paths import store_directory
from augury.tui import crash
from augury.tui.follower import GONE, Follower, store_exists
from augury.tui.lanes import Lane
from augury.tui.messages import (
    BoardRead,
    CellRead,
    Commanded,
    ContextsRead,
    CurveRead,
    Exported,
    Failed,
    LogRead,
    Previewed,
    RowRead,
    ScenariosRead,
    StatesRead,
    StatusRead,
    Submitted,
    TextMade,
)
from augury.tui.state import BoardState

if TYPE_CHECKING:
    from augury.engine.plan import Selection
    from augury.engine.service.reader import Reader
    from augury.tui.log_tail import LogTail, Whose
    from augury.tui.row_page import Place

# Titles of dialogs for errors that bring none of their own.
_TITLES = (
    (UsageError, "This cannot be meant"),
    (StoreLockedError, "The store is held by somebody else"),
    (StoreError, "The store cannot be read or written"),
    (EngineError, "The engine did not do it"),
)


class Session:
    """Every method returns at once; the answer is posted to the widget that asked."""

    def __init__(self, store: Path) -> None:
        """Serve the store in this directory. Nothing is opened before it is asked for."""
        self.store = store
        self.has_read = False  # anything of the store, ever
        self._seen = False
        self._lanes: dict[str, Lane] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._follower: Follower | None = None
        self._reader: Reader | None = None
        self._tail: LogTail | None = None

    def start(self, app: MessagePump) -> None:
        """Begin to follow the engine; its news go to `app`."""
        if self._follower is None:
            self._loop = asyncio.get_running_loop()
            self._follower = Follower(self.store, lambda message: self._deliver(app, message))
            self._follower.start()

    def close(self) -> None:
        """Hang up and let what is being read end."""
        if self._follower is not None:
            self._follower.stop()
        for lane in self._lanes.values():
            lane.close(0.2)

    def ended(self, seconds: float) -> bool:
        """Whether no thread is at work any more, waiting for them for at most `seconds`."""
        threads = [lane.thread for lane in self._lanes.values()]
        threads.append(self._follower.thread if self._follower else None)
        deadline = monotonic() + seconds
        for thread in filter(None, threads):
            thread.join(max(deadline - monotonic(), 0.0))
        return not any(thread.is_alive() for thread in filter(None, threads))

    def same_as(self, command: str) -> str:
        """The command, with the store named where it is not the one a bare command opens."""
        named = self.store.absolute() != store_directory()
        return f"{command} --store {shlex.quote(str(self.store))}" if named else command

    def ask_scenarios(self, target: MessagePump) -> None:
        """Which scenarios have results; `ScenariosRead`."""

        def read() -> Message:
            from augury.engine.store.boards import names

            found = {row[0] for row in self.query("contexts").rows}
            every = tuple(names())
            return ScenariosRead("", (tuple(n for n in every if n in found), every))

        self.ask("board", target, read)

    def ask_board(
        self, target: MessagePump, scenario: str, looks: BoardState, *, intervals: bool = False
    ) -> None:
        """The board that these looks choose rows and columns of; `BoardRead`.

        Of the first scenario if it names none. With intervals and ties it takes half as long again.
        """

        def read() -> Message:
            from augury.engine.store.arrange import of_problems
            from augury.engine.store.boards import names
            from augury.tui.board_page import page
            from augury.tui.board_query import source

            known = names()
            name = scenario if scenario in known else known[0]
            asked = source(name, wanted, of_problems(name, wanted.filter))
            table = self.query("board", **asked, intervals=intervals)
            return BoardRead(name, page(name, table, asked))

        wanted = replace(looks)  # as they are now: a key may change them meanwhile
        self.ask("ties" if intervals else "board", target, read)

    def ask_published(self, target: MessagePump, scenario: str) -> None:
        """The board that a release came with, or None; `BoardRead`."""

        def read() -> Message:
            from augury.engine.store.boards import published
            from augury.tui.board_page import page

            table = published(scenario)
            return BoardRead(scenario, None if table is None else page(scenario, table))

        self.ask("board", target, read)

    def ask_contexts(self, target: MessagePump, scenario: str) -> None:
        """Which boards a scenario has: sweep, scale, settings, version; `ContextsRead`."""
        self.ask(
            "contexts",
            target,
            lambda: ContextsRead(scenario, self.query("contexts", scenario=scenario)),
        )

    def ask_row(self, target: MessagePump, place: Place, offset: int = 0) -> None:
        """A window on the cells behind one row of a board; `RowRead`."""

        def read() -> Message:
            from augury.engine.store.boards import load
            from augury.tui.row_page import sheet

            cells = self.query("row", **place.params(offset))
            return RowRead(place.label, sheet(place, load(place.scenario), cells, offset))

        self.ask("row", target, read)

    def ask_cell(self, target: MessagePump, cell_id: str) -> None:
        """One cell's record, with its numbers under `results`; `CellRead`."""

        def read() -> Message:
            cell = next(self.query("cell", cell=cell_id).dicts(), {})
            results = list(self.query("results", cell=cell_id).dicts())
            return CellRead(cell_id, {**cell, "results": results})

        self.ask("cell", target, read)

    def ask_curve(self, target: MessagePump, cell_id: str) -> None:
        """The loss curve of a finished cell; `CurveRead`."""

        def read() -> Message:
            rows = self.query("curves", cell=cell_id).rows
            loss = tuple(
                (row[2], row[3]) for row in rows if row[1] == "loss" and row[3] is not None
            )
            return CurveRead(cell_id, loss)

        self.ask("curve", target, read)

    def ask_states(self, target: MessagePump, run_id: str) -> None:
        """The state of every cell of a run; `StatesRead`."""

        def read() -> Message:
            from augury.tui.run_cells import Cells

            return StatesRead(run_id, Cells(self.query("states", run=run_id)))

        self.ask("states", target, read)

    def ask_log(self, target: MessagePump, whose: Whose | None = None) -> None:
        """The newest lines of the engine's log; `LogRead`."""

        def read() -> Message:
            from augury.tui.log_tail import LogTail, Whose

            self._tail = self._tail or LogTail()
            return LogRead("", self._tail.look(self.reader(), whose or Whose()))

        self.ask("log tail", target, read)

    def ask_status(self, target: MessagePump) -> None:
        """The whole status, again; `StatusRead`."""
        self.ask("status", target, lambda: StatusRead(self.reader().status()))

    def ask_preview(self, target: MessagePump, selection: Selection) -> None:
        """How many cells a selection has, and how many are new; `Previewed`."""
        about = canonical(selection.to_json())
        self.ask("preview", target, lambda: Previewed(about, self.reader().preview(selection)))

    def submit(self, target: MessagePump, selection: Selection) -> None:
        """Start the engine if none lives, and give it a run; `Submitted`."""

        def send() -> Message:
            from augury.tui.choice import command

            said = self._call("submit", selection=selection.to_json(), command=command(selection))
            return Submitted("", said)

        self.ask("command", target, send)

    def cancel(self, target: MessagePump, run_id: str) -> None:
        """Cancel a run; `Commanded`."""

        def send() -> Message:
            self._call("cancel", run=run_id)
            return Commanded(run_id, f"Run {run_id} is cancelled; what is done stays.")

        self.ask("command", target, send)

    def resume(self, target: MessagePump, run_id: str) -> None:
        """Go on with a run that stands still, with a new engine if need be; `Commanded`."""

        def send() -> Message:
            self._call("resume", run=run_id)
            return Commanded(run_id, f"Run {run_id} goes on.")

        self.ask("command", target, send)

    def retry(self, target: MessagePump, run_id: str) -> None:
        """Give a run's failed cells another try; `Commanded`."""

        def send() -> Message:
            self._call("retry", run=run_id)
            return Commanded(run_id, f"The failed cells of {run_id} are tried again.")

        self.ask("command", target, send)

    def prioritise(self, target: MessagePump, run_id: str, priority: int) -> None:
        """Have a run fed before or after others; `Commanded`."""

        def send() -> Message:
            self._call("prioritise", run=run_id, priority=priority)
            same = self.same_as(f"augury priority {run_id} {priority}")
            return Commanded(run_id, f"Run {run_id} has priority {priority}.\nsame as: {same}")

        self.ask("command", target, send)

    def export(
        self,
        target: MessagePump,
        name: str,
        params: Mapping[str, Any],
        form: str,
        path: str | None,
        command: str,
    ) -> None:
        """Have the engine write a query's rows to a file; `Exported`, or `TextMade` without a path.

        What is told is the command, with format and file where it does not name them.
        """

        def send() -> Message:
            if path is None:
                return TextMade("", self._text_of(name, params, form))
            written = self.reader().export(name, dict(params), form, path)
            if " --format " in command:
                return Exported(written, command)
            told = f"{command} --format {form} -o {shlex.quote(path)}"
            return Exported(written, told)

        self.ask("command", target, send)

    def _text_of(self, name: str, params: Mapping[str, Any], form: str) -> str:
        """What a file would hold."""
        import tempfile

        with tempfile.TemporaryDirectory(prefix="augury-") as folder:
            path = Path(folder) / "text"
            return self.reader().export(name, dict(params), form, path).read_text("utf-8")

    def reader(self) -> Reader:
        """Who reads the store; in a thread of `ask` only. Raises `StoreError`."""
        self._check_store()
        if self._reader is None:
            from augury.engine.service.reader import Reader

            self._reader = Reader(self.store)
        return self._reader

    def _check_store(self) -> None:
        """A store that is not there reads as an empty one: right for a new one only."""
        there = store_exists(self.store)
        self._seen = self._seen or there
        if self._seen and not there:
            raise StoreError(GONE.format(self.store), "The store is gone")

    def query(self, name: str, /, **params: Any) -> Any:
        """A named query's table; in a thread of `ask` only."""
        table = self.reader().query(name, **params)
        self.has_read = True
        return table

    def _call(self, method: str, **params: Any) -> Any:
        from augury.engine.service import client

        self._check_store()
        engine = client.ensure(self.store)
        try:
            return engine.call(method, **params)
        finally:
            engine.close()

    def ask(self, lane: str, target: MessagePump, make: Callable[[], Message]) -> None:
        """Have a thread make the answer, or what is said of its failure, and post it."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()

        def work(is_wanted: Callable[[], bool]) -> None:
            try:
                message = make()
            except AuguryError as error:
                message = Failed(_title(error), error.message, lane, error)
            except Exception as error:  # noqa: BLE001
                report = crash.write_report(error)
                message = Failed(
                    "Augury's own error", f"This request failed. Report: {report}", lane
                )
            if is_wanted():
                self._deliver(target, message)

        if lane not in self._lanes:
            self._lanes[lane] = Lane(lane, newest_only=lane != "command")
        self._lanes[lane].put(work)

    def _deliver(self, target: MessagePump, message: Message) -> None:
        if self._loop is not None and not self._loop.is_closed():
            try:
                self._loop.call_soon_threadsafe(target.post_message, message)
            except RuntimeError:
                return  # the loop closed in between: nobody is left to tell


def _title(error: AuguryError) -> str:
    if error.title != "Error":
        return error.title
    return next((title for kind, title in _TITLES if isinstance(error, kind)), error.title)
