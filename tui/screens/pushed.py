"""What screens share that lie over a tab."""

from __future__ import annotations

from typing import Any

from textual.message_pump import MessagePump

from augury.tui.board_page import text_of
from augury.tui.screens.tab import TabScreen
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.score_table import ScoreTable


class PushedScreen(TabScreen):
    """Escape goes back to what it lies over."""

    def action_back(self) -> None:
        """Back to what was open before."""
        self.app.pop_screen()

    def offer_export(self, stem: str, query: str, params: dict[str, Any], command: str) -> None:
        """Ask for format and file, then write the rows of a query; `command` prints the same."""
        from augury.tui.screens.export import ExportChoice, ExportDialog

        same = self.session.same_as(command)

        def write(choice: ExportChoice, told: MessagePump) -> None:
            self.session.export(told, query, params, choice.form, choice.path, same)

        self.app.push_screen(ExportDialog(stem, same, write, self))


class TableAndChart(PushedScreen):
    """One table of numbers, and a chart of them."""

    def results_changed(self) -> None:
        """New cells change the numbers."""
        self.reload()

    def action_turn(self) -> None:
        """To the chart, and back to the table."""
        here = isinstance(self.focused, ChartView)
        self.query_one(ScoreTable if here else ChartView).focus()

    def action_copy(self) -> None:
        """Copy the row under the cursor."""
        table = self.query_one(ScoreTable)
        if table.current is not None:
            self.augury.copy_text(text_of(table.sheet, table.current))
