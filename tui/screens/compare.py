"""Two to four subjects side by side, a pair at a time: differences, configs, curves."""

from __future__ import annotations

import json
import shlex
from itertools import combinations
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from augury.engine.text_width import width_of
from augury.tui import requests
from augury.tui.bindings import bindings
from augury.tui.board_page import BoardPage
from augury.tui.board_query import context_words
from augury.tui.compare_page import config_lines, sheet
from augury.tui.crumbs import names
from augury.tui.messages import (
    CellRead,
    ChartRead,
    DifferencesRead,
    DimensionsRead,
)
from augury.tui.screens.pushed import TableAndChart
from augury.tui.widgets.chart import NO_CURVE, READING, ChartView
from augury.tui.widgets.line import Line
from augury.tui.widgets.score_table import ScoreTable

_WIDE = 116  # columns that hold everything at once


class CompareScreen(TableAndChart):
    """Pushed over the leaderboard; escape goes back."""

    PLACE: ClassVar[str] = "compare"
    TAB: ClassVar[str] = "leaderboard"
    BINDINGS: ClassVar = bindings("compare")

    def __init__(self, page: BoardPage, labels: tuple[str, ...]) -> None:
        """Compare two to four rows of `page`."""
        super().__init__()
        self._page = page
        self._pairs = list(combinations(labels[:4], 2))
        self._pair = 0
        self._differing = True
        self._by = "setting"
        self._plot = 0
        self._axes: list[str] = []
        self._cells: dict[str, dict[str, Any]] = {}
        self._said = ("", "")  # what is compared, and which way is better

    def compose_body(self) -> ComposeResult:
        """Who is compared, the differences, then curves and configs side by side."""
        yield Line(self._who, id="compare-title")
        yield ScoreTable(id="differences")
        with Horizontal(id="compare-lower"):
            yield ChartView(id="curve", empty=NO_CURVE, first=READING)
            yield Static("", id="compare-config", markup=False)

    def on_mount(self) -> None:
        """Ask for everything."""
        super().on_mount()
        context = self._page.context_params
        requests.dimensions(self.session, self, self._page.scenario, context)
        self.reload()

    @property
    def pair(self) -> tuple[str, str]:
        """The first and the second subject."""
        return self._pairs[self._pair]

    def params(self) -> dict[str, Any]:
        """Parameters of the query `differences`."""
        more = {"by": self._by} if self._by != "setting" else {}
        return {"scenario": self._page.scenario, "subjects": list(self.pair),
                **self._page.context_params, **more}  # fmt: skip

    def command(self) -> str:
        """The command that prints the same differences."""
        words = ["augury", "compare", self._page.scenario, "--agent", ",".join(self.pair)]
        words += ["--by", self._by, *context_words(self._page.context_params)]
        return shlex.join(words)

    def reload(self) -> None:
        """Read differences, configs and curves again."""
        requests.differences(self.session, self, self.command(), self.params())
        for label in self.pair:
            if label not in self._cells:
                place = self._page
                requests.config_of(
                    self.session, self, place.scenario, label, place.context_params, label
                )
        self._write_configs()
        self._ask_plot()

    @on(DifferencesRead)
    def _take(self, message: DifferencesRead) -> None:
        if message.about != self.command():
            return
        table = message.value
        self.query_one(ScoreTable).show(sheet(table, self.size.width >= _WIDE))
        about = table.meta
        unit = f", {about['unit']}" if about.get("unit") else ""
        better = {"lower": "lower is better", "higher": "higher is better",
                  "one": "nearer 1 is better"}.get(str(about.get("better")), "")  # fmt: skip
        self._said = f"{about['column_title']}{unit}", better
        self.query_one("#compare-title", Line).say(self._who)
        self.note(f"paired by {about['of']}; 95 % intervals; p after Holm's correction")

    @on(CellRead)
    def _take_cell(self, message: CellRead) -> None:
        self._cells[message.about] = message.value
        self._write_configs()

    @on(DimensionsRead)
    def _take_dimensions(self, message: DimensionsRead) -> None:
        kappa = ["kappa"] if self._page.scenario in ("testbed", "real") else []
        self._axes = [*message.value, *kappa]

    @on(ChartRead)
    def _take_chart(self, message: ChartRead) -> None:
        if message.about == self._about():
            self.query_one(ChartView).show(message.value)

    def action_swap(self) -> None:
        """Take the second as the first."""
        first, second = self.pair
        self._pairs[self._pair] = (second, first)
        self._another()

    def action_next_pair(self) -> None:
        """The next two of those that were chosen."""
        if len(self._pairs) == 1:
            self.notify("Only two are compared: mark up to four rows of the board.")
        self._pair = (self._pair + 1) % len(self._pairs)
        self._another()

    def action_by(self) -> None:
        """By problem, or by setting again."""
        self._by = "problem" if self._by == "setting" else "setting"
        self._another()

    def action_differing(self) -> None:
        """All fields of both configs, or only those that differ."""
        self._differing = not self._differing
        self._write_configs()

    def action_plot(self) -> None:
        """Mean losses, or the ranked number along an axis."""
        self._plot = (self._plot + 1) % (1 + len(self._axes))
        self._ask_plot()

    def action_export(self) -> None:
        """Write the differences."""
        stem = f"{self._page.scenario}-compared"
        self.offer_export(stem, "differences", self.params(), self.command())

    def _another(self) -> None:
        self.query_one("#compare-title", Line).say(self._who)
        self.reload()

    def _chart(self) -> tuple[str, dict[str, Any]]:
        context = self._page.context_params
        place = {n: context[n] for n in ("sweep", "scale", "settings") if n in context}
        params = {"scenario": self._page.scenario, "subjects": list(self.pair), **place}
        if not self._plot:
            return "curves", params
        return "along", {**params, "by": self._axes[self._plot - 1]}

    def _about(self) -> str:
        return json.dumps(self._chart())

    def _ask_plot(self) -> None:
        kind, params = self._chart()
        requests.chart(self.session, self, self._about(), kind, params)

    def _write_configs(self) -> None:
        if all(label in self._cells for label in self.pair):
            first, second = (self._cells[label] for label in self.pair)
            lines = ["configs, A → B", *config_lines(first, second, self._differing)]
            self.query_one("#compare-config", Static).update("\n".join(lines))

    def _who(self, width: int) -> Content:
        first, second = self.pair
        more = f"  ({self._pair + 1} of {len(self._pairs)} pairs)" if len(self._pairs) > 1 else ""
        number, better = self._said
        plain = number.partition(", ")[0]  # without its unit
        for head, said in (
            (f" {self._page.scenario} › compare   ", f"{number}   {better}"),
            (" compare   ", f"{number}   {better}"),
            (" ", f"{number}   {better}"),
            (" ", f"{plain}   {better}"),
        ):
            rest = f"{more}   {said}"
            room = width - width_of(f"{head}A    B {rest}") - 1
            if width_of(first) + width_of(second) <= room:
                break
        first, second = names((first, second), room)
        return Content.assemble(
            head, ("A ", "bold $primary"), first, ("   B ", "bold $primary"), f"{second}{rest}"
        )


def compare(screen: Any, page: BoardPage, labels: tuple[str, ...], here: str) -> None:
    """Compare the marked rows; where fewer than two are, ask whom with."""
    if len(labels) >= 2:
        if len(labels) > 4:
            screen.notify("The first four of the marked rows are compared.")
        screen.app.push_screen(CompareScreen(page, labels))
        return
    from augury.tui.screens.second import SecondDialog

    first = labels[0] if labels else here
    place = [column.name for column in page.sheet.columns].index(page.subject)
    others = list(dict.fromkeys(str(row[place]) for row in page.sheet.rows))  # type: ignore[index]
    others = [name for name in others if name != first]
    if not others:
        screen.notify("There is only one row: nothing to compare it with.")
        return

    def chosen(second: str | None) -> None:
        if second is not None:
            screen.app.push_screen(CompareScreen(page, (first, second)))

    screen.app.push_screen(SecondDialog(first, others), chosen)
