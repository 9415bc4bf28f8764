"""A table of any length: draws the lines one sees, from one window of a sorted result."""

from __future__ import annotations

from typing import Any, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from augury.engine import text_width
from augury.tui.pace import Pace
from augury.tui.widgets.columns import GAP, Columns, fit
from augury.tui.widgets.sheet import Column, Row, Sheet

_TONES = ("good", "bad", "live", "muted")


class ScoreTable(ScrollView, can_focus=True):
    """Frozen first column, frozen header, row cursor; keys repaint at most ten times a second."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "score-table--header",
        "score-table--first",
        "score-table--cursor",
        *(f"score-table--{tone}" for tone in _TONES),
    }
    BINDINGS: ClassVar = [
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown,ctrl+d", "page(1)", show=False),
        Binding("pageup,ctrl+u", "page(-1)", show=False),
        Binding("home,g", "end(-1)", show=False),
        Binding("end,G", "end(1)", show=False),
        Binding("left,h", "pan(-1)", show=False),
        Binding("right,l", "pan(1)", show=False),
        Binding("enter", "open", show=False),
    ]

    class _About(Message):
        def __init__(self, table: ScoreTable) -> None:
            super().__init__()
            self.table = table

        @property
        def control(self) -> ScoreTable:
            return self.table

    class _Place(_About):
        def can_replace(self, message: Message) -> bool:  # only the newest place matters
            return type(message) is type(self)

    class Highlighted(_Place):
        """The cursor came to rest on `row`."""

        def __init__(self, table: ScoreTable, row: Row) -> None:
            """Name the row."""
            super().__init__(table)
            self.row = row

    class Opened(_About):
        """Enter or a second click on `row`."""

        def __init__(self, table: ScoreTable, row: Row) -> None:
            """Name the row."""
            super().__init__(table)
            self.row = row

    class HeaderClicked(_About):
        """A click on a column's title."""

        def __init__(self, table: ScoreTable, column: Column) -> None:
            """Name the column."""
            super().__init__(table)
            self.column = column

    class WindowNeeded(_Place):
        """Lines are in view that the window does not hold; wants rows around `first`."""

        def __init__(self, table: ScoreTable, first: int) -> None:
            """Name the first line in view."""
            super().__init__(table)
            self.first = first

    def __init__(self, *, id: str | None = None) -> None:
        """Hold no rows yet."""
        super().__init__(id=id)
        self.sheet = Sheet()
        self.cursor = 0
        self._painted = 0
        self._columns = Columns()
        self._styles: dict[str, Style] = {}
        self._strips: dict[tuple[int, bool], tuple[Strip, Strip]] = {}
        self._asked = -1
        self._pace = Pace(self, 0.1, self._follow)

    def show(self, sheet: Sheet, *, follow: bool = True) -> None:
        """Replace the window; the cursor stays on its row if that is still there."""
        old = self.sheet
        same = [c.name for c in sheet.columns] == [c.name for c in old.columns]
        here = old.row(self.cursor)
        columns = fit(sheet, self._columns.widths if same else ())
        place = sheet.find(here) if follow and same and here is not None else None
        cursor = self.cursor if place is None else place
        self.cursor = min(max(cursor if same else 0, 0), max(sheet.total - 1, 0))
        looks = (columns, sheet.total, sheet.sort, sheet.descending, sheet.offset)
        before = (self._columns, old.total, old.sort, old.descending, old.offset)
        self.sheet, self._columns, self._asked = sheet, columns, -1
        self.virtual_size = Size(columns.total, sheet.total + 1)
        if looks != before or not same:
            self._repaint()
        else:
            self._repaint_changes(old)
        self._pace()

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.sheet.row(self.cursor)

    def render_line(self, y: int) -> Strip:
        """The header, or one row cut to what is in view."""
        width = self.scrollable_content_region.width  # a scroll bar lies over the rest
        index = round(self.scroll_y) + y - 1
        if y == 0:
            fixed, rest = self._header()
        elif index < self.sheet.total:
            fixed, rest = self._line(index)
        else:
            return Strip.blank(width, self.rich_style)
        left, room = round(self.scroll_x), max(width - fixed.cell_length, 0)
        shown = rest.crop(left, left + room)
        if y == 0 and room > 2:
            after = rest.cell_length - GAP > left + room
            fixed, shown = self._more(fixed, shown, before=left > 0, after=after)
        at_cursor = y > 0 and index == self.cursor and self.has_focus
        over = self._style("cursor") if at_cursor else Style.null()  # to the edge
        return Strip.join([fixed, shown]).adjust_cell_length(width, self.rich_style + over)

    def action_move(self, step: int) -> None:
        """Move the cursor by rows."""
        self.cursor = min(max(self.cursor + step, 0), max(self.sheet.total - 1, 0))
        self._pace()

    def action_page(self, step: int) -> None:
        """Move the cursor by screens."""
        self.action_move(step * max(self.size.height - 2, 1))

    def action_end(self, step: int) -> None:
        """Go to the first or last row."""
        self.action_move(step * self.sheet.total)

    def action_pan(self, step: int) -> None:
        """Scroll by one column."""
        self.scroll_to(self._columns.pan(round(self.scroll_x), step), animate=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave enter to the screen while there is no row to open."""
        return action != "open" or self.current is not None

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if self.current is not None:
            self.post_message(self.Opened(self, self.current))

    def on_click(self, event: events.Click) -> None:
        """A title sorts; a row is chosen, and opened when it was chosen already."""
        if event.y == 0:
            place = self._columns.at(event.x, round(self.scroll_x))
            if place is not None and self.sheet.columns[place].sortable:
                self.post_message(self.HeaderClicked(self, self.sheet.columns[place]))
            return
        index = round(self.scroll_y) + event.y - 1
        if index >= self.sheet.total:
            return
        if index == self.cursor:
            self.action_open()
        else:
            self.action_move(index - self.cursor)

    def on_resize(self, event: events.Resize) -> None:
        """Keep the cursor in view."""
        self._pace()

    def notify_style_update(self) -> None:
        """Take up another theme's colours."""
        super().notify_style_update()
        self._styles.clear()
        self._repaint()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Ask for rows that came into view and are not here."""
        super().watch_scroll_y(old_value, new_value)
        self._want()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """The cursor looks different without focus."""
        super().watch_has_focus(_has_focus)
        self._strips.clear()
        self.refresh_line(self.cursor + 1)

    def _follow(self) -> None:
        if not self.is_attached:
            return
        top, page = round(self.scroll_y), max(self.size.height - 1, 1)
        if self.cursor < top or self.cursor >= top + page:
            target = self.cursor if self.cursor < top else self.cursor - page + 1
            self.scroll_to(y=target, animate=False, immediate=True)
        if self._painted != self.cursor:
            for line in (self._painted, self.cursor):
                self.refresh_line(line + 1)
            self._painted = self.cursor
        self._want()
        if self.current is not None:
            self.post_message(self.Highlighted(self, self.current))

    def _want(self) -> None:
        top = round(self.scroll_y)
        bottom = min(top + self.size.height, self.sheet.total) - 1
        missing = self.sheet.row(top) is None or self.sheet.row(max(bottom, top)) is None
        if self.sheet.total and missing and self._asked != top:
            self._asked = top
            self.post_message(self.WindowNeeded(self, top))

    def _repaint(self) -> None:
        self._strips.clear()
        self.refresh()

    def _repaint_changes(self, old: Sheet) -> None:
        for place, row in enumerate(self.sheet.rows):
            index = self.sheet.offset + place
            if row != old.row(index):
                for cursor in (False, True):
                    self._strips.pop((index, cursor), None)
                self.refresh_line(index + 1)

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            part = self.get_component_rich_style(f"score-table--{name}", partial=True)
            self._styles[name] = part
        return self._styles[name]

    def _tone(self, name: str) -> Style:
        return self._style(name) if name in _TONES else Style.null()

    def _pad(self, column: Column, text: str, width: int) -> str:
        pad = text_width.left if column.align == "left" else text_width.right
        return pad(text_width.cut(text, width), width) + " " * GAP

    def _header(self) -> tuple[Strip, Strip]:
        style = self.rich_style + self._style("header")
        segments = []
        for column, width in zip(self.sheet.columns, self._columns.widths, strict=True):
            arrow = ""
            if column.name == self.sheet.sort:
                arrow = "▼" if self.sheet.descending else "▲"
            segments.append(Segment(self._pad(column, column.title + arrow, width), style))
        return self._split(" ", segments, style)

    def _line(self, index: int) -> tuple[Strip, Strip]:
        at_cursor = index == self.cursor
        known = self._strips.get((index, at_cursor))
        if known is not None:
            return known
        row = self.sheet.row(index)
        base = self.rich_style
        if row is None:
            return Strip([Segment(" … ", base)]), Strip([])
        base += self._tone(self.sheet.row_tone(row) if self.sheet.row_tone else "")
        over = self._style("cursor") if at_cursor and self.has_focus else Style.null()
        segments = []
        for place, (column, width) in enumerate(
            zip(self.sheet.columns, self._columns.widths, strict=True)
        ):
            value: Any = row[place]
            # One colour on the cursor's line: reversed tones make a patchwork of it.
            tone = column.tone(value) if column.tone and not at_cursor else ""
            style = base + self._tone(tone)
            style += self._style("first") if place < self.sheet.frozen else Style.null()
            segments.append(Segment(self._pad(column, column.show(value), width), style + over))
        found = self._split("›" if at_cursor else " ", segments, base + over)
        if len(self._strips) > 2_000:
            self._strips.clear()
        self._strips[index, at_cursor] = found
        return found

    def _more(self, fixed: Strip, rest: Strip, *, before: bool, after: bool) -> tuple[Strip, Strip]:
        """Marks at the ends of the header's moving part where columns are out of view."""
        style = self.rich_style + self._style("header")
        if before:  # in the gap: a title would lose its first letter
            fixed = Strip.join([fixed.crop(0, fixed.cell_length - 1), Strip([Segment("‹", style)])])
        if after:
            rest = Strip.join([rest.crop(0, rest.cell_length - 1), Strip([Segment("›", style)])])
        return fixed, rest

    def _split(self, mark: str, cells: list[Segment], style: Style) -> tuple[Strip, Strip]:
        frozen = self.sheet.frozen
        return Strip([Segment(mark, style), *cells[:frozen]]), Strip(cells[frozen:])
