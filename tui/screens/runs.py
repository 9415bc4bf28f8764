"""Runs: what was launched, how far it is, the state of every cell, the loss of the selected one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import DataTable, Static

from augury.tui.bindings import bindings
from augury.tui.messages import Commanded, CurveRead, LogRead, StatesRead
from augury.tui.pace import Pace
from augury.tui.runs_page import (
    CELL_ID,
    FIXED_WIDTH,
    NOTE,
    RUN_COLUMNS,
    cells_sheet,
    newest_first,
    run_line,
    summary,
)
from augury.tui.screens.tab import TabScreen
from augury.tui.widgets.braille import Series
from augury.tui.widgets.mini_chart import MiniChart
from augury.tui.widgets.score_table import ScoreTable

if TYPE_CHECKING:
    from augury.engine.store.table import Table

MOST_RUNS = 200  # lines; older runs are in `augury status`


class RunsScreen(TabScreen):
    """Live while it is on screen; costs nothing while nothing happens."""

    PLACE: ClassVar[str] = "runs"
    TAB: ClassVar[str] = "runs"
    AUTO_FOCUS: ClassVar[str | None] = "#runs"
    BINDINGS: ClassVar = bindings("runs")

    def __init__(self) -> None:
        """Know no run yet."""
        super().__init__()
        self._lines: dict[str, tuple[str, ...]] = {}
        self._cells: Table | None = None
        self._cells_of = ""
        self._curve: tuple[str, tuple[tuple[float, float], ...]] = ("", ())
        self._states_pace = Pace(self, 2.0, self._ask_states)

    def compose_body(self) -> ComposeResult:
        """Runs, cells of the selected one, curve or log."""
        yield DataTable(id="runs", cursor_type="row")
        yield ScoreTable(id="cells")
        with Vertical(id="lower"):
            yield MiniChart(id="curve", empty="no loss curve: nothing was trained, or not yet")
            yield Static("", id="log", markup=False)

    def on_mount(self) -> None:
        """Fill the tables with what is known."""
        table = self.query_one(DataTable)
        for name, title, width in RUN_COLUMNS:
            table.add_column(title, key=name, width=width)
        super().on_mount()

    @property
    def run_id(self) -> str:
        """The selected run; the newest before one is selected."""
        table = self.query_one(DataTable)
        keys = list(self._lines)
        return keys[table.cursor_row] if 0 <= table.cursor_row < len(keys) else ""

    def live_changed(self) -> None:
        """Bring runs, cells and curve up to date."""
        super().live_changed()
        self._write_runs()
        self._write_cells()
        self._write_curve()
        if self.has_class("-log"):
            self.session.ask_log(self)

    def results_changed(self) -> None:
        """Read the cells again, now and then: events told their states already."""
        self._states_pace()

    def reload(self) -> None:
        """Read the cells again now."""
        self._ask_states()

    @on(DataTable.RowHighlighted)
    def _another_run(self) -> None:
        if self.run_id != self._cells_of:
            self._cells_of, self._cells = self.run_id, None
            self._write_cells()
            self._ask_states()
        self._write_note()

    @on(DataTable.RowSelected)
    def _to_cells(self) -> None:
        self.query_one(ScoreTable).focus()

    @on(ScoreTable.Opened)
    def _to_runs(self) -> None:
        self.query_one(DataTable).focus()

    @on(StatesRead)
    def _take_states(self, message: StatesRead) -> None:
        if message.about == self._cells_of:
            self._cells = message.value
            self.augury.live.stored(message.value)
            self._write_cells()

    @on(ScoreTable.Highlighted)
    def _another_cell(self) -> None:
        self._write_curve()

    @on(CurveRead)
    def _take_curve(self, message: CurveRead) -> None:
        self._curve = (message.about, tuple(message.value))
        self._write_curve()

    @on(LogRead)
    def _take_log(self, message: LogRead) -> None:
        log = self.query_one("#log", Static)
        lines = message.value.splitlines()[-max(log.size.height, 1) :]
        log.update("\n".join(line[: max(log.size.width, 1)] for line in lines), layout=False)

    @on(Commanded)
    def _carried_out(self, message: Commanded) -> None:
        self.notify(message.value, markup=False)
        self.session.ask_status(self.app)
        self._states_pace()

    def action_cancel(self) -> None:
        """Ask, then cancel the selected run."""
        run = self._run()
        if run is None or run["state"] not in ("running", "paused"):
            self.notify("This run is not under way: there is nothing to cancel.")
            return
        from augury.tui.screens.confirm import ConfirmDialog

        run_id = run["run_id"]
        words = f"{run['pending'] + run.get('running', 0)} cells are dropped; {run['done']} stay."

        def answer(yes: bool | None) -> None:
            if yes:
                self.session.cancel(self, run_id)

        self.app.push_screen(
            ConfirmDialog(
                f"Cancel run {run_id}?", words, self.session.same_as(f"augury cancel {run_id}")
            ),
            answer,
        )

    def action_details(self) -> None:
        """Show the selected run in full."""
        run = self._run()
        if run is None:
            return
        from augury.tui.screens.run import RunDialog

        self.app.push_screen(RunDialog(run, summary(run, self.augury.live)))

    def action_retry(self) -> None:
        """Resume the selected run where it stands still; else try its failed cells again."""
        run = self._run()
        stopped = self.augury.live.engine is None and run is not None and run["state"] == "running"
        if run is not None and (stopped or run["state"] == "paused"):
            self.session.resume(self, run["run_id"])
        elif run is None or not run["failed"]:
            self.notify("No cell of this run has failed.")
        else:
            self.session.retry(self, run["run_id"])

    def action_toggle_log(self) -> None:
        """Show the engine's log in place of the curve, or the curve again."""
        self.toggle_class("-log")
        if self.has_class("-log"):
            self.call_after_refresh(self.session.ask_log, self)

    def action_log(self) -> None:
        """Switch the chart's y axis."""
        self.query_one(MiniChart).toggle_log()

    def _run(self) -> Mapping[str, Any] | None:
        return self.augury.live.runs.get(self.run_id)

    def _write_runs(self) -> None:
        table = self.query_one(DataTable)
        width = self.size.width - FIXED_WIDTH
        runs = newest_first(self.augury.live)[:MOST_RUNS]
        new = {run["run_id"]: run_line(run, width) for run in runs}
        if list(new) != list(self._lines):
            chosen = self.run_id
            following = table.cursor_row == 0  # the newest run stays selected while others come
            table.clear()
            for run_id, texts in new.items():
                table.add_row(*texts, key=run_id)
            self._lines = new
            if chosen in new and not following:
                table.move_cursor(row=list(new).index(chosen), animate=False)
            self._another_run()
            return
        for run_id, texts in new.items():
            old = self._lines[run_id]
            for (column, _, _), before, after in zip(RUN_COLUMNS, old, texts, strict=True):
                if before != after:
                    table.update_cell(run_id, column, after)
        self._lines = new
        self._write_note()

    def _write_note(self) -> None:
        run = self._run()
        self.note(summary(run, self.augury.live) if run else "no runs yet: 3 launches one")

    def _write_cells(self) -> None:
        table = self.query_one(ScoreTable)
        if self._cells is not None:
            # On top one sees what is at work; further down one looks at a cell of one's own.
            sheet = cells_sheet(self._cells, self.augury.live)
            table.show(sheet, follow=table.cursor > 0)

    def _write_curve(self) -> None:
        row, chart = self.query_one(ScoreTable).current, self.query_one(MiniChart)
        if row is None:
            chart.show("", ())
            return
        cell_id, live = str(row[CELL_ID]), self.augury.live
        batch = live.batch_of(cell_id)
        name = f"loss  {row[0]}  {row[2]}  seed {row[3]}"
        if batch is not None and cell_id in batch.now:
            chart.show(f"{batch.where}", (Series(name, tuple(batch.curve)),))
        elif self._curve[0] == cell_id:
            chart.show("", (Series(name, self._curve[1]),) if self._curve[1] else ())
        elif row[1] == "done":
            self._curve = (cell_id, ())
            self.session.ask_curve(self, cell_id)
        elif batch is not None:
            chart.show("", (), "in a batch at work, which trains others just now")
        else:
            chart.show("", (), f"✖ {row[NOTE]}" if row[NOTE] else "")

    def _ask_states(self) -> None:
        if self._cells_of:
            self.session.ask_states(self, self._cells_of)
