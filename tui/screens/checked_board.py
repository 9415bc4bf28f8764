"""Below a board: replicates of the check, or steps of the estimate, of the row under the cursor."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from textual import on

from augury.engine.catalog.splits import split_of
from augury.tui import requests
from augury.tui.messages import ChartRead
from augury.tui.screens.filtered_board import FilteredBoard
from augury.tui.widgets.chart import READING
from augury.tui.widgets.score_table import ScoreTable

if TYPE_CHECKING:
    from augury.engine.charts.chart import Chart
    from augury.tui.widgets.chart import ChartView
    from augury.tui.widgets.sheet import Row

_NONE = "Rows of this board are no checks and no estimates by step."
_NO_ROW = "The filter keeps no row."


class CheckedBoard(FilteredBoard):
    """Makes the chart when there is something to show in it: other boards do without."""

    _checks: ChartView | None = None
    _problem = 0  # which of those behind the row, in a circle; kept from row to row
    _wanted = ""  # what was asked for last

    @property
    def closer(self) -> str:
        """The plot of a row of this board; nothing where its rows have none."""
        page = self.page
        if page is None or page.published:
            return ""
        if page.scenario == "mi":
            return "stepped"
        return "checked" if "p_value" in page.titles else ""

    @property
    def idle_keys(self) -> tuple[str, ...]:
        """Keys that the last line does not offer: no row is in sight beside a large chart."""
        return ("leaderboard.open",) if self.has_class("-enlarged") else ()

    @on(ScoreTable.Highlighted)
    def _look_closer(self) -> None:
        self._show_checks()

    def shown(self) -> None:
        """There are other rows to look at."""
        self.set_class(bool(self.closer), "-checked")
        if not self.closer:
            self._enlarge(False)
        self._show_checks()

    @on(ChartRead)
    def _take_chart(self, message: ChartRead) -> None:
        if self._checks is not None and message.about == self._wanted:
            chart: Chart = message.value
            self._checks.show(chart)

    def action_next_check(self) -> None:
        """The replicates, or steps, of the next problem behind the row."""
        if not self.closer:
            self.notify(_NONE)
            return
        self._problem += 1
        self._show_checks()

    def action_enlarge(self) -> None:
        """The chart in all the room there is; again: the table."""
        if not self.closer:
            self.notify(_NONE)
            return
        self._enlarge(not self.has_class("-enlarged"))
        self._show_checks()

    def action_clear(self) -> None:
        """Back to the table; then take the filter off."""
        if self.has_class("-enlarged"):
            self._enlarge(False)
        else:
            super().action_clear()

    def write_note(self) -> None:
        """With the keys of the chart, which are other boards' no keys."""
        super().write_note()
        if self.closer:
            from augury.tui.bindings import KEYS

            keys = {key.label: key.reads(self.augury.keymap) for key in KEYS
                    if key.where == "leaderboard"}  # fmt: skip
            size = "small" if self.has_class("-enlarged") else "large"
            said = f"{keys['next check']} next problem, {keys['enlarge']} {size}"
            self.note("   ".join(filter(None, (self._note, said))))

    def _enlarge(self, wanted: bool) -> None:
        if wanted == self.has_class("-enlarged"):
            return
        self.set_class(wanted, "-enlarged")
        self.write_note()
        if self._checks is not None and wanted:
            self._checks.focus()
        elif not wanted:
            if self._checks is not None:
                self._checks.action_zoom(0)  # there is no key for it beside the board
            self.table.focus()
        self.write_keys()

    def _show_checks(self) -> None:
        row, page = self.table.current, self.page
        if not self.closer or page is None:
            return
        if self._checks is None:
            from augury.tui.widgets.chart import ChartView

            self._checks = ChartView(id="checks", empty=READING)
            self.mount(self._checks, after=self.table)
        if row is None:  # nothing of a row that is out of sight stays to be written
            from augury.engine.charts.chart import Chart

            self._wanted = ""
            self._checks.show(Chart(nothing=_NO_ROW))
            return
        asked = self._params(row)
        self._wanted = json.dumps(asked)
        requests.chart(self.session, self, self._wanted, self.closer, asked)

    def _params(self, row: Row) -> dict[str, Any]:
        """Of `engine.charts.plots.stepped` or `.checked`, for one row of the board."""
        page = self.page
        assert page is not None
        values = {name: row[place.place] for name, place in page.places.items()}
        about = {
            "scenario": page.scenario, "label": str(values[page.subject]), "place": self._problem,
            "setting": values.get("setting"), **page.context_params,
        }  # fmt: skip
        if self.closer == "stepped":
            return {**about, "domain": str(values.get("domain") or "")}
        return {**about, "mode": split_of(values)}
