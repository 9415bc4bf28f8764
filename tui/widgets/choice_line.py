"""One line that offers a few choices, of which one is taken: `Rows  (o) filtered  ( ) all`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static

from augury.tui.bindings import bindings


class ChoiceLine(Static, can_focus=True):
    """Left and right take the next choice that is possible."""

    PLACE: ClassVar[str] = "choice"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("choice")

    class Changed(Message):
        """Another choice is taken."""

    def __init__(
        self, title: str, choices: Sequence[tuple[str, str]], chosen: str, id: str
    ) -> None:
        """`choices` are (name, text); `chosen` is a name."""
        super().__init__(id=id, markup=False)
        self._title, self._choices = title, tuple(choices)
        self.chosen = chosen
        self._barred: frozenset[str] = frozenset()

    def on_mount(self) -> None:
        """Write it."""
        self._write()

    def close_off(self, names: Collection[str]) -> None:
        """These cannot be taken now; if one of them is, the first that can be takes its place."""
        self._barred = frozenset(names)
        if self.chosen in self._barred:
            self.chosen = next(name for name, _ in self._choices if name not in self._barred)
        self._write()

    def choose(self, name: str) -> None:
        """Take one."""
        if name not in self._barred and name != self.chosen:
            self.chosen = name
            self._write()
            self.post_message(self.Changed())

    def action_step(self, step: int) -> None:
        """Take the next or previous one."""
        names = [name for name, _ in self._choices if name not in self._barred]
        self.choose(names[(names.index(self.chosen) + step) % len(names)])

    def on_click(self, event: events.Click) -> None:
        """Take the one that was clicked."""
        end = len(self._head)
        for name, text in self._choices:
            end += len(text) + 6
            if event.x < end:
                self.choose(name)
                return

    def watch_has_focus(self, has_focus: bool) -> None:
        """The title says where one is."""
        super().watch_has_focus(has_focus)
        self._write()

    @property
    def _head(self) -> str:
        return f"{'›' if self.has_focus else ' '}{self._title:<8} "

    def _write(self) -> None:
        parts: list[tuple[str, str]] = [(self._head, "bold" if self.has_focus else "")]
        for name, text in self._choices:
            style = "$secondary" if name in self._barred else "bold" * (name == self.chosen)
            mark = "-" if name in self._barred else "o" if name == self.chosen else " "
            parts.append((f"({mark}) {text}  ", style))
        self.update(Content.assemble(*parts))
