"""Choose the column to sort by."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from augury.engine.text_width import left, width_of
from augury.tui.bindings import bindings
from augury.tui.screens.dialog import Dialog
from augury.tui.widgets.sheet import Column


class SortDialog(Dialog[tuple[str, bool]]):
    """Answers with a column's name, and whether it is to decide between equals only."""

    PLACE: ClassVar[str] = "sort"
    BINDINGS: ClassVar = bindings("sort")

    def __init__(self, columns: Sequence[Column], current: str, then: str = "") -> None:
        """Offer columns, the cursor on the current one; `then` decides between equals."""
        super().__init__("Sort by")
        self._columns = [column for column in columns if column.sortable]
        self._current, self._then = current, then

    def compose_body(self) -> ComposeResult:
        """The columns, with the names that filter and command line know them by."""
        titles = [column.title for column in self._columns]
        for place, title in enumerate(titles):
            if title == "±SE":
                titles[place] = f"{titles[place - 1]} ±SE"
        width = max(map(width_of, titles), default=0)
        yield OptionList(
            *(
                Option(f"{self._place(c.name)} {left(title, width)}  {c.name}", id=f"sort-{n}")
                for n, (title, c) in enumerate(zip(titles, self._columns, strict=True))
            ),
            markup=False,
        )

    def on_mount(self) -> None:
        """Put the cursor on the current column."""
        names = [column.name for column in self._columns]
        if self._current in names:
            self.query_one(OptionList).highlighted = names.index(self._current)

    def action_step(self, step: int) -> None:
        """Move as j and k do everywhere."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss((self._columns[event.option_index].name, False))

    def action_then(self) -> None:
        """The column under the cursor decides between equals."""
        place = self.query_one(OptionList).highlighted
        if place is not None:
            self.dismiss((self._columns[place].name, True))

    def _place(self, name: str) -> str:
        return "1" if name == self._current else "2" if name == self._then.lstrip("-") else " "
