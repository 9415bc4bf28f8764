"""A map of numbers with shades; the cursor moves by cells, rows and columns scroll with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from augury.engine.text_width import left, right, width_of
from augury.tui.bindings import bindings
from augury.tui.heat_page import ASCII_SHADES, SHADES, Heat
from augury.tui.short_names import apart

_MOST_NAME = 34
_WHEEL = 3  # rows


class HeatMap(Widget, can_focus=True):
    """Names stay on the left, values of the dimension on top."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "heat--header", "heat--cursor", "heat--best", *(f"heat--{n}" for n in range(len(SHADES))),
    }  # fmt: skip
    PLACE: ClassVar[str] = "map"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("map")

    class Moved(Message):
        """The cursor is on another cell, or the map is another one."""

    class Opened(Message):
        """Enter on a cell: `keys` identify the board's row behind it, column by column."""

        def __init__(self, keys: Mapping[str, Any]) -> None:
            """Say which cell."""
            super().__init__()
            self.keys = keys

    def __init__(self, *, id: str | None = None) -> None:
        """Nothing to show yet."""
        super().__init__(id=id)
        self.heat: Heat | None = None
        self.row = self.column = 0
        self._top = self._left = 0
        self._short: tuple[Heat | None, int, dict[str, str]] = (None, 0, {})

    def show(self, heat: Heat) -> None:
        """Replace the map; the cursor stays where that is still a cell."""
        if heat == self.heat:
            return
        self.heat = heat
        self.row = min(self.row, max(len(heat.rows) - 1, 0))
        self.column = min(self.column, max(len(heat.columns) - 1, 0))
        self._follow()
        self.refresh()
        self.post_message(self.Moved())

    def action_move(self, down: int, right: int) -> None:
        """Move the cursor by cells."""
        if self.heat is None or not self.heat.rows:
            return
        old = (self.row, self.column)
        self.row = min(max(self.row + down, 0), len(self.heat.rows) - 1)
        self.column = min(max(self.column + right, 0), len(self.heat.columns) - 1)
        if (self.row, self.column) != old:
            self._follow()
            self.refresh()
            self.post_message(self.Moved())

    def action_open(self) -> None:
        """Open the row under the cursor."""
        heat = self.heat
        if heat is not None and heat.rows and heat.columns:
            self.post_message(self.Opened(heat.keys[self.row][self.column]))

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in view."""
        self._follow()

    def on_click(self, event: events.Click) -> None:
        """Go to the cell; open its row where it was chosen already."""
        name, cell = self._widths()
        if self.heat is None or event.y == 0 or event.x < name:
            return
        down = self._top + event.y - 1 - self.row
        right = self._left + (event.x - name) // cell - self.column
        if (down, right) == (0, 0):
            self.action_open()
        else:
            self.action_move(down, right)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel moves the cursor."""
        event.stop()
        self.action_move(_WHEEL, 0)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Backwards too."""
        event.stop()
        self.action_move(-_WHEEL, 0)

    def notify_style_update(self) -> None:
        """Take up another theme's colours."""
        super().notify_style_update()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """The dimension's values, or one row."""
        base, width = self.rich_style, self.size.width
        heat = self.heat
        if heat is None:
            return Strip.blank(width, base)
        name, cell = self._widths()
        last = min(self._left + max((width - name) // cell, 1), len(heat.columns))
        row = self._top + y - 1
        if y == 0:
            style = base + self._part("header")
            more = ("‹" if self._left else " ", "›" if last < len(heat.columns) else " ")
            parts = [Segment(left(f"{more[0]}{heat.dimension}{more[1]}", name), style)]
            for column in range(self._left, last):
                parts.append(Segment(right(heat.columns[column] + "   ", cell), style))
            return Strip(parts).adjust_cell_length(width, style)
        if row >= len(heat.rows):
            return Strip.blank(width, base)
        mark = "›" if row == self.row else " "
        parts = [Segment(left(f"{mark}{self._named(row, name - 2)}", name), base)]
        for column in range(self._left, last):
            parts += self._cell(row, column, cell, base)
        return Strip(parts).adjust_cell_length(width, base)

    def _cell(self, row: int, column: int, width: int, base: Style) -> list[Segment]:
        assert self.heat is not None
        cell = self.heat.cells[row][column]
        style = base + (self._part("best") if cell.best else Style.null())
        if (row, column) == (self.row, self.column) and self.has_focus:
            style += self._part("cursor")
        text = Segment(right(self.heat.text(row, column), width - 3), style)
        if cell.shade is None:
            return [text, Segment("   ", base)]
        shades = ASCII_SHADES if getattr(self.app, "ascii_only", False) else SHADES
        return [text, Segment(shades[cell.shade], base + self._part(str(cell.shade))),
                Segment(" ", base)]  # fmt: skip

    def _named(self, row: int, width: int) -> str:
        """A row's name in so much room, told apart from the others."""
        assert self.heat is not None
        if self._short[:2] != (self.heat, width):
            self._short = self.heat, width, apart(self.heat.rows, width)
        name = self.heat.rows[row]
        return self._short[2].get(name, name)

    def _widths(self) -> tuple[int, int]:
        """Of the names, and of each cell with its shade."""
        heat = self.heat
        if heat is None:
            return 1, 4
        longest = max((width_of(n) for n in (*heat.rows, heat.dimension + " ")), default=1)
        texts = [heat.text(r, c) for r in range(len(heat.rows)) for c in range(len(heat.columns))]
        widest = max((len(t) for t in (*texts, *heat.columns)), default=1)
        cell = widest + 4
        most = max(_MOST_NAME, self.size.width - cell * len(heat.columns))  # what columns leave
        return min(longest + 2, most, max(self.size.width // 2, 8)), cell

    def _follow(self) -> None:
        if self.heat is None:
            return
        name, cell = self._widths()
        tall = max(self.size.height - 1, 1)
        wide = max((self.size.width - name) // cell, 1)
        self._top = min(max(self._top, self.row - tall + 1), self.row)
        self._left = min(max(self._left, self.column - wide + 1), self.column)

    def _part(self, name: str) -> Style:
        return self.get_component_rich_style(f"heat--{name}", partial=True)
