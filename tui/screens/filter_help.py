"""What may be typed into the filter line: the parser's own table, and this board's columns."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from augury.engine.terms import OPERATORS, WORDS
from augury.tui.bindings import bindings
from augury.tui.board_page import BoardPage
from augury.tui.screens.dialog import Dialog


class FilterHelp(Dialog[None]):
    """Words and operators, then columns."""

    PLACE: ClassVar[str] = "filter_help"
    BINDINGS: ClassVar = bindings("filter_help")

    def __init__(self, page: BoardPage) -> None:
        """Speak of this board."""
        super().__init__("Filter: all terms must hold")
        self._board = page

    def compose_body(self) -> ComposeResult:
        """The table."""
        with VerticalScroll(id="help-text"):
            yield Static(self._text())

    def action_step(self, step: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    def _text(self) -> Content:
        parts: list[Content | str | tuple[str, str]] = []
        for one in (*OPERATORS, *WORDS):
            parts += [(f"  {one.sign:<8}", "bold $accent"), f"{one.meaning:<44} {one.example}\n"]
        parts.append(("Columns of this board\n", "bold"))
        for name in self._board.places:
            title = self._board.title_of(name)
            said = title if title != name else ""
            parts += [(f"  {name:<26}", "bold $accent"), f"{said}\n"]
        if self._board.problems:
            parts.append(("Of problems: rows are computed anew from those that are kept\n", "bold"))
            for name, kind in self._board.problems.items():
                parts += [(f"  {name:<26}", "bold $accent"), f"{kind}\n"]
        return Content.assemble(*parts)
