"""An error, in words a person can act on."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding

from augury.tui.screens.dialog import Dialog, text


class ErrorDialog(Dialog[None]):
    """Title, what happened and what to do."""

    BINDINGS: ClassVar = [Binding("enter,q", "dismiss_none", show=False)]

    def __init__(self, title: str, words: str) -> None:
        """Show the error's title and its one line."""
        super().__init__(f"✖ {title}", "enter close")
        self.words = words

    def compose_body(self) -> ComposeResult:
        """The line."""
        yield text(self.words)
