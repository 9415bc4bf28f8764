"""Runs: what was launched, how far it is, the state of every cell, the loss of the selected one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.events import Resize
from textual.widgets import DataTable

from augury.engine.charts.chart import Chart
from augury.tui import requests
from augury.tui.bindings import bindings
from augury.tui.curves import loss
from augury.tui.log_tail import Whose
from augury.tui.messages import Commanded, CurveRead, FailureRead, LogRead, StatesRead
from augury.tui.pace import Pace
from augury.tui.run_cells import CELL_ID, NOTE, PROBLEM, SEED, STATE, Cells
from augury.tui.runs_page import (
    RUN_COLUMNS,
    columns,
    devices_line,
    guess,
    newest_first,
    run_line,
    summary,
)
from augury.tui.screens import run_actions
from augury.tui.screens.tab import TabScreen
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.line import Line
from augury.tui.widgets.lines_table import LinesTable
from augury.tui.widgets.log_view import LogView
from augury.tui.widgets.score_table import ScoreTable

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
        self._columns, self._width = RUN_COLUMNS, 0
        self._cells: Cells | None = None
        self._cells_of = ""
        self._curve: tuple[str, tuple[tuple[float, float], ...]] = ("", ())
        self._states_pace = Pace(self, 2.0, self._ask_states)
        self._curve_of = ""
        self._cells_pace = Pace(self, 1.0, self._write_cells)
        # A growing curve repaints all of its lines, and nobody reads it every second.
        self._curve_pace = Pace(self, 2.0, self._write_curve)
        self._whose = 0  # whose lines of the log: everybody's, the run's, the cell's
        self._priority = run_actions.Priority(self)

    def compose_body(self) -> ComposeResult:
        """Runs, cells of the selected one, curve or log."""
        yield LinesTable(id="runs")
        yield Line(id="devices")
        yield ScoreTable(id="cells")
        with Vertical(id="lower"):
            yield ChartView(id="curve", empty="no loss curve: nothing was trained, or not yet")
            yield Line(id="log-title")
            yield LogView(id="log")

    def on_mount(self) -> None:
        """Fill the tables with what is known."""
        self._add_columns()
        super().on_mount()

    def on_resize(self, event: Resize) -> None:
        """Show the columns of runs that have room now."""
        if columns(self.size.width) != self._columns:
            chosen, table = self.run_id, self.query_one(DataTable)
            table.clear(columns=True)
            self._lines = {}
            self._add_columns()
            self._write_runs()
            if chosen in self._lines:
                table.move_cursor(row=list(self._lines).index(chosen), animate=False)
        else:
            self._write_runs()

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
        live = self.augury.live
        self.query_one("#devices", Line).say(lambda width: Content(devices_line(live, width)))
        self._cells_pace()
        self._curve_pace()
        if self.has_class("-log"):
            self._ask_log()

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
            self._ask_states()
        self._write_note()

    @on(DataTable.RowSelected)
    def _to_cells(self) -> None:
        self.query_one(ScoreTable).focus()

    @on(ScoreTable.Opened)
    def _open_cell(self, event: ScoreTable.Opened) -> None:
        from augury.tui.screens.cell import CellScreen

        crumbs = ("Runs", self._cells_of)
        self.app.push_screen(CellScreen(str(event.row[CELL_ID]), self.TAB, crumbs))

    def action_to_runs(self) -> None:
        """Back from the cells to the runs."""
        self.query_one(DataTable).focus()

    @on(StatesRead)
    def _take_states(self, message: StatesRead) -> None:
        if message.about == self._cells_of:
            self._cells = message.value
            self.augury.live.stored(message.value.ids())
            self._cells_pace()

    @on(ScoreTable.WindowNeeded)
    def _another_window(self, event: ScoreTable.WindowNeeded) -> None:
        self._write_cells(event.first)

    @on(ScoreTable.Highlighted)
    def _another_cell(self, event: ScoreTable.Highlighted) -> None:
        if event.row[CELL_ID] != self._curve_of:
            self._write_curve()

    @on(CurveRead)
    def _take_curve(self, message: CurveRead) -> None:
        self._curve = (message.about, tuple(message.value))
        self._write_curve()

    @on(LogRead)
    def _take_log(self, message: LogRead) -> None:
        self.query_one(LogView).show(message.value)
        self._write_log_title()

    @on(Commanded)
    def _carried_out(self, message: Commanded) -> None:
        self.notify(message.value, markup=False)
        self.session.ask_status(self.app)
        self._states_pace()

    def action_why(self) -> None:
        """Say why the cell under the cursor failed; from the runs, the first that did."""
        row = self.query_one(ScoreTable).current
        wanted = str(row[CELL_ID]) if row is not None and row[STATE] == "failed" else ""
        if not wanted and self._cells is not None:
            wanted = self._cells.first_failed(self.augury.live)
        if not wanted:
            self.notify("No cell of this run has failed.")
            return
        requests.failure(self.session, self, wanted)

    @on(FailureRead)
    def _show_failure_of_cell(self, message: FailureRead) -> None:
        run_actions.explain(self, message, self._run(), self._open_log_of_cell)

    def _open_log_of_cell(self) -> None:
        self._whose = 2
        if not self.has_class("-log"):
            self.action_toggle_log()
        else:
            self._ask_log()

    def action_cancel(self) -> None:
        """Ask, then cancel the selected run."""
        run_actions.cancel(self, self._run())

    def action_details(self) -> None:
        """Show the selected run in full."""
        run_actions.details(self, self._run())

    def action_retry(self) -> None:
        """Resume the selected run where it stands still; else try its failed cells again."""
        run_actions.retry(self, self._run())

    def action_priority(self, step: int) -> None:
        """Have the selected run fed sooner or later."""
        self._priority.step(self._run(), step)

    def action_toggle_log(self) -> None:
        """Show the engine's log in place of the curve, or the curve again."""
        self.toggle_class("-log")
        if self.has_class("-log"):
            self.call_after_refresh(self._ask_log)
            self.query_one(LogView).focus()
        else:
            self.query_one(DataTable).focus()

    def action_follow(self) -> None:
        """Keep the log at its end, or hold it still."""
        view = self.query_one(LogView)
        view.follow(not view.follows)
        self._write_log_title()

    def action_whose_log(self) -> None:
        """Show all of the log, the lines of the run, or those of the cell."""
        self._whose = (self._whose + 1) % 3
        self._ask_log()

    def action_log(self) -> None:
        """Switch the chart's y axis."""
        self.query_one(ChartView).action_log("y")

    def _run(self) -> Mapping[str, Any] | None:
        return self.augury.live.runs.get(self.run_id)

    def _ask_log(self) -> None:
        row, run_id = self.query_one(ScoreTable).current, self._cells_of
        whose = Whose()
        if self._whose == 1 and run_id and self._cells is not None:
            whose = Whose(f"run {run_id}", run_id, frozenset(self._cells.ids()))
        elif self._whose == 2 and row is not None:
            cell_id = str(row[CELL_ID])
            whose = Whose(f"cell {cell_id[:12]} and its batch", "", frozenset((cell_id,)))
        self.session.ask_log(self, whose)

    def _write_log_title(self) -> None:
        title = self.query_one(LogView).title(self.augury.key_of("runs.follow"))
        self.query_one("#log-title", Line).say(f" {title}")

    def _add_columns(self) -> None:
        self._width = self.size.width  # of these columns, until `on_resize` has made others
        self._columns = columns(self._width)
        for name, title, width in self._columns:
            self.query_one(DataTable).add_column(title, key=name, width=width)

    def _write_runs(self) -> None:
        table, width = self.query_one(DataTable), self._width
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
            for (column, _, _), before, after in zip(self._columns, old, texts, strict=True):
                if before != after:
                    table.update_cell(run_id, column, after)
        self._lines = new
        self._write_note()

    def _write_note(self) -> None:
        run, live = self._run(), self.augury.live
        said = ", ".join(filter(None, (summary(run, live), guess(run)))) if run else ""
        self.note(self.augury.spelt(said or "no runs yet: {app.launch} launches one"))

    def _write_cells(self, first: int | None = None) -> None:
        table, live = self.query_one(ScoreTable), self.augury.live
        if self._cells is not None:
            # Further down than the top, one looks at a cell of one's own.
            around = table.cursor if first is None else first
            table.show(self._cells.sheet(live, around, self._cells_of), follow=table.cursor > 0)

    def _write_curve(self) -> None:
        row, chart = self.query_one(ScoreTable).current, self.query_one(ChartView)
        if row is None:
            chart.show(Chart())
            return
        cell_id, live = str(row[CELL_ID]), self.augury.live
        self._curve_of = cell_id
        batch = live.batch_of(cell_id)
        name = f"{row[0]}  {row[PROBLEM]}  seed {row[SEED]}"
        if batch is not None and cell_id in batch.now:
            chart.show(loss(cell_id, name, batch.curve, batch.where))
        elif self._curve[0] == cell_id:
            chart.show(loss(cell_id, name, self._curve[1]))
        elif row[STATE] == "done":
            self._curve = (cell_id, ())
            self.session.ask_curve(self, cell_id)
        elif batch is not None:
            chart.show(Chart(nothing="in a batch at work, which trains others just now"))
        else:
            chart.show(Chart(nothing=f"✖ {row[NOTE]}" if row[NOTE] else ""))

    def _ask_states(self) -> None:
        if self._cells_of:
            self.session.ask_states(self, self._cells_of)
