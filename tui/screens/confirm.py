"""A question before something that cannot be taken back."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult

from augury.tui.bindings import bindings
from augury.tui.screens.dialog import Dialog, text


class ConfirmDialog(Dialog[bool]):
    """Answers True on y or enter, nothing on escape or n."""

    PLACE: ClassVar[str] = "confirm"
    BINDINGS: ClassVar = bindings("confirm")

    def __init__(self, title: str, words: str, command: str) -> None:
        """Say what will happen, and the command that does the same."""
        super().__init__(title)
        self._words = words
        self._command = command

    def compose_body(self) -> ComposeResult:
        """The question."""
        yield text(f"{self._words}\n\nsame as: {self._command}")

    def action_yes(self) -> None:
        """Answer yes."""
        self.dismiss(True)
