"""Whom to compare a row with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from augury.tui.bindings import bindings
from augury.tui.screens.dialog import Dialog


class SecondDialog(Dialog[str]):
    """Answers with a label."""

    PLACE: ClassVar[str] = "second"
    BINDINGS: ClassVar = bindings("second")

    def __init__(self, first: str, others: Sequence[str]) -> None:
        """Offer the others."""
        super().__init__(f"Compare {first} with")
        self._others = others

    def compose_body(self) -> ComposeResult:
        """The list."""
        yield OptionList(*(Option(name) for name in self._others), markup=False)
        hint = "space on the board marks two to four rows to compare"
        yield Static(hint, classes="dialog-text", markup=False)

    def on_mount(self) -> None:
        """Begin with the first."""
        self.query_one(OptionList).highlighted = 0

    def action_step(self, step: int) -> None:
        """Move as j and k do everywhere."""
        options = self.query_one(OptionList)
        options.action_cursor_down() if step > 0 else options.action_cursor_up()

    @on(OptionList.OptionSelected)
    def _chosen(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(self._others[event.option_index])
