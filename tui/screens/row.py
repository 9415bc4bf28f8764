"""What is behind a row of a board: agent, config, problem, seed; one level at a time."""

from __future__ import annotations

import json
import shlex
from dataclasses import replace
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from augury.engine.catalog.splits import split_of
from augury.engine.charts.chart import Chart
from augury.tui import requests
from augury.tui.bindings import bindings
from augury.tui.board_page import BoardPage, text_of
from augury.tui.cell_page import brief, plots
from augury.tui.crumbs import trail
from augury.tui.level_page import Step
from augury.tui.messages import (
    CellRead,
    ChartRead,
    DimensionsRead,
    LevelRead,
    RowRead,
)
from augury.tui.row_page import CELL_ID, WINDOW, Place, legend
from augury.tui.screens.pushed import PushedScreen
from augury.tui.widgets.chart import NO_CURVE, READING, ChartView
from augury.tui.widgets.line import Line
from augury.tui.widgets.score_table import ScoreTable
from augury.tui.widgets.sheet import Row

Plot = tuple[str, dict[str, Any]]


class RowScreen(PushedScreen):
    """Pushed over the leaderboard; enter goes down, escape up."""

    PLACE: ClassVar[str] = "row"
    TAB: ClassVar[str] = "leaderboard"
    BINDINGS: ClassVar = bindings("row")

    def __init__(self, page: BoardPage, row: Row | None = None) -> None:
        """Begin with the problems of `row` of `page`; without one with all agents."""
        super().__init__()
        first = Step("agent", page.scenario, page.context_params)
        if row is not None:
            values = {column.name: row[n] for n, column in enumerate(page.sheet.columns)}
            keys = [page.sheet.columns[n].name for n in page.sheet.key]
            also = {n: values[n] for n in keys if n != page.subject and values[n] is not None}
            label = str(values[page.subject])
            first = replace(first, level="problem", label=label, also=also)
        self._subject = page.subject
        self._steps = [first]
        self._dimensions: list[str] = []
        self._row: Row | None = None  # under the cursor
        self._cell: dict[str, Any] = {}  # of it, or of the row whose config is shown
        self._plot = 0

    def compose_body(self) -> ComposeResult:
        """Where one is, the level's rows, then chart and config side by side."""
        yield Line(self._crumbs, id="row-title")
        yield ScoreTable(id="cells")
        with Horizontal(id="row-lower"):
            yield ChartView(id="curve", empty=NO_CURVE, first=READING)
            with VerticalScroll(id="config"):
                yield Static("", markup=False)

    def on_mount(self) -> None:
        """Ask for the rows, and which axes there are to plot along."""
        super().on_mount()
        step = self.step
        requests.dimensions(self.session, self, step.scenario, step.context)
        self.reload()

    @property
    def step(self) -> Step:
        """The level that is shown."""
        return self._steps[-1]

    def reload(self) -> None:
        """Read the rows in view again."""
        if self.step.level == "cells":
            self._ask_cells(self.query_one(ScoreTable).sheet.offset)
        else:
            requests.level(self.session, self, self.step)

    def results_changed(self) -> None:
        """New cells may belong to these rows."""
        self.reload()

    @on(LevelRead)
    def _take_level(self, message: LevelRead) -> None:
        if message.about == self.step.command() and self.step.level != "cells":
            self.query_one(ScoreTable).show(message.value)
            self._write_note()

    @on(RowRead)
    def _take_cells(self, message: RowRead) -> None:
        if self.step.level == "cells":
            self.query_one(ScoreTable).show(message.value)
            self._write_note()

    @on(DimensionsRead)
    def _take_dimensions(self, message: DimensionsRead) -> None:
        self._dimensions = message.value
        self._write_note()

    @on(ScoreTable.WindowNeeded)
    def _read_on(self, event: ScoreTable.WindowNeeded) -> None:
        if self.step.level == "cells":
            self._ask_cells(max(event.first - WINDOW // 2, 0))

    @on(ScoreTable.Highlighted)
    def _moved(self, event: ScoreTable.Highlighted) -> None:
        if event.row == self._row:
            return
        self._row = event.row
        if self.step.level == "cells":
            requests.cell(self.session, self, str(event.row[CELL_ID]))
        elif self._label() and self._label() != self._cell.get("label"):
            step = self.step
            context = step.context
            requests.config_of(self.session, self, step.scenario, self._label(), context)
        self._ask_plot()
        self._write_note()  # what there is to plot is known from now on

    @on(ScoreTable.Opened)
    def _down(self, event: ScoreTable.Opened) -> None:
        self._row = event.row
        step, name = self.step, self._named(event.row)
        match step.level:
            case "agent":
                self._go(replace(step, level="config", subject=name))
            case "config":
                self._go(replace(step, level="problem", label=name))
            case "problem":
                self._go(replace(step, level="cells", problem=name))
            case _:
                from augury.tui.screens.cell import CellScreen

                crumbs = [s.crumb.strip() for s in self._steps]
                self.app.push_screen(CellScreen(str(event.row[CELL_ID]), self.TAB, crumbs[:1]))

    @on(ChartRead)
    def _take_chart(self, message: ChartRead) -> None:
        if message.about == self._about():
            self.query_one(ChartView).show(message.value)

    @on(CellRead)
    def _take_cell(self, message: CellRead) -> None:
        wanted = self._row[CELL_ID] if self._row and self.step.level == "cells" else self._label()
        if message.about == wanted and message.value:
            drawn = self._about()
            self._cell = message.value
            self.query_one("#config Static", Static).update("\n".join(brief(message.value)))
            if self.step.level == "cells" and self._about() != drawn:
                self._ask_plot()  # only now it is known what a cell has

    def action_back(self) -> None:
        """One level up; from the first one back to the board."""
        if len(self._steps) > 1:
            self._steps.pop()
            self._arrive()
        else:
            super().action_back()

    def action_cells(self) -> None:
        """All cells of the row, whatever their problem; its problems again."""
        step = self.step
        if step.level == "problem":
            self._go(replace(step, level="cells", problem=""))
        elif step.level == "cells" and not step.problem:
            self.action_back()
        else:
            self.notify("Choose a config first: its cells are below it.")

    def action_turn(self) -> None:
        """To the chart, to the config, which scrolls, and back to the table."""
        places = [self.query_one(ScoreTable), self.query_one(ChartView), self.query_one("#config")]
        here = places.index(self.focused) if self.focused in places else -1
        places[(here + 1) % len(places)].focus()

    def action_plot(self) -> None:
        """Show the next plot."""
        self._plot = (self._plot + 1) % max(len(self._plots()), 1)
        self._ask_plot()
        self._write_note()

    def action_log(self) -> None:
        """Switch the chart's y axis."""
        self.query_one(ChartView).action_log("y")

    def action_copy(self) -> None:
        """Copy the row under the cursor."""
        table = self.query_one(ScoreTable)
        if table.current is not None:
            self.augury.copy_text(text_of(table.sheet, table.current))

    def action_export(self) -> None:
        """Write the level; of all cells of a row every number, in the long form."""
        step = self.step
        query, params, command = "levels", step.params(), step.command()
        if step.level == "cells" and not step.problem:
            params = {"scenario": step.scenario, "filter": f'label="{step.label}"'}
            query = "cells"
            chosen = ("--scenario", step.scenario, "--filter", params["filter"])
            command = shlex.join(("augury", "cells", *chosen))
        self.offer_export(f"{step.scenario}-{step.level}", query, params, command)

    def _go(self, step: Step) -> None:
        self._steps.append(step)
        self._arrive()

    def _arrive(self) -> None:
        self._row, self._plot = None, 0
        table = self.query_one(ScoreTable)
        table.cursor = 0
        table.scroll_to(0, 0, animate=False)
        self.query_one(ChartView).show(Chart(nothing=READING))
        self.query_one("#row-title", Line).say(self._crumbs)
        self.reload()

    def _ask_cells(self, offset: int) -> None:
        step = self.step
        place = Place(step.scenario, step.label, step.context, step.also, step.problem)
        self.session.ask_row(self, place, offset)

    def _label(self) -> str:
        """The row of the board that the cursor is within; "" among agents."""
        step = self.step
        if step.level == "config" and self._row is not None:
            return self._named(self._row)
        return step.label

    def _named(self, row: Row) -> str:
        wanted = "problem" if self.step.level == "problem" else self._subject
        columns = self.query_one(ScoreTable).sheet.columns
        return next((str(row[n]) for n, c in enumerate(columns) if c.name == wanted), "")

    def _plots(self) -> list[Plot]:
        """What can be drawn of the row under the cursor."""
        step, label = self.step, self._label()
        if self._row is None or not label:
            return []
        if step.level == "cells":
            cell_id = str(self._row[CELL_ID])
            known = self._cell if self._cell.get("cell_id") == cell_id else {}
            kinds = [(kind, {"cell": cell_id, **more}) for kind, more in plots(known)]
            own = split_of(step.also)  # of the row one came from: before the others
            return sorted(kinds, key=lambda kind: bool(own) and kind[1].get("mode") != own)
        place = {"scenario": step.scenario, "subjects": [label], **_chosen(step.context)}
        problem = self._named(self._row) if step.level == "problem" else ""
        found: list[Plot] = []
        if problem and any(c.name == "p_value" for c in self.query_one(ScoreTable).sheet.columns):
            checked = {"scenario": step.scenario, "label": label, "mode": split_of(step.also)}
            found = [("checked", {**checked, "problem": problem, **step.context})]
        found += [("curves", {**place, **({"problem": problem} if problem else {})})]
        axes = [*self._dimensions, *(["kappa"] if step.scenario in ("testbed", "real") else [])]
        return found + [("along", {**place, "by": axis}) for axis in axes]

    def _about(self) -> str:
        found = self._plots()
        return json.dumps(found[self._plot % len(found)]) if found else ""

    def _ask_plot(self) -> None:
        found = self._plots()
        if found:
            kind, params = found[self._plot % len(found)]
            requests.chart(self.session, self, self._about(), kind, params)
        else:
            self.query_one(ChartView).show(Chart(nothing="Enter shows its configs."))

    def _write_note(self) -> None:
        sheet = self.query_one(ScoreTable).sheet
        total = sheet.total
        word = {"cells": "cell"}.get(self.step.level, self.step.level)
        said = f"{total} {word}{'' if total == 1 else 's'}"
        said += f", {marks}" if (marks := legend(sheet)) else ""
        found = self._plots()
        if len(found) > 1:
            kind, params = found[self._plot % len(found)]
            names = ("by", "mode", "curve")
            name = next((params[n] for n in names if params.get(n)), "mean loss")
            name = f"{kind} {name}" if kind == "severities" else name
            more = self.augury.key_of("row.plot")
            said += f"   plot {self._plot % len(found) + 1} of {len(found)}: {name} ({more} next)"
        self.note(said)

    def _crumbs(self, width: int) -> Content:
        parts = [self._steps[0].scenario, *(step.crumb.strip() for step in self._steps)]
        return Content(" " + trail(parts, width - 2))


def _chosen(context: Any) -> dict[str, Any]:
    """Of a context what plots take."""
    return {name: context[name] for name in ("sweep", "scale", "settings") if name in context}
