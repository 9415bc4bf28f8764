"""What every dialog shares."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeVar, cast

from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from augury.tui.bindings import bindings
from augury.tui.chrome import key_line
from augury.tui.places import is_typing
from augury.tui.widgets.line import Line

if TYPE_CHECKING:
    from augury.tui.app import AuguryApp

T = TypeVar("T")


class Dialog(ModalScreen[T]):
    """A titled box in the middle; escape closes it without an answer."""

    PLACE: ClassVar[str] = "dialog"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("dialog")

    def __init__(self, title: str) -> None:
        """Title above, keys below."""
        super().__init__()
        self._title = title
        self._is_answered = False

    @property
    def augury(self) -> AuguryApp:
        """The application, by its own type."""
        return cast("AuguryApp", self.app)  # no import: the application imports its screens

    def compose(self) -> ComposeResult:
        """The frame."""
        with Vertical():
            yield Static(self._title, classes="dialog-title", markup=False)
            yield from self.compose_body()
            yield Line(self._key_line, id="dialog-keys")

    def compose_body(self) -> ComposeResult:
        """The dialog's own widgets."""
        yield from ()

    def _key_line(self, width: int) -> Content:
        own = [*dict.fromkeys((self.PLACE, "dialog"))]
        return key_line(width, own, self.augury.keymap, typing=is_typing(self))

    def on_descendant_focus(self) -> None:
        """Tell the keys that hold where one is: in a field, letters are letters."""
        self.query_one("#dialog-keys", Line).say(self._key_line)

    def dismiss(self, result: T | None = None) -> AwaitComplete:
        """Close with an answer; the second of two keys in one burst finds it closed."""
        if self._is_answered:
            return AwaitComplete.nothing()
        self._is_answered = True
        return super().dismiss(result)

    def action_dismiss_none(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


def text(words: str) -> Widget:
    """A paragraph of a dialog."""
    return Static(words, classes="dialog-text", markup=False)
