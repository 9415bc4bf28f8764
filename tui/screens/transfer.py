"""Does the testbed predict real data? Both scores of each agent, and their rank correlation."""

from __future__ import annotations

import shlex
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Static

from augury.engine.charts import transfer_plot
from augury.tui import requests
from augury.tui.bindings import bindings
from augury.tui.messages import Failed, TransferRead
from augury.tui.screens.pushed import TableAndChart
from augury.tui.transfer_page import sheet
from augury.tui.widgets.chart import READING, ChartView
from augury.tui.widgets.line import Line
from augury.tui.widgets.score_table import ScoreTable


class TransferScreen(TableAndChart):
    """Pushed over the leaderboard; escape goes back."""

    PLACE: ClassVar[str] = "transfer"
    TAB: ClassVar[str] = "leaderboard"
    BINDINGS: ClassVar = bindings("transfer")

    def __init__(self) -> None:
        """Of default configs at first."""
        super().__init__()
        self._config = "default"
        self._table: Any = None
        self._sides = ""

    def compose_body(self) -> ComposeResult:
        """What is compared, the scores, the same as a chart."""
        yield Line(self._title, id="transfer-title")
        yield ScoreTable(id="scores")
        yield Static("", id="lacking", markup=False)
        yield ChartView(id="transfer-chart", empty="nothing to draw yet", first=READING)

    def on_mount(self) -> None:
        """Ask for everything."""
        super().on_mount()
        self.reload()

    def params(self) -> dict[str, Any]:
        """Parameters of the query `transfer`."""
        return {"config": "best"} if self._config == "best" else {}

    def command(self) -> str:
        """The command that prints the same."""
        options = [word for name, value in self.params().items() for word in (f"--{name}", value)]
        return shlex.join(["augury", "transfer", *options])

    def reload(self) -> None:
        """Read both sides again."""
        requests.transfer(self.session, self, self.command(), self.params())

    @on(TransferRead)
    def _take(self, message: TransferRead) -> None:
        if message.about != self.command():
            return
        table = self._table = message.value
        lacks = [f"{why}: {self.session.same_as(shlex.join(['augury', *words]))}"
                 for why, words in transfer_plot.lacking(table.meta)]  # fmt: skip
        said = self.query_one("#lacking", Static)
        said.update("\n".join(lacks))
        said.display = bool(lacks)
        self._sides = transfer_plot.sides(table.meta)
        self.query_one("#transfer-title", Line).say(self._title)
        self.note(transfer_plot.told(table.meta))
        self.query_one(ScoreTable).show(sheet(table))
        self._draw()

    @on(ScoreTable.Highlighted)
    def _draw(self) -> None:
        """The row under the cursor apart from the others."""
        if self._table is None:
            return
        row = dict(zip(self._table.columns, self.query_one(ScoreTable).current or (), strict=False))
        known = None not in (row.get("testbed"), row.get("real"))
        apart = [str(row["agent"])] if known else []
        chart, view = (
            transfer_plot.drawn(self._table, apart, self.params()),
            self.query_one(ChartView),
        )
        view.display = not chart.is_empty  # what is missing is said above it
        view.show(chart)

    @on(Failed)
    def _as_before(self) -> None:
        """What is tuned on neither side is not compared."""
        self._config = "default"
        self.query_one("#transfer-title", Line).say(self._title)

    def action_config(self) -> None:
        """Of tuned configs, or of default ones again."""
        self._config = "best" if self._config == "default" else "default"
        self.query_one("#transfer-title", Line).say(self._title)
        self.reload()

    def action_export(self) -> None:
        """Write both scores of each agent."""
        self.offer_export("transfer", "transfer", self.params(), self.command())

    def _title(self, width: int) -> Content:
        said = f"{self._sides}, {self._config} configs" if self._sides else ""
        head = " testbed against real data   "
        return Content(head + said if len(head + said) <= width else f" {said or head.strip()}")
