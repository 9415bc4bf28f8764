"""What every dialog shares."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A titled box in the middle; escape closes it without an answer."""

    BINDINGS: ClassVar = [Binding("escape", "dismiss_none", show=False)]

    def __init__(self, title: str, hint: str) -> None:
        """Title above, keys below."""
        super().__init__()
        self._title = title
        self._hint = hint

    def compose(self) -> ComposeResult:
        """The frame."""
        with Vertical():
            yield Static(self._title, classes="dialog-title", markup=False)
            yield from self.compose_body()
            yield Static(self._hint, classes="dialog-hint", markup=False)

    def compose_body(self) -> ComposeResult:
        """The dialog's own widgets."""
        yield from ()

    def action_dismiss_none(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


def text(words: str) -> Widget:
    """A paragraph of a dialog."""
    return Static(words, classes="dialog-text", markup=False)
