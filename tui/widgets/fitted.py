"""Text made to measure for its room; made anew when the room is another one."""

from __future__ import annotations

from collections.abc import Callable

from textual import events
from textual.content import Content
from textual.widgets import Static

Fill = Callable[[int, int], Content]


class Fitted(Static):
    """`say` takes a function of width and height."""

    def __init__(self, *, id: str | None = None) -> None:
        """Empty."""
        super().__init__(id=id, markup=False)
        self._fill: Fill = lambda _width, _height: Content("")

    def say(self, fill: Fill) -> None:
        """Show another text."""
        self._fill = fill
        self._write()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the new room."""
        self._write()

    def _write(self) -> None:
        self.update(self._fill(*self.size), layout=False)
