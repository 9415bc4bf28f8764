"""The one chart of the application: draws a `Chart`, repaints only the lines that changed."""

from __future__ import annotations

from dataclasses import replace
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from augury.engine.charts.chart import MOST_SERIES, Chart, View
from augury.engine.charts.text import AXIS, MARK, Drawing, draw
from augury.tui.bindings import bindings

READING = "reading the store …"
NO_CURVE = "no curve: nothing was trained, or not yet"
_SMOOTH = (0.0, 0.6, 0.9, 0.97)


class ChartView(Widget, can_focus=True):
    """Up to six series told apart by colour, pattern and legend; zoom, pan, log axes, smoothing."""

    PLACE: ClassVar[str] = "chart"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("chart")
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "chart--axis",
        "chart--mark",
        *(f"chart--series-{n}" for n in range(MOST_SERIES)),
    }

    class KeysChanged(Message):
        """Other keys than before have something to act on."""

    class ExportWanted(Message):
        """The person wants the chart in a file, as it is looked at."""

        def __init__(self, chart: Chart, view: View) -> None:
            """Name both."""
            super().__init__()
            self.chart, self.view = chart, view

    def __init__(
        self, *, id: str | None = None, empty: str = "no curve yet", first: str = ""
    ) -> None:
        """Say `empty` when there is nothing to draw and the chart says nothing itself.

        Before the first chart is shown, say `first`, where that is something else.
        """
        super().__init__(id=id)
        self._empty = empty
        self.chart = Chart(nothing=first or empty)
        self.view = View()
        self._drawing = Drawing(())

    def show(self, chart: Chart) -> None:
        """Replace what is drawn; zoom stays on lines over the same axes.

        Bars of other values lie elsewhere on their axis: a part of it would hide what they show.
        """
        if not chart.nothing:
            chart = replace(chart, nothing=self._empty)
        if chart == self.chart:
            return
        if (chart.x, chart.y) != (self.chart.x, self.chart.y) and not self.chart.is_empty:
            self.view = replace(self.view, start=0.0, end=1.0, log_x=None, log_y=None)
        could, self.chart = self._can_smooth, chart
        if not self._can_smooth:
            self.view = replace(self.view, start=0.0, end=1.0)
        if not self._can_smooth:
            self.view = replace(self.view, smooth=0.0)  # nor does its command say it
        if could != self._can_smooth:
            self.post_message(self.KeysChanged())
        self._redraw()

    @property
    def idle_keys(self) -> tuple[str, ...]:
        """Keys that the last line does not offer: bars and points cannot be smoothed."""
        return () if self._can_smooth else ("chart.smooth",)

    @property
    def _can_smooth(self) -> bool:
        panels = self.chart.panels or (self.chart,)
        kinds = {series.kind for panel in panels for series in panel.series}
        return not kinds or "line" in kinds  # what is not here yet may have lines

    @property
    def lines(self) -> tuple[str, ...]:
        """What is drawn, as text."""
        return self._drawing.texts

    def on_resize(self, event: events.Resize) -> None:
        """Draw for the new size."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Take up another theme's colours."""
        super().notify_style_update()
        self.refresh()

    def action_log(self, axis: str) -> None:
        """Switch an axis between logarithmic and linear."""
        name = f"log_{axis}"
        now = getattr(self.view, name)
        default = (self.chart.x if axis == "x" else self.chart.y).log
        self._look(replace(self.view, **{name: not (default if now is None else now)}))

    def action_zoom(self, step: int) -> None:
        """Nearer (1), farther (-1), or all of it (0)."""
        whole = replace(self.view, start=0.0, end=1.0)
        self._look(self.view.zoomed(step) if step else whole)

    def action_pan(self, step: int) -> None:
        """To the right or left while it is zoomed."""
        self._look(self.view.panned(step))

    def action_smooth(self) -> None:
        """More smoothing; none after the most. What has no lines stays as it is."""
        if not self._can_smooth:
            self.notify("Only lines can be smoothed: this chart has none.")
            return
        more = [weight for weight in _SMOOTH if weight > self.view.smooth]
        self._look(replace(self.view, smooth=more[0] if more else 0.0))

    def action_export(self) -> None:
        """Ask the screen to write it to a file."""
        if self.chart.is_empty:
            self.notify("There is nothing drawn to write.")
        else:
            self.post_message(self.ExportWanted(self.chart, self.view))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel zooms."""
        event.stop()
        self.action_zoom(1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Out again."""
        event.stop()
        self.action_zoom(-1)

    def render_line(self, y: int) -> Strip:
        """One line, coloured by the series that owns each part."""
        base = self.rich_style
        if y >= len(self._drawing.lines):
            return Strip.blank(self.size.width, base)
        segments = [Segment(text, self._ink(ink, base)) for text, ink in self._drawing.lines[y]]
        return Strip(segments).adjust_cell_length(self.size.width, base)

    def _ink(self, ink: int, base: Style) -> Style:
        part = {AXIS: "axis", MARK: "mark"}.get(ink, f"series-{ink}" if ink >= 0 else "")
        if not part:
            return base
        return base + self.get_component_rich_style(f"chart--{part}", partial=True)

    def _look(self, view: View) -> None:
        self.view = view
        self._redraw()

    def _redraw(self) -> None:
        width, height = self.size
        ascii = bool(getattr(self.app, "ascii_only", False))
        new = draw(self.chart, width, height, self.view, ascii)
        old, self._drawing = self._drawing, new
        if len(old.lines) != len(new.lines):
            self.refresh()
            return
        changed = [y for y, line in enumerate(new.lines) if line != old.lines[y]]
        if changed:
            self.refresh(*(Region(0, y, width, 1) for y in changed))
