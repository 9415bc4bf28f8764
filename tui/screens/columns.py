"""Choose which columns a board shows, and in which order."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult

from augury.tui.bindings import bindings
from augury.tui.board_looks import visible
from augury.tui.board_page import BoardPage
from augury.tui.screens.dialog import Dialog
from augury.tui.state import BoardState
from augury.tui.widgets.chooser import Chooser


class ColumnsDialog(Dialog[list[str]]):
    """Answers with the chosen names in their order; with an empty list for the board's own."""

    PLACE: ClassVar[str] = "columns"
    BINDINGS: ClassVar = bindings("columns")

    def __init__(self, page: BoardPage, looks: BoardState) -> None:
        """Offer all columns, those that are shown first."""
        super().__init__("Columns")
        self._usual = [name for name in page.usual if name in page.optional]
        self._shown = [name for name in visible(page, looks) if name in page.optional]
        self._all = page.optional
        self._titles = {name: page.title_of(name) for name in self._all}

    def compose_body(self) -> ComposeResult:
        """The list."""
        yield Chooser(id="columns")

    def on_mount(self) -> None:
        """Fill it."""
        self._offer(self._shown)

    def action_keep(self) -> None:
        """Show what is chosen."""
        chosen = list(self.query_one(Chooser).chosen)
        self.dismiss([] if chosen == self._usual else chosen)

    def action_shift(self, step: int) -> None:
        """Move the column under the cursor."""
        self.query_one(Chooser).shift(step)

    def action_usual(self) -> None:
        """Choose what the board shows by itself."""
        self._offer(self._usual)

    def _offer(self, shown: list[str]) -> None:
        names = [*shown, *(name for name in self._all if name not in shown)]
        chooser = self.query_one(Chooser)
        chooser.offer(names, shown, {n: f"{self._titles[n]}  ({n})" for n in names})
        chooser.highlighted = 0
