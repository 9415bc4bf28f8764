"""An error, in words a person can act on."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult

from augury.tui.bindings import bindings
from augury.tui.screens.dialog import Dialog, text


class ErrorDialog(Dialog[None]):
    """Title, what happened and what to do."""

    PLACE: ClassVar[str] = "error"
    BINDINGS: ClassVar = bindings("error")

    def __init__(self, title: str, words: str) -> None:
        """Show the error's title and its one line."""
        super().__init__(f"✖ {title}")
        self.words = words

    def compose_body(self) -> ComposeResult:
        """The line."""
        yield text(self.words)
