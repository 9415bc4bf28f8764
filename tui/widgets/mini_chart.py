"""Curves with axes; repaints only the lines that changed."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import wrap
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from augury.engine.text_width import cut, left
from augury.tui.widgets.braille import Plot, Series, draw

_EMPTY = Plot((), ())
_STYLES = 3


class MiniChart(Widget):
    """Up to three curves told apart by colour, order and legend."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "mini-chart--axis",
        *(f"mini-chart--series-{n}" for n in range(_STYLES)),
    }

    def __init__(self, *, id: str | None = None, empty: str = "no curve yet") -> None:
        """Say `empty` while there is nothing to draw."""
        super().__init__(id=id)
        self._series: tuple[Series, ...] = ()
        self._nothing = self._empty = empty
        self._title = ""
        self._log = True
        self._plot = _EMPTY

    def show(self, title: str, series: Sequence[Series], empty: str = "") -> None:
        """Replace what is drawn, or what is said where there is nothing to draw."""
        new = (tuple(series), title, empty or self._nothing)
        if new != (self._series, self._title, self._empty):
            self._series, self._title, self._empty = new
            self._redraw()

    def toggle_log(self) -> None:
        """Switch the y axis between logarithmic and linear."""
        self._log = not self._log
        self._redraw()

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Take up another theme's colours."""
        super().notify_style_update()
        self.refresh()

    @property
    def lines(self) -> tuple[str, ...]:
        """What is drawn, as text."""
        return self._plot.lines

    def render_line(self, y: int) -> Strip:
        """One line, coloured by the series that owns each cell."""
        base = self.rich_style
        if y >= len(self._plot.lines):
            return Strip.blank(self.size.width, base)
        line = self._plot.lines[y]
        axis = base + self.get_component_rich_style("mini-chart--axis", partial=True)
        owners = self._plot.owners[y - 1] if 0 < y <= len(self._plot.owners) else ()
        if not owners:
            return Strip([Segment(line, axis)], len(line)).adjust_cell_length(self.size.width, base)
        cut = self._plot.axis_width
        segments = [Segment(line[:cut], axis)]
        start = 0
        for column in range(1, len(owners) + 1):
            if column == len(owners) or owners[column] != owners[start]:
                text = line[cut + start : cut + column]
                segments.append(
                    Segment(text, base if owners[start] < 0 else self._ink(owners[start]))
                )
                start = column
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def _ink(self, number: int) -> Style:
        name = f"mini-chart--series-{number % _STYLES}"
        return self.rich_style + self.get_component_rich_style(name, partial=True)

    def _redraw(self) -> None:
        width, height = self.size
        body = draw(self._series, width, height - 1, self._log)
        if body.owners:
            scale = "log y" if self._log else "linear y"
            legend = "  ".join(s.name for s in self._series)
            title = f"{self._title}  {legend}  {scale}".strip()
            lines = (left(cut(f" {title}", width), width), *body.lines)
        else:
            said = wrap(self._empty, max(width - 2, 10))[:height]
            lines = tuple(left(f" {line}", width) for line in said)
        new = Plot(lines, body.owners, body.axis_width)
        old, self._plot = self._plot, new
        if len(old.lines) != len(new.lines) or len(old.owners) != len(new.owners):
            self.refresh()
            return
        changed = [y for y, line in enumerate(new.lines) if line != old.lines[y]]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))
