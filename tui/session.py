"""What the screens may ask of engine and store."""

from __future__ import annotations

import secrets
import shlex
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.message_pump import MessagePump

from augury.engine.canonical import canonical
from augury.engine.errors import UsageError
from augury.tui.asking import Asking
from augury.tui.messages import (
    BoardRead,
    Commanded,
    ContextsRead,
    CurveRead,
    Exported,
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
    from augury.engine.service.link import Store
    from augury.tui.log_tail import LogTail, Whose
    from augury.tui.row_page import Place


class Session(Asking):
    """Every method returns at once; the answer is posted to the widget that asked."""

    def __init__(self, store: Store) -> None:
        """As `Asking`."""
        super().__init__(store)
        self._tail: LogTail | None = None

    def ask_scenarios(self, target: MessagePump) -> None:
        """Which scenarios have results; `ScenariosRead`."""

        def read() -> Message:
            from augury.engine.store.boards import names

            found = {row[0] for row in self.query("contexts").rows}
            every = tuple(names())
            return ScenariosRead("", (tuple(n for n in every if n in found), every))

        self.ask("scenarios", target, read)

    def ask_board(
        self, target: MessagePump, scenario: str, looks: BoardState, *, intervals: bool = False
    ) -> None:
        """The board that these looks choose rows and columns of; `BoardRead`.

        Of the first scenario if it names none. With intervals and ties it takes half as long again.
        """

        def read() -> Message:
            from augury.engine.store.arrange import of_problems
            from augury.engine.store.boards import names
            from augury.tui.board_looks import arranged
            from augury.tui.board_page import page
            from augury.tui.board_query import source

            known = names()
            name = scenario if scenario in known else known[0]
            asked = source(name, wanted, of_problems(name, wanted.filter))
            table = self.query("board", **asked, intervals=intervals)
            made = page(name, table, asked)
            with suppress(UsageError):  # said when it is shown
                arranged(made, wanted)  # its columns are measured here, not where keys wait
            return BoardRead(name, made)

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

            same = command(selection)
            said = self.call("submit", selection=selection.to_json(), command=same, token=token)
            return Submitted("", said)

        token = secrets.token_hex(16)  # asked again over a new link, it is the same submission
        self.ask("command", target, send)

    def cancel(self, target: MessagePump, run_id: str) -> None:
        """Cancel a run; `Commanded`."""
        asked: list[bool] = []

        def send() -> Message:
            again = bool(asked)
            asked.append(True)
            self.call("cancel", run=run_id, again=again)
            return Commanded(run_id, f"Run {run_id} is cancelled; what is done stays.")

        self.ask("command", target, send)

    def resume(self, target: MessagePump, run_id: str) -> None:
        """Go on with a run that stands still, with a new engine if need be; `Commanded`."""

        def send() -> Message:
            self.call("resume", run=run_id)
            return Commanded(run_id, f"Run {run_id} goes on.")

        self.ask("command", target, send)

    def retry(self, target: MessagePump, run_id: str) -> None:
        """Give a run's failed cells another try; `Commanded`."""

        def send() -> Message:
            self.call("retry", run=run_id)
            return Commanded(run_id, f"The failed cells of {run_id} are tried again.")

        self.ask("command", target, send)

    def prioritise(self, target: MessagePump, run_id: str, priority: int) -> None:
        """Have a run fed before or after others; `Commanded`."""

        def send() -> Message:
            self.call("prioritise", run=run_id, priority=priority)
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
