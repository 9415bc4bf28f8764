"""How the leaderboard leads to the screens that take its numbers apart."""

from __future__ import annotations

from augury.tui.board_page import BoardPage
from augury.tui.screens.tab import TabScreen


class DetailActions(TabScreen):
    """Actions of a screen that shows a board with results of one's own."""

    page: BoardPage | None

    def action_heat(self) -> None:
        """The board's numbers along a column of problems, as a map."""
        if self.page is not None and not self.page.published:
            from augury.tui.screens.heat import HeatScreen
            from augury.tui.widgets.score_table import ScoreTable

            if not self.query_one(ScoreTable).sheet.count:
                self.notify("No row to show along a column: the filter keeps none.", markup=False)
                return
            looks = self.augury.view.board(self.page.scenario)
            self.app.push_screen(HeatScreen(self.page, looks.filter))

    def action_compare(self) -> None:
        """The marked rows; without two of them the row under the cursor and another one."""
        page = self.page
        if page is None or page.published:
            return
        from augury.tui.screens.compare import compare
        from augury.tui.widgets.score_table import ScoreTable

        table = self.query_one(ScoreTable)
        place = [column.name for column in page.sheet.columns].index(page.subject)
        labels = tuple(dict.fromkeys(str(row[place]) for row in table.marked))
        if table.current is not None:
            compare(self, page, labels, str(table.current[place]))

    def action_transfer(self) -> None:
        """Scores on the testbed beside those on real data."""
        from augury.tui.screens.transfer import TransferScreen

        self.app.push_screen(TransferScreen())

    def action_drill(self) -> None:
        """All agents, then configs, problems and seeds below one."""
        if self.page is not None and not self.page.published:
            from augury.tui.screens.row import RowScreen

            self.app.push_screen(RowScreen(self.page))
