"""A table of any length: draws the lines one sees, from one window of a sorted result."""

from __future__ import annotations

from typing import ClassVar

from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from augury.tui.bindings import bindings
from augury.tui.pace import Pace
from augury.tui.widgets.columns import GAP, Columns, fit
from augury.tui.widgets.sheet import Column, Group, Row, Sheet
from augury.tui.widgets.strips import TONES, Strips


class ScoreTable(ScrollView, can_focus=True):
    """Frozen first columns and header, a cursor, marks; keys repaint at most ten times a second."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "score-table--header",
        "score-table--first",
        "score-table--cursor",
        "score-table--cell",
        "score-table--column",
        "score-table--marked",
        "score-table--group",
        *(f"score-table--{tone}" for tone in TONES),
    }
    PLACE: ClassVar[str] = "table"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("table")

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

        def __init__(self, table: ScoreTable, column: Column, second: bool) -> None:
            """Name the column; `second` with shift or ctrl held: it decides between equals."""
            super().__init__(table)
            self.column, self.second = column, second

    class Marked(_Place):
        """Other rows are marked now."""

    class WindowNeeded(_Place):
        """Lines are in view that the window does not hold; wants rows around `first`."""

        def __init__(self, table: ScoreTable, first: int) -> None:
            """Name the first line in view."""
            super().__init__(table)
            self.first = first

    def __init__(self, *, id: str | None = None, marks: bool = False) -> None:
        """Hold no rows yet; `marks` lets rows be marked."""
        super().__init__(id=id)
        self.sheet = Sheet()
        self.cursor = 0
        self.marks: set[str] = set()  # what identifies the marked rows, in view or not
        self._markable = marks
        self._column = ""  # the name of the column under the cursor; "" is the last frozen one
        self._painted = 0
        self._columns = Columns()
        self._styles: dict[str, Style] = {}
        self._strips = Strips(self._style)
        self._shown: dict[int, Strip] = {}  # the lines of the window as they were painted last
        self._asked = -1
        # Keys that are tapped are shown at once; one that is held, ten times a second.
        self._pace = Pace(self, 0.1, self._follow, burst=4)

    def show(self, sheet: Sheet, *, follow: bool = True) -> None:
        """Replace the window; the cursor stays on its row if that is still there."""
        old = self.sheet
        same = [c.name for c in sheet.columns] == [c.name for c in old.columns]
        here = old.row(self.cursor)
        columns = fit(sheet, self._columns.widths if same else ())
        place = sheet.find(here) if follow and here is not None and sheet.key == old.key else None
        cursor = self.cursor if place is None else place
        self.sheet, self._columns, self._asked = sheet, columns, -1
        self.cursor = self._near(cursor if follow else 0, 1)
        self._strips.take(sheet, columns)
        self.virtual_size = Size(columns.total, sheet.total + 1)
        self._repaint_changes()
        self._pace()

    @property
    def allow_horizontal_scroll(self) -> bool:
        """Without a scroll bar for it: the header has marks."""
        return self.virtual_size.width > self.size.width

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self.sheet.row(self.cursor)

    @property
    def place(self) -> int:
        """Which column the cursor is on."""
        names = [column.name for column in self.sheet.columns]
        if self._column in names:
            return names.index(self._column)
        return max(self.sheet.frozen - 1, 0)

    @property
    def marked(self) -> list[Row]:
        """The marked rows that are in the window, in its order."""
        return [row for row in self.sheet.records if self.sheet.name(row) in self.marks]

    def mark(self, names: set[str]) -> None:
        """Mark these rows and no others."""
        if names != self.marks:
            self.marks = names
            self._repaint_changes()
            self.post_message(self.Marked(self))

    def render_line(self, y: int) -> Strip:
        """The header, or one row cut to what is in view."""
        self._shown[y] = line = self._window_line(y)
        return line

    def _window_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width  # a scroll bar lies over the rest
        index = round(self.scroll_y) + y - 1
        if y == 0:
            fixed, rest = self._strips.header(self.place if self.has_focus else -1)
        elif index < self.sheet.total:
            at_cursor = index == self.cursor
            chosen = self.place if at_cursor and self.has_focus else -1
            fixed, rest = self._strips.line(
                index, cursor=at_cursor, marked=self._is_marked(index), chosen=chosen
            )
        else:
            return Strip.blank(width, self.rich_style)
        left, room = round(self.scroll_x), max(width - fixed.cell_length, 0)
        shown = rest.crop(left, left + room)
        if y == 0 and room > 2:
            after = rest.cell_length - GAP > left + room
            fixed, shown = self._strips.more(fixed, shown, before=left > 0, after=after)
        at_cursor = y > 0 and index == self.cursor and self.has_focus
        over = self._style("cursor") if at_cursor else Style.null()  # to the edge
        return Strip.join([fixed, shown]).adjust_cell_length(width, self.rich_style + over)

    def action_move(self, step: int) -> None:
        """Move the cursor by rows."""
        self.cursor = self._near(self.cursor + step, step)
        self._pace()

    def action_page(self, step: int) -> None:
        """Move the cursor by screens."""
        self.action_move(step * max(self.size.height - 2, 1))

    def action_end(self, step: int) -> None:
        """Go to the first or last row."""
        self.action_move(step * self.sheet.total)

    def action_column(self, step: int) -> None:
        """Move the cursor by columns; they scroll as they must."""
        if not self.sheet.columns:
            return
        place = min(max(self.place + step, 0), len(self.sheet.columns) - 1)
        self._column = self.sheet.columns[place].name
        x = round(self.scroll_x)
        x = self._columns.reveal(place, x, self.size.width)
        self.scroll_to(x=x, animate=False, force=True)
        self.refresh_line(round(self.scroll_y))
        self.refresh_line(self.cursor + 1)

    def action_mark(self) -> None:
        """Mark the row under the cursor, or take its mark off, and go on to the next."""
        if self.current is not None:
            self.mark(self.marks ^ {self.sheet.name(self.current)})
            self.action_move(1)

    def action_mark_all(self, wanted: bool) -> None:
        """Mark all rows of the sheet; or none, in view or not."""
        named = {self.sheet.name(row) for row in self.sheet.records}
        self.mark(self.marks | named if wanted else set())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Leave enter to the screen while there is no row to open; marks are not for all."""
        if action in ("mark", "mark_all"):
            return self._markable
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
                second = event.shift or event.ctrl
                self.post_message(self.HeaderClicked(self, self.sheet.columns[place], second))
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
        self._strips.forget()
        self.refresh()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Ask for rows that came into view and are not here."""
        super().watch_scroll_y(old_value, new_value)
        self._want()

    def watch_has_focus(self, _has_focus: bool) -> None:
        """The cursor looks different without focus."""
        super().watch_has_focus(_has_focus)
        self.refresh_line(round(self.scroll_y))
        self.refresh_line(self.cursor + 1)

    def _near(self, index: int, step: int) -> int:
        """The row at a place, or the next one where a group begins."""
        last = max(self.sheet.total - 1, 0)
        place = min(max(index, 0), last)
        for way in (step or 1, -step or -1):
            found = place
            while isinstance(self.sheet.line(found), Group):
                found += 1 if way > 0 else -1
            if 0 <= found <= last:
                return found
        return place

    def _is_marked(self, index: int) -> bool:
        row = self.sheet.row(index) if self.marks else None
        return row is not None and self.sheet.name(row) in self.marks

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
        missing = self.sheet.line(top) is None or self.sheet.line(max(bottom, top)) is None
        if self.sheet.total and missing and self._asked != top:
            self._asked = top
            self.post_message(self.WindowNeeded(self, top))

    def _repaint_changes(self) -> None:
        top = round(self.scroll_y)
        for y in range(self.size.height):
            if y not in self._shown or self._window_line(y) != self._shown[y]:
                self.refresh_line(top + y)

    def _style(self, name: str) -> Style:
        if name not in self._styles:
            if name:
                part = self.get_component_rich_style(f"score-table--{name}", partial=True)
            else:
                part = self.rich_style
            self._styles[name] = part
        return self._styles[name]
