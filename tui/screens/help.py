"""Help, made from the table of keys."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from augury.tui.bindings import KEYS, TITLES, bindings
from augury.tui.key import Keymap
from augury.tui.screens.dialog import Dialog

_KEYS = 12  # columns
_MOUSE = "Text: hold shift while you select with the mouse."


class HelpDialog(Dialog[None]):
    """The keys of some places first, then those that work everywhere."""

    PLACE: ClassVar[str] = "help"
    BINDINGS: ClassVar = bindings("help")

    def __init__(self, places: Sequence[str], keymap: Keymap) -> None:
        """Begin with the keys of `places`."""
        super().__init__("Keys")
        self._places, self._keymap = tuple(dict.fromkeys(places)), keymap

    def compose_body(self) -> ComposeResult:
        """The table."""
        with VerticalScroll(id="help-text"):
            yield _Page(self._places, self._keymap)

    def action_step(self, step: int) -> None:
        """Scroll by a line."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    def action_jump(self, step: int) -> None:
        """Scroll to where the keys of the next part begin, or of the one before."""
        scroll, starts = self.query_one(VerticalScroll), self.query_one(_Page).starts
        here = round(scroll.scroll_y)
        ahead = [y for y in starts if (y > here if step > 0 else y < here)]
        if ahead:
            scroll.scroll_to(y=ahead[0] if step > 0 else ahead[-1], animate=False)


class _Page(Static):
    """The text, with what wraps set below where it began."""

    def __init__(self, places: Sequence[str], keymap: Keymap) -> None:
        super().__init__()
        self._places, self._keymap = places, keymap
        self._width = 0
        self.starts: list[int] = []  # the lines that parts begin on

    def on_resize(self) -> None:
        """Fit the new width."""
        if self.size.width != self._width:
            self._width = self.size.width
            self.update(self._page())

    def _page(self) -> Content:
        lines: list[Content] = []
        self.starts = []
        for place in self._places:
            keys = [key for key in KEYS if key.where == place]
            if not keys:
                continue
            self.starts.append(len(lines))
            lines.append(Content.styled(TITLES[place], "bold"))
            for key in keys:
                said = wrap(key.help, max(self._width - _KEYS - 4, 10))
                shown = f"  {key.reads(self._keymap):<{_KEYS}}  "
                lines.append(Content.assemble((shown, "bold $accent"), said[0]))
                lines += [Content(" " * (_KEYS + 4) + more) for more in said[1:]]
        return Content("\n").join([*lines, Content(""), Content(_MOUSE)])
