"""Where the columns of a `ScoreTable` lie: arithmetic of widths, without a screen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from augury.engine.text_width import width_of
from augury.tui.widgets.sheet import Sheet

GAP = 2  # blanks after a column
MARK = 1  # column of the cursor's mark, left of all


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

    def pan(self, scrolled: int, step: int) -> int:
        """The scroll offset that has the next or previous column first after the frozen ones."""
        origin = self.start(self.frozen)
        offsets = [self.start(n) - origin for n in range(self.frozen, len(self.widths))]
        ahead = [o for o in offsets if (o > scrolled if step > 0 else o < scrolled)]
        return (min(ahead) if step > 0 else max(ahead)) if ahead else scrolled


def fit(sheet: Sheet, least: Sequence[int] = ()) -> Columns:
    """Widths that hold every title and value of the window, and never less than before.

    A width that shrank with every window would make columns jump while one scrolls.
    """
    found = []
    for place, column in enumerate(sheet.columns):
        longest = max((width_of(column.show(row[place])) for row in sheet.rows), default=0)
        arrow = 1 if column.name == sheet.sort else 0
        old = least[place] if place < len(least) else 0
        found.append(max(min(longest, column.most), width_of(column.title) + arrow, old))
    return Columns(tuple(found), sheet.frozen)
