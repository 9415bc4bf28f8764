"""One row of a board: its config, its cells by problem and seed, and the loss curve of one."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from augury.tui.bindings import bindings
from augury.tui.board_page import BoardPage, text_of
from augury.tui.curves import loss
from augury.tui.formatting import number
from augury.tui.messages import CellRead, CurveRead, Exported, RowRead
from augury.tui.row_page import CELL_ID, WINDOW, Place, legend
from augury.tui.screens.tab import TabScreen
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.line import Line
from augury.tui.widgets.score_table import ScoreTable
from augury.tui.widgets.sheet import Row


class RowScreen(TabScreen):
    """Pushed over the leaderboard; escape goes back."""

    PLACE: ClassVar[str] = "row"
    TAB: ClassVar[str] = "leaderboard"
    BINDINGS: ClassVar = bindings("row")

    def __init__(self, page: BoardPage, row: Row) -> None:
        """Show what is behind `row` of `page`."""
        super().__init__()
        values = {column.name: row[n] for n, column in enumerate(page.sheet.columns)}
        keys = [page.sheet.columns[n].name for n in page.sheet.key]
        self.place = Place(
            page.scenario,
            str(values[page.subject]),
            page.context_params,
            {name: values[name] for name in keys if name != page.subject},
        )
        self._shown = ""  # the cell whose curve and config are wanted

    def compose_body(self) -> ComposeResult:
        """Title, cells, then curve and config side by side."""
        yield Line(id="row-title")
        yield ScoreTable(id="cells")
        with Horizontal(id="row-lower"):
            yield ChartView(id="curve", empty="no loss curve: nothing was trained, or not yet")
            with VerticalScroll(id="config"):
                yield Static("", markup=False)

    def on_mount(self) -> None:
        """Ask for the cells."""
        super().on_mount()
        also = "  ".join(f"{k} {v}" for k, v in self.place.also.items())
        title = f" {self.place.scenario} › {self.place.label}  {also}"
        self.query_one("#row-title", Line).say(title)
        self.reload()

    def reload(self) -> None:
        """Read the cells in view again."""
        self.session.ask_row(self, self.place, self.query_one(ScoreTable).sheet.offset)

    def results_changed(self) -> None:
        """New cells may belong to this row."""
        self.reload()

    @on(RowRead)
    def _take_row(self, message: RowRead) -> None:
        self.query_one(ScoreTable).show(message.value)
        total = message.value.total
        words = (f"{total} cell" if total == 1 else f"{total} cells", legend(message.value))
        self.note(", ".join(filter(None, words)))

    @on(ScoreTable.WindowNeeded)
    def _read_on(self, event: ScoreTable.WindowNeeded) -> None:
        self.session.ask_row(self, self.place, max(event.first - WINDOW // 2, 0))

    @on(ScoreTable.Highlighted)
    def _moved(self, event: ScoreTable.Highlighted) -> None:
        cell_id = str(event.row[CELL_ID])
        if cell_id != self._shown:
            self._shown = cell_id
            self.session.ask_curve(self, cell_id)
            self.session.ask_cell(self, cell_id)

    @on(CurveRead)
    def _take_curve(self, message: CurveRead) -> None:
        if message.about == self._shown:
            row = self.query_one(ScoreTable).current
            name = f"{row[0]}  seed {row[2]}" if row is not None else ""
            self.query_one(ChartView).show(loss(self._shown, name, message.value))

    @on(CellRead)
    def _take_cell(self, message: CellRead) -> None:
        if message.about == self._shown:
            self.query_one("#config Static", Static).update("\n".join(_describe(message.value)))

    @on(Exported)
    def _tell_export(self, message: Exported) -> None:
        self.notify(f"{message.path}\nsame as: {message.command}", title="Written", markup=False)

    def action_back(self) -> None:
        """Back to the board."""
        self.app.pop_screen()

    def action_log(self) -> None:
        """Switch the chart's y axis."""
        self.query_one(ChartView).action_log("y")

    def action_copy(self) -> None:
        """Copy the row under the cursor."""
        table = self.query_one(ScoreTable)
        if table.current is not None:
            self.augury.copy_text(text_of(table.sheet, table.current))

    def action_export(self) -> None:
        """Write every number of the scenario's cells, in the long form."""
        from augury.tui.screens.export import ExportChoice, ExportDialog

        params = {"scenario": self.place.scenario}
        command = self.session.same_as(f"augury cells --scenario {self.place.scenario}")

        def write(choice: ExportChoice | None) -> None:
            if choice is not None:
                self.session.export(self, "cells", params, choice.form, choice.path, command)

        self.app.push_screen(ExportDialog(f"{self.place.scenario}-cells", command), write)


def _describe(cell: dict[str, Any]) -> list[str]:
    lines = [f"cell {str(cell.get('cell_id', ''))[:12]}"]
    if cell.get("error_kind"):
        lines += [f"✖ {cell['error_kind']}", str(cell.get("error_message") or ""), ""]
    config = json.loads(cell.get("config") or "{}")
    lines += ["config", *(f"  {k} {_short(v)}" for k, v in config.items())]
    settings = json.loads(cell.get("settings") or "{}")
    lines += ["settings", *(f"  {k} {_short(v)}" for k, v in settings.items())]
    for name in ("device", "width", "attempts", "jax_version", "code_version", "finished_at"):
        if cell.get(name) not in (None, ""):
            lines.append(f"{name} {cell[name]}")
    for part in ("compile", "train", "evaluate"):
        value = cell.get(f"{part}_seconds")
        if value is not None:
            lines.append(f"{part} {number(value, '.3f')} s")
    return lines


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
