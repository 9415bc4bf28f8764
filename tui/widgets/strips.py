"""The lines of a `ScoreTable` as styled text: header, rows, and the titles of groups."""

from __future__ import annotations

from collections.abc import Callable

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from augury.engine import text_width
from augury.tui.short_names import apart
from augury.tui.widgets.columns import GAP, Columns
from augury.tui.widgets.sheet import Column, Group, Row, Sheet

Halves = tuple[Strip, Strip]  # the frozen columns, and those that scroll
LEVELS = 5  # of a column's best to worst
_MOST_NAMES = 2_000  # that are told apart; measuring all of very many would block the keys
TONES = ("good", "bad", "live", "muted", *(f"level-{level}" for level in range(LEVELS)))


class Strips:
    """Draws lines of one sheet; `style` gives the table's styles by name, "" its own."""

    def __init__(self, style: Callable[[str], Style]) -> None:
        """Draw an empty sheet."""
        self._style = style
        self._known: dict[tuple[int, bool, bool, int], Halves] = {}
        self._short: dict[int, dict[str, str]] = {}  # names that have no room, by column
        self.sheet, self.columns, self.width = Sheet(), Columns(), 0

    def take(self, sheet: Sheet, columns: Columns, width: int) -> None:
        """Draw this sheet from now on, in so much room."""
        self.sheet, self.columns, self.width = sheet, columns, width
        self._short.clear()
        self.forget()

    def forget(self) -> None:
        """Draw everything anew: styles may differ."""
        self._known.clear()

    def header(self, chosen: int) -> Halves:
        """Titles, with arrows on those that sort; `chosen` is the column under the cursor."""
        style = self._style("") + self._style("header")
        segments = []
        for place, (column, width) in enumerate(
            zip(self.sheet.columns, self.columns.widths, strict=True)
        ):
            text = _pad(column, column.title + self._arrow(column.name), width)
            here = self._style("column") if place == chosen else Style.null()
            segments.append(Segment(text, style + here))
        return self._split(" ", segments, style)

    def line(self, index: int, *, cursor: bool, marked: bool, chosen: int) -> Halves:
        """One row or group title; `chosen` is the column under the cursor, -1 for none."""
        key = (index, cursor, marked, chosen)
        if key in self._known:
            return self._known[key]
        if len(self._known) > 2_000:
            self._known.clear()
        line = self.sheet.line(index)
        if line is None:
            found = Strip([Segment(" … ", self._style(""))]), Strip([])
        elif isinstance(line, Group):
            style = self._style("") + self._style("group")
            found = Strip([Segment(text_width.cut(f" {line.title}", self.width), style)]), Strip([])
        else:
            found = self._row(line, cursor=cursor, marked=marked, chosen=chosen)
        self._known[key] = found
        return found

    def more(self, fixed: Strip, rest: Strip, *, before: bool, after: bool) -> Halves:
        """Marks at the ends of the header's moving part where columns are out of view."""
        style = self._style("") + self._style("header")
        if before:  # in the gap: a title would lose its first letter
            fixed = Strip.join([fixed.crop(0, fixed.cell_length - 1), Strip([Segment("‹", style)])])
        if after:
            rest = Strip.join([rest.crop(0, rest.cell_length - 1), Strip([Segment("›", style)])])
        return fixed, rest

    def _row(self, row: Row, *, cursor: bool, marked: bool, chosen: int) -> Halves:
        sheet = self.sheet
        base = self._style("") + self._tone(sheet.row_tone(row) if sheet.row_tone else "")
        base += self._style("marked") if marked else Style.null()
        over = self._style("cursor") if chosen >= 0 else Style.null()
        segments = []
        for place, (column, width) in enumerate(
            zip(sheet.columns, self.columns.widths, strict=True)
        ):
            # One colour on the cursor's line: reversed tones make a patchwork of it.
            tone = column.tone(sheet.value(row, place)) if column.tone and not cursor else ""
            style = base + self._tone(tone)
            style += self._style("first") if place < sheet.frozen else Style.null()
            text = sheet.text(row, place)
            if column.names and text_width.width_of(text) > width:
                text = self._apart(place, width).get(text) or text_width.cut_middle(text, width)
            text = _pad(column, text, width)
            if place == chosen:
                segments += self._cell(text, style + over)
            else:
                segments.append(Segment(text, style + over))
        mark = {(True, True): "»", (True, False): "›", (False, True): "*"}.get((cursor, marked))
        return self._split(mark or " ", segments, base + over)

    def _cell(self, text: str, style: Style) -> list[Segment]:
        inner = text[: len(text) - GAP]
        return [Segment(inner, style + self._style("cell")), Segment(" " * GAP, style)]

    def _apart(self, place: int, width: int) -> dict[str, str]:
        if place not in self._short:
            rows = (row for row in self.sheet.rows[:_MOST_NAMES] if not isinstance(row, Group))
            self._short[place] = apart((self.sheet.text(row, place) for row in rows), width)
        return self._short[place]

    def _arrow(self, name: str) -> str:
        if name == self.sheet.sort:
            return "▼" if self.sheet.descending else "▲"
        if name == self.sheet.then.lstrip("-") and name:
            return "▿" if self.sheet.then.startswith("-") else "▵"
        return ""

    def _tone(self, name: str) -> Style:
        return self._style(name) if name in TONES else Style.null()

    def _split(self, mark: str, cells: list[Segment], style: Style) -> Halves:
        """Cut behind the frozen columns; neighbours of one style go out as one."""
        whole = Strip([Segment(mark, style), *cells]).simplify()
        edge = self.columns.start(self.sheet.frozen)
        return whole.crop(0, edge), whole.crop(edge)


def marked_as_cut(strip: Strip) -> Strip:
    """The same with a mark at its end, in the style of what it stands for."""
    kept = strip.crop(0, strip.cell_length - 1)
    style = next((s.style for s in reversed(strip.crop(kept.cell_length)._segments)), None)
    return Strip.join([kept, Strip([Segment("…", style)])])


def _pad(column: Column, text: str, width: int) -> str:
    pad = text_width.left if column.align == "left" else text_width.right
    return pad(text_width.cut(text, width), width) + " " * GAP
