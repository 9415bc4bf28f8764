"""Where the columns of a `ScoreTable` lie: arithmetic of widths, without a screen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from augury.engine.text_width import width_of
from augury.tui.widgets.sheet import Sheet

GAP = 2  # blanks after a column
MARK = 1  # column of the cursor's mark, left of all
_SHARE = 0.4  # of the table's width that frozen columns may take while others are out of view
_LEAST = 16  # columns that a name keeps


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths of all columns; the first `frozen` do not scroll."""

    widths: tuple[int, ...] = ()
    frozen: int = 0

    def start(self, place: int) -> int:
        """Where a column begins; one beyond the last gives the width of all."""
        return MARK + sum(width + GAP for width in self.widths[:place])

    @property
    def total(self) -> int:
        """Width of all columns."""
        return self.start(len(self.widths))

    def at(self, x: int, scrolled: int) -> int | None:
        """Which column is drawn at `x`."""
        x = x if x < self.start(self.frozen) else x + scrolled
        return next((n for n in range(len(self.widths)) if x < self.start(n + 1)), None)

    def within(self, width: int, names: Sequence[int]) -> Columns:
        """The same in so much room: no column is wider than what is left beside the frozen ones.

        Those leave room for others, if there are any: of `names` the widest are made narrower.
        """
        widths = list(self.widths)
        rest = self.total - self.start(self.frozen)
        most = max(round(width * _SHARE), width - rest)
        for over in range(self.start(self.frozen) - most, 0, -1):
            widest = max(names, key=lambda place: widths[place], default=None)
            if not over or widest is None or widths[widest] <= _LEAST:
                break
            widths[widest] -= 1
        narrow = replace(self, widths=tuple(widths))
        room = max(width - narrow.start(self.frozen), 1)
        widths[self.frozen :] = (min(w, room) for w in widths[self.frozen :])
        return replace(self, widths=tuple(widths))

    def scrolls(self, width: int) -> int:
        """Width of all columns, and of what must be empty behind them for the last to be shown.

        It is shown with the beginning of a column behind the frozen ones.
        """
        last = len(self.widths) - 1
        if self.total - GAP <= width or last < self.frozen:
            return self.total
        return max(self.reveal(last, 0, width) + width, width + 1)

    def snap(self, scrolled: int) -> int:
        """The nearest offset to the left at which a column begins behind the frozen ones."""
        origin = self.start(self.frozen)
        starts = (self.start(n) - origin for n in range(self.frozen, len(self.widths)))
        return max((start for start in starts if start <= scrolled), default=0)

    def edge(self, scrolled: int, room: int, cuttable: Callable[[int], bool]) -> tuple[int, int]:
        """How much of `room` behind the frozen columns is drawn in, and how much of words is cut.

        Nothing is drawn in the part of a column that is cut off there: a cut number reads as
        another, a cut bar as a shorter one. Words may be cut.
        """
        origin = self.start(self.frozen)
        for place in range(self.frozen, len(self.widths)):
            left, right = self.start(place) - origin, self.start(place + 1) - GAP - origin
            if left < scrolled + room < right:
                return (room, right - scrolled - room) if cuttable(place) else (left - scrolled, 0)
        return room, 0

    def reveal(self, place: int, scrolled: int, width: int) -> int:
        """The scroll offset, as near as can be, that has a whole column in `width`."""
        if place < self.frozen or place >= len(self.widths):
            return scrolled
        origin = self.start(self.frozen)
        left, right = self.start(place) - origin, self.start(place + 1) - GAP - origin
        room = max(width - origin, 1)
        if left < scrolled or right - left >= room:
            return left
        if right <= scrolled + room:
            return scrolled
        # With a column's beginning behind the frozen ones: a cut number reads as another.
        starts = [self.start(n) - origin for n in range(self.frozen, place + 1)]
        return next(start for start in starts if right <= start + room)


def fit(sheet: Sheet, least: Sequence[int] = ()) -> Columns:
    """Widths that hold every title and value of the window, and never less than before.

    A width that shrank with every window would make columns jump while one scrolls.
    """
    rows = sheet.records if _unmeasured(sheet) else []
    found = []
    for place, column in enumerate(sheet.columns):
        longest = column.width
        if not longest:
            longest = max((width_of(sheet.text(row, place)) for row in rows), default=0)
        arrow = 1 if column.name in (sheet.sort, sheet.then.lstrip("-")) else 0
        old = least[place] if place < len(least) else 0
        found.append(max(min(longest, column.most), width_of(column.title) + arrow, old))
    return Columns(tuple(found), sheet.frozen)


def _unmeasured(sheet: Sheet) -> bool:
    return any(not column.width for column in sheet.columns)
