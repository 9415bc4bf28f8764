"""The filter line over a board: rows follow while one types."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import on

from augury.tui.messages import FilterEntered, FilterHelpWanted, FilterTyped
from augury.tui.screens.board import BoardScreen

if TYPE_CHECKING:
    from augury.engine.terms import FilterError
    from augury.tui.widgets.filter_bar import FilterBar


class FilteredBoard(BoardScreen):
    """Makes the line when it is asked for first: the first frame does without."""

    _bar: FilterBar | None = None
    _entered: str | None = None  # a filter that was wanted before there was a board

    @property
    def is_typing(self) -> bool:
        """Whether the line is open."""
        return self._bar is not None and self._bar.is_open

    async def action_filter(self) -> None:
        """Open the filter line; what is typed meanwhile waits for it.

        Before the first board too: the letters behind the key would be commands else.
        """
        if self.page is None and self.with_results == ():
            return
        before = self.looks.filter if self.scenario else ""
        if self._bar is None:
            from augury.tui.widgets.filter_bar import FilterBar

            self._bar = FilterBar()
            self._bar.open(before)
            await self.mount(self._bar, before=self.table)
        else:
            self._bar.open(before)

    def first_board(self) -> None:
        """Filter it by what was typed while it was read."""
        if self._entered is not None:
            self.looks.filter, self._entered = self._entered, None
            self.looks_changed()
        elif self._bar is not None and self.is_typing:
            self.looks.filter = self._bar.text
            self.typing()

    def action_clear(self) -> None:
        """Take the filter off."""
        if self.looks.filter:
            self.looks.filter = ""
            self.looks_changed()

    def action_filter_help(self) -> None:
        """What may be typed into the filter line."""
        if self.page is not None:
            from augury.tui.screens.filter_help import FilterHelp

            self.app.push_screen(FilterHelp(self.page))

    def filter_tried(self, error: FilterError | None) -> None:
        """Point at what cannot be meant; the filter stays as it was."""
        if self._bar is not None:
            self._bar.complain(error)
        if error is not None:
            self.looks.filter = self.applied.filter
            if not self.is_typing:
                super().filter_tried(error)

    @on(FilterTyped)
    def _filter_typed(self, event: FilterTyped) -> None:
        if self.is_typing and self.page is not None:
            self.looks.filter = event.text.strip()
            self.typing()

    @on(FilterEntered)
    def _filter_entered(self, event: FilterEntered) -> None:
        if self._bar is None:
            return
        if self.page is None:
            self._entered = event.text.strip()
            self._bar.close()
            self.table.focus()
            return
        self.looks.filter = event.text.strip()
        self.looks_changed()
        if not self._bar.is_wrong:
            self._bar.close()
            self.table.focus()

    @on(FilterHelpWanted)
    def _help_wanted(self) -> None:
        self.action_filter_help()
