"""One cell in full: its curves, its config, every number, and what the engine's log says of it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import ContentSwitcher, Static

from augury.engine.text_width import width_of
from augury.tui import requests
from augury.tui.bindings import bindings
from augury.tui.board_page import text_of
from augury.tui.cell_page import config_sheet, facts, fault, plots, scores_sheet, title
from augury.tui.crumbs import trail
from augury.tui.curves import loss
from augury.tui.formatting import state
from augury.tui.messages import CellRead, ChartRead, LogRead
from augury.tui.screens.pushed import PushedScreen
from augury.tui.widgets.chart import READING, ChartView
from augury.tui.widgets.line import Line
from augury.tui.widgets.score_table import ScoreTable

TABS = (("curves", "Curves"), ("config", "Config"), ("scores", "Scores"), ("log", "Log"))


class CellScreen(PushedScreen):
    """Pushed over whatever lists cells; escape goes back."""

    PLACE: ClassVar[str] = "cell"
    AUTO_FOCUS: ClassVar[str | None] = "ChartView"
    BINDINGS: ClassVar = bindings("cell")

    def __init__(self, cell_id: str, tab: str, crumbs: Sequence[str] = ()) -> None:
        """Show a cell; `crumbs` say where one came from, `tab` which tab of the application."""
        super().__init__()
        self.TAB = tab  # type: ignore[misc]
        self.cell_id = cell_id
        self._crumbs = tuple(crumbs)
        self._tab = TABS[0][0]
        self._cell: dict[str, Any] = {}
        self._changed_only = False
        self._plots: list[tuple[str, dict[str, Any]]] = [("cell", {})]
        self._plot = 0

    def compose_body(self) -> ComposeResult:
        """Where one is, the four tabs, what is said of the cell in one line."""
        yield Line(self._where, id="cell-title")
        yield Line(self._tabs, id="cell-tabs")
        with ContentSwitcher(initial="cell-curves", id="cell-body"):
            yield ChartView(id="cell-curves", empty=READING)
            yield ScoreTable(id="cell-config")
            yield ScoreTable(id="cell-scores")
            with VerticalScroll(id="cell-log"):
                yield Static("", id="cell-log-text", markup=False)

    def on_mount(self) -> None:
        """Ask for the record; the curve comes beside it."""
        super().on_mount()
        self.reload()

    def reload(self) -> None:
        """Read everything of the cell again."""
        requests.cell(self.session, self, self.cell_id)
        self._ask_plot()
        requests.log(self.session, self, self.cell_id)

    def results_changed(self) -> None:
        """It may have finished; a cell that is done does not change."""
        if self._cell.get("status") != "done":
            self.reload()

    def live_changed(self) -> None:
        """While it is at work its curve grows."""
        super().live_changed()
        batch = self.augury.live.batch_of(self.cell_id)
        if batch is not None and self.cell_id in batch.now and self._plot == 0:
            shown = loss(self.cell_id, title(self._cell), batch.curve, batch.where)
            self.query_one(ChartView).show(shown)

    @on(CellRead)
    def _take_cell(self, message: CellRead) -> None:
        self._cell = message.value
        drawn = self._about()
        self._plots = plots(self._cell)
        self._plot = min(self._plot, len(self._plots) - 1)
        if self._about() != drawn:
            self._ask_plot()  # only now it is known what a cell has
            self.query_one("#cell-tabs", Line).say(self._tabs)
        self.query_one("#cell-title", Line).say(self._where)
        self._write_config()
        self.query_one("#cell-scores", ScoreTable).show(scores_sheet(self._cell["results"]))
        self.note(facts(self._cell))
        self._write_log("")

    @on(ChartRead)
    def _take_chart(self, message: ChartRead) -> None:
        if message.about == self._about():
            self.query_one(ChartView).show(message.value)
            self.live_changed()

    @on(LogRead)
    def _take_log(self, message: LogRead) -> None:
        self._write_log(message.value)

    def action_turn(self, step: int) -> None:
        """Show the next or previous tab."""
        names = [name for name, _ in TABS]
        self.action_show_tab(names[(names.index(self._tab) + step) % len(names)])

    def action_show_tab(self, name: str) -> None:
        """Show one tab."""
        self._tab = name
        self.query_one(ContentSwitcher).current = f"cell-{name}"
        self.query_one(f"#cell-{name}").focus()
        self.query_one("#cell-tabs", Line).say(self._tabs)

    def action_plot(self) -> None:
        """Show the cell's next plot."""
        if self._tab != "curves":
            self.action_show_tab("curves")
        elif len(self._plots) > 1:
            self._plot = (self._plot + 1) % len(self._plots)
            self._ask_plot()
            self.query_one("#cell-tabs", Line).say(self._tabs)
        else:
            self.notify("This cell has no other curve.")

    def action_changed(self) -> None:
        """Show only what differs from the defaults, or everything."""
        self._changed_only = not self._changed_only
        if self._tab != "config":
            self.action_show_tab("config")
        self._write_config()

    def action_copy(self) -> None:
        """Copy the line under the cursor; all of the log."""
        shown = self.query_one(f"#cell-{self._tab}")
        if isinstance(shown, ScoreTable) and shown.current is not None:
            self.augury.copy_text(text_of(shown.sheet, shown.current))
        elif self._tab == "log":
            self.augury.copy_text(str(self.query_one("#cell-log-text", Static).content))
        else:
            self.augury.copy_text(self.session.same_as(self.query_one(ChartView).chart.command))

    def action_export(self) -> None:
        """Write the chart; from the other tabs every number of the cell, in the long form."""
        if self._tab == "curves":
            self.query_one(ChartView).action_export()
            return
        chosen = f"cell_id={self.cell_id}"
        command = f"augury cells --filter {chosen}"
        self.offer_export(f"cell-{self.cell_id[:12]}", "cells", {"filter": chosen}, command)

    def _about(self) -> str:
        return json.dumps([self.cell_id, *self._plots[self._plot]])

    def _ask_plot(self) -> None:
        kind, params = self._plots[self._plot]
        given = {"cell": self.cell_id, **params}
        requests.chart(self.session, self, self._about(), kind, given)

    def _write_config(self) -> None:
        sheet = config_sheet(self._cell, self._changed_only)
        self.query_one("#cell-config", ScoreTable).show(sheet)

    def _write_log(self, text: str) -> None:
        said = text or "The engine's log says nothing of it: it is older, or another engine's."
        shown = "\n".join([*fault(self._cell), said])
        self.query_one("#cell-log-text", Static).update(Content(shown))

    def _where(self, width: int) -> Content:
        status = str(self._cell.get("status", ""))
        said = str(state(status)) if status else ""
        room = width - width_of(said) - 4
        here = title(self._cell, room) if self._cell else self.cell_id[:12]
        return Content.assemble(f" {trail((*self._crumbs, here), room)}   ", (said, "bold"))

    def _tabs(self, width: int) -> Content:
        parts: list[Content] = [Content(" ")]
        for name, words in TABS:
            chosen = name == self._tab
            text = f"[{words}]" if chosen else f" {words} "
            shown = Content.styled(text, "bold $primary" if chosen else "")
            parts += [shown.stylize(f"@click=screen.show_tab('{name}')"), Content(" ")]
        kind, params = self._plots[self._plot]
        if self._tab == "curves" and len(self._plots) > 1:
            name = params.get("curve") or params.get("mode") or kind
            name = f"{kind} {name}" if kind == "severities" else name
            parts.append(Content(f"  m: {self._plot + 1} of {len(self._plots)}, {name}"))
        return Content("").join(parts)
