"""Choose among the boards of one scenario: each has a sweep, a scale and settings of its own."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from augury.engine.wording import count
from augury.tui.bindings import bindings
from augury.tui.board_page import context_words
from augury.tui.screens.dialog import Dialog

_KEYS = ("sweep", "scale", "settings", "scenario_version")


class BoardsDialog(Dialog[dict[str, Any]]):
    """Answers with the context of a board; with {} for whichever is the newest with results."""

    PLACE: ClassVar[str] = "boards"
    BINDINGS: ClassVar = bindings("boards")

    def __init__(self, rows: Sequence[Mapping[str, Any]], current: Mapping[str, Any]) -> None:
        """Offer the rows of the query `contexts`, newest first; the cursor on the current one."""
        super().__init__("Boards")
        self._rows = rows
        self._contexts = [{}, *map(_context, rows)]
        self._current = dict(current)

    def compose_body(self) -> ComposeResult:
        """The newest, whichever it is, then every one by name."""
        yield OptionList(
            Option("the newest with results, also when a later run makes another one"),
            *(
                Option(f"{context_words(context)}   {_about(row)}")
                for context, row in zip(self._contexts[1:], self._rows, strict=True)
            ),
            markup=False,
        )

    def on_mount(self) -> None:
        """Put the cursor on the current one."""
        if self._current in self._contexts:
            self.query_one(OptionList).highlighted = self._contexts.index(self._current)

    def action_step(self, step: int) -> None:
        """Move as j and k do everywhere."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._contexts[event.option_index])


def _context(row: Mapping[str, Any]) -> dict[str, Any]:
    context = {name: row[name] for name in _KEYS}
    if isinstance(context["settings"], str):
        context["settings"] = json.loads(context["settings"])
    return context


def _about(row: Mapping[str, Any]) -> str:
    failed = f", {row['failed']} failed" if row["failed"] else ""
    day = str(row["created"])[:16].replace("T", " ")
    state = ", cancelled" if row["newest_state"] == "cancelled" and not row["kept"] else ""
    return f"{row['done']}/{count(row['cells'], 'cell')}{failed}{state}, {day} UTC"
