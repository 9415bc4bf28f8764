"""Help, made from the table of keys."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from augury.tui.bindings import KEYS, TITLES
from augury.tui.screens.dialog import Dialog

_KEYS = 12  # columns
_MOUSE = "Text: hold shift while you select with the mouse."


class HelpDialog(Dialog[None]):
    """The keys of some places first, then those that work everywhere."""

    BINDINGS: ClassVar = [
        Binding("question_mark,q,enter", "dismiss_none", show=False),
        Binding("j", "step(1)", show=False),
        Binding("k", "step(-1)", show=False),
    ]

    def __init__(self, places: Sequence[str]) -> None:
        """Begin with the keys of `places`."""
        super().__init__("Keys", "j k scroll   esc close")
        self._places = places

    def compose_body(self) -> ComposeResult:
        """The table."""
        with VerticalScroll(id="help-text"):
            yield _Page(self._places)

    def action_step(self, step: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)


class _Page(Static):
    """The text, with what wraps set below where it began."""

    def __init__(self, places: Sequence[str]) -> None:
        super().__init__()
        self._places = places
        self._width = 0

    def on_resize(self) -> None:
        """Fit the new width."""
        if self.size.width != self._width:
            self._width = self.size.width
            self.update(self._page())

    def _page(self) -> Content:
        parts: list[Content | str | tuple[str, str]] = []
        for place in dict.fromkeys((*self._places, "app")):
            keys = [key for key in KEYS if key.where == place]
            if not keys:
                continue
            parts.append((f"{TITLES[place]}\n", "bold"))
            for key in keys:
                said = wrap(key.help, max(self._width - _KEYS - 4, 10))
                below = "\n" + " " * (_KEYS + 4)
                parts += [(f"  {key.shown:<{_KEYS}}  ", "bold $accent"), below.join(said) + "\n"]
        return Content.assemble(*parts, f"\n{_MOUSE}")
