"""Leaderboard: one board for each scenario that has results, and all that can be done with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on

from augury.tui.bindings import bindings
from augury.tui.messages import ContextsRead, Submitted, TextMade
from augury.tui.screens.checked_board import CheckedBoard
from augury.tui.screens.detail import DetailActions
from augury.tui.widgets.score_table import ScoreTable

if TYPE_CHECKING:
    from augury.engine.views import View

_UNITS = ("", "normalised", "rank")


class LeaderboardScreen(DetailActions, CheckedBoard):
    """Home. While the store is empty it offers the quick run and shows the published board."""

    PLACE: ClassVar[str] = "leaderboard"
    BINDINGS: ClassVar = bindings("leaderboard")

    @on(Submitted)
    def _take_submission(self, message: Submitted) -> None:
        self.augury.run_started(message.value)

    @on(TextMade)
    def _copy_export(self, message: TextMade) -> None:
        self.augury.copy_text(message.value)

    @on(ScoreTable.Opened)
    def _open_row(self, event: ScoreTable.Opened) -> None:
        if self.page is None or self.page.published:
            self.action_quick()
        else:
            from augury.tui.screens.row import RowScreen

            self.app.push_screen(RowScreen(self.page, event.row))

    def action_quick(self) -> None:
        """Start the quick run where there is nothing to open."""
        if self.with_results == ():
            from augury.tui.choice import QUICK

            self.session.submit(self, QUICK)

    @on(ScoreTable.HeaderClicked)
    def _sort_by_title(self, event: ScoreTable.HeaderClicked) -> None:
        self._sort_by((event.column.name, event.second))

    def action_sort(self) -> None:
        """Choose the column to sort by, and the one that decides between equals."""
        if self.page is not None:
            from augury.tui.screens.sort import SortDialog

            sheet = self.table.sheet
            self.app.push_screen(SortDialog(sheet.columns, sheet.sort, sheet.then), self._sort_by)

    def _sort_by(self, chosen: tuple[str, bool] | None) -> None:
        if not chosen:
            return
        (name, second), looks = chosen, self.looks
        if second:
            looks.then = {name: f"-{name}", f"-{name}": ""}.get(looks.then, name)
        else:
            looks.descending = not looks.descending if (looks.sort or "rank") == name else False
            looks.sort = "" if name == "rank" else name  # a board's own order is by rank
        self.looks_changed()

    def action_reverse(self) -> None:
        """Sort the other way round."""
        self.looks.descending = not self.looks.descending
        self.looks_changed()

    def action_columns(self) -> None:
        """Choose which columns are shown, and in which order."""
        if self.page is not None:
            from augury.tui.screens.columns import ColumnsDialog

            self.app.push_screen(ColumnsDialog(self.page, self.looks), self._show_columns)

    def _show_columns(self, names: list[str] | None) -> None:
        if names is not None:
            self.looks.columns = names
            self.looks_changed()

    def action_show_part(self, what: str) -> None:
        """Show or hide standard errors, colours or bars."""
        setattr(self.looks, what, not getattr(self.looks, what))
        self.looks_changed()

    def action_group(self) -> None:
        """Group by the next thing there is to group by, then by nothing."""
        if self.page is not None:
            from augury.tui.board_looks import groups

            ways = ("", *groups(self.page))
            place = ways.index(self.looks.group) if self.looks.group in ways else 0
            self.looks.group = ways[(place + 1) % len(ways)]
            self.looks_changed()

    def action_units(self) -> None:
        """Raw numbers, then divided by the baseline's, then places."""
        page, looks = self.page, self.looks
        if page is None or page.published:
            return
        place = _UNITS.index(looks.units) if looks.units in _UNITS else 0
        units = _UNITS[(place + 1) % len(_UNITS)]
        if units == "normalised" and not (looks.baseline or page.baseline):
            key = self.augury.key_of("leaderboard.baseline")
            self.notify(f"Nothing to divide by: {key} makes the row under the cursor the baseline.")
            units = "rank"
        for old in ("_norm", "_rank"):
            if looks.sort.removesuffix(old) in page.titles:
                looks.sort = looks.sort.removesuffix(old)
        looks.units = units
        self.looks_changed()

    def action_baseline(self) -> None:
        """Divide by the row under the cursor; again: by the board's own baseline."""
        page, row = self.page, self.table.current
        if page is not None and row is not None and not page.published:
            label = str(row[page.places[page.subject].place])
            self.looks.baseline = "" if self.looks.baseline == label else label
            if not self.looks.baseline and self.looks.units == "normalised":
                self.looks.units = ""
            self.looks_changed()

    def action_views(self) -> None:
        """Look at the board as was saved under a name."""
        if self.page is not None:
            from augury.tui.screens.views import ViewsDialog

            self.app.push_screen(
                ViewsDialog(self.scenario, self.session, self._shown()), self._take_view
            )

    def _shown(self) -> Mapping[str, Any]:
        """Which board is on screen; nothing of the published one."""
        page = self.page
        return {} if page is None or page.published else page.context_params

    def _take_view(self, view: View | None) -> None:
        if view is not None:
            self.looks.take(view)
            self.looks_changed()

    def action_save_view(self) -> None:
        """Save how the board is looked at."""
        if self.page is not None:
            from augury.tui.screens.views import SaveView

            self.app.push_screen(SaveView(self.scenario, self.looks.view(), self._shown()))

    def action_boards(self) -> None:
        """Choose among the boards of the scenario."""
        if self.page is not None and not self.page.published:
            self.session.ask_contexts(self, self.page.scenario)

    @on(ContextsRead)
    def _offer_boards(self, message: ContextsRead) -> None:
        if message.about != self.scenario or self.app.screen is not self:
            return
        from augury.tui.screens.boards import BoardsDialog

        contexts = list(message.value.dicts())
        self.app.push_screen(BoardsDialog(contexts, self.looks.context), self._show_context)

    def _show_context(self, context: dict[str, Any] | None) -> None:
        if context is not None:
            self.looks.context = context
            self.looks_changed()

    def action_scenario(self, step: int) -> None:
        """Show the next or previous scenario."""
        if self.scenarios:
            place = (self.scenarios.index(self.scenario) + step) % len(self.scenarios)
            self.show_scenario(self.scenarios[place])

    def action_show(self, scenario: str) -> None:
        """Show one scenario."""
        self.show_scenario(scenario)

    def action_copy(self, what: str) -> None:
        """Copy the cell under the cursor, its row, or the table."""
        from augury.tui.board_page import text_of
        from augury.tui.board_text import markdown

        table = self.table
        row = table.current
        if row is None or self.page is None:
            return
        if what == "cell":
            value = table.sheet.value(row, table.place)
            self.augury.copy_text("" if value is None else str(value))
        elif what == "row":
            self.augury.copy_text(text_of(table.sheet, row))
        else:
            self.augury.copy_text(markdown(self.page, table.sheet))

    def action_export(self) -> None:
        """Ask what to write where, then write it."""
        if self.page is None or self.page.published:
            self.notify("There are no results of yours to export yet.")
            return
        from augury.tui.screens.board_export import BoardExport

        marked = [self.table.sheet.name(row) for row in self.table.marked]
        counts = self.table.sheet.count
        self.app.push_screen(BoardExport(self.page, self.looks, marked, counts, self))
