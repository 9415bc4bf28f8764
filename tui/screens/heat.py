"""Heat map: what a board ranks against a column of its problems."""

from __future__ import annotations

import shlex
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from augury.engine.text_width import cut_middle, cut_words, width_of
from augury.engine.wording import count
from augury.tui import requests
from augury.tui.bindings import bindings
from augury.tui.board_page import BoardPage
from augury.tui.board_query import board_command, context_words
from augury.tui.heat_page import BEST, Heat
from augury.tui.messages import DimensionsRead, HeatRead
from augury.tui.screens.pushed import PushedScreen
from augury.tui.widgets.heat_map import HeatMap
from augury.tui.widgets.line import Line

_LEAST_NAME = 12  # columns that a row's name keeps


class HeatScreen(PushedScreen):
    """Pushed over the leaderboard; escape goes back."""

    PLACE: ClassVar[str] = "heat"
    TAB: ClassVar[str] = "leaderboard"
    AUTO_FOCUS: ClassVar[str | None] = "HeatMap"
    BINDINGS: ClassVar = bindings("heat")

    def __init__(self, page: BoardPage, filter_text: str = "") -> None:
        """Show the numbers of `page`, of the rows a filter keeps, along one dimension or another.

        Raises `FilterError`.
        """
        super().__init__()
        self._page, self._filter = page, filter_text
        self._kept = page.kept(filter_text)
        self._dimensions: list[str] = []
        self._columns: list[str] = []
        self._dimension = self._column = 0

    def compose_body(self) -> ComposeResult:
        """What is shown, the map, what its shades mean and the cell under the cursor."""
        yield Line(id="heat-title")
        yield HeatMap(id="heat")
        yield Static("", id="heat-scale", markup=False)  # in as many lines as it takes
        yield Line(id="heat-cell")

    def on_mount(self) -> None:
        """Ask which dimensions there are; the map follows."""
        super().on_mount()
        self.query_one("#heat-title", Line).say(" reading the store …")
        context = self._page.context_params
        requests.dimensions(self.session, self, self._page.scenario, context)

    def reload(self) -> None:
        """Read the numbers again."""
        if self._dimensions:
            requests.heat(self.session, self, self.params(), self.dimension, self.column)

    def results_changed(self) -> None:
        """New cells change the map."""
        self.reload()

    @property
    def dimension(self) -> str:
        """The column of problems that the map goes along."""
        return self._dimensions[self._dimension]

    @property
    def column(self) -> str:
        """The number that is shown; "" for the ranked one."""
        return self._columns[self._column] if self._columns else ""

    def params(self) -> dict[str, Any]:
        """The board query whose rows these are."""
        chosen = {"columns": [self.column]} if self.column else {}
        return {"scenario": self._page.scenario, **self._kept, **self._page.context_params,
                "by": [self.dimension], "intervals": False, **chosen}  # fmt: skip

    def command(self) -> str:
        """The command that prints the same rows."""
        chosen = {"columns": [self.column]} if self.column else {}
        board = {"scenario": self._page.scenario, **self._kept, **chosen}
        words = ["--by", self.dimension, *context_words(self._page.context_params)]
        return f"{board_command(board)} {shlex.join(words)}"

    @on(DimensionsRead)
    def _take_dimensions(self, message: DimensionsRead) -> None:
        self._dimensions = message.value or ["setting"]
        for first in ("ratio", "severity", "num_train"):  # how much data, or how hard, matters most
            if first in self._dimensions:
                self._dimension = self._dimensions.index(first)
                break
        self.reload()

    @on(HeatRead)
    def _take_heat(self, message: HeatRead) -> None:
        heat, numbers, name = message.value
        if self.column not in ("", name) or message.about != self.dimension:
            return  # of a map that is not wanted any more
        self._columns, self._column = numbers, numbers.index(name)
        self.query_one(HeatMap).show(heat)

    @on(HeatMap.Moved)
    def _write(self) -> None:
        heat = self.query_one(HeatMap).heat
        if heat is None:
            return
        self.query_one("#heat-title", Line).say(self._title)
        self.query_one("#heat-scale", Static).update(
            f"{BEST} best of its column   shades: {heat.scale}"
        )
        self.query_one("#heat-cell", Line).say(self._cell)
        values = count(len(heat.columns), "value")
        filtered = f", filter: {self._filter}" if self._filter else ""
        self.note(f"{count(len(heat.rows), 'row')}, {values} of {heat.dimension}{filtered}")

    @on(HeatMap.Opened)
    def _open(self, event: HeatMap.Opened) -> None:
        from augury.tui.screens.row import RowScreen

        row = self._page.row_with(event.keys)
        if row is not None:
            self.app.push_screen(RowScreen(self._page, row))

    def action_dimension(self, step: int) -> None:
        """Go along the next or previous column of problems."""
        if self._dimensions:
            self._dimension = (self._dimension + step) % len(self._dimensions)
            self.reload()

    def action_along(self, name: str) -> None:
        """Go along one column of problems."""
        self._dimension = self._dimensions.index(name)
        self.reload()

    def action_number(self, step: int) -> None:
        """Show the next or previous number of the board."""
        if self._columns:
            self._column = (self._column + step) % len(self._columns)
            self.reload()

    def action_copy(self) -> None:
        """Copy the map as tab-separated text."""
        heat = self.query_one(HeatMap).heat
        if heat is not None:
            lines = ["\t".join(("", *heat.columns))]
            lines += ["\t".join((name, *("" if c.value is None else repr(c.value) for c in cells)))
                      for name, cells in zip(heat.rows, heat.cells, strict=True)]  # fmt: skip
            self.augury.copy_text("\n".join(lines))

    def action_export(self) -> None:
        """Write the rows that the map is made of."""
        if not self._dimensions:
            return
        stem = f"{self._page.scenario}-by-{self.dimension}"
        self.offer_export(stem, "board", self.params(), self.command())

    def _title(self, width: int) -> Content:
        heat: Heat | None = self.query_one(HeatMap).heat
        if heat is None:
            return Content("")
        parts = [Content(f" {self._page.scenario} › "), Content.styled(heat.title, "bold")]
        for name in self._dimensions:
            said = Content(f"[{name}]" if name == self.dimension else name)
            parts += [Content("  "), said.stylize(f"@click=screen.along('{name}')")]
        line = Content("").join(parts)
        if line.cell_length <= width or not self._dimensions:
            return line
        return Content.assemble(parts[0], parts[1], f"  [{self.dimension}]  …")

    def _cell(self, width: int) -> Content:
        shown = self.query_one(HeatMap)
        heat = shown.heat
        if heat is None or not heat.rows or not heat.columns:
            return Content(" no number along this column yet")
        cell = heat.cells[shown.row][shown.column]
        if cell.value is None:
            said = "no number: cells failed, wait or were not asked for"
        else:
            error = f" ± {cell.stderr:.2g}" if cell.stderr is not None else ""
            said = f"{cell.value:.6g}{error}"
        said = f", {heat.dimension} {heat.columns[shown.column]}: {said}"
        # The number is what one looks for: a long name gives way.
        room = max(width - width_of(said) - 1, _LEAST_NAME)
        line = f" {cut_middle(heat.rows[shown.row], room)}{said}"
        best = "   best of its column" * cell.best  # a mark in the map says so too
        return Content(cut_words(line + best * (width_of(line + best) <= width), width))
