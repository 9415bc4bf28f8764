"""One line of text made to measure for its width; repaints only when the text differs."""

from __future__ import annotations

from collections.abc import Callable

from rich.style import Style
from textual import events
from textual.content import Content
from textual.widgets import Static

from augury.engine.text_width import cut

Fill = Callable[[int], Content]


class Line(Static):
    """`say` takes a function of the width, which is asked again when the width changes."""

    def __init__(self, fill: Fill | None = None, *, id: str | None = None) -> None:
        """Start with `fill`, or empty."""
        super().__init__(id=id, markup=False)
        self._fill = fill
        self._shown: Content | None = None

    @property
    def link_style(self) -> Style:
        """Tabs, scenarios and keys are links for the mouse, and keep the looks they were given."""
        return Style.null()

    @property
    def text(self) -> str:
        """What is shown, without styles."""
        return self._shown.plain if self._shown is not None else ""

    def say(self, fill: Fill | str) -> None:
        """Show another text; the mark of a cut tells where it has no room."""
        self._fill = fill if callable(fill) else lambda width, text=fill: Content(cut(text, width))
        self._write()

    def on_resize(self, event: events.Resize) -> None:
        """Fit the new width."""
        self._write()

    def _write(self) -> None:
        if self._fill is None or not self.size.width:
            return
        new = self._fill(self.size.width)
        # Content compares by its text alone, and a moved highlight must show too.
        if self._shown is None or not new.is_same(self._shown):
            self._shown = new
            self.update(new, layout=False)
