"""What a `ScoreTable` shows: columns, one window of sorted rows, and how each value reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Row: TypeAlias = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Column:
    """One column; `show` turns a value into text, `tone` names a style for it."""

    name: str
    title: str
    align: Literal["left", "right"] = "right"
    show: Callable[[Any], str] = str
    tone: Callable[[Any], str] | None = None
    sortable: bool = True
    most: int = 30  # characters; longer text is cut
    draw: Callable[[Row], str] | None = None  # in place of `show`, where more of the row matters
    width: int = 0  # of its longest text; 0: measured from the rows in the window
    names: bool = False  # tells rows apart: one that has no room is cut so that it still does
    unlike: bool = False  # not a value of the store: nothing to sort by, copy or export


@dataclass(frozen=True, slots=True)
class Group:
    """A line between rows, which says what the next ones have in common."""

    title: str


@dataclass(frozen=True, slots=True)
class Sheet:
    """Lines `offset` to `offset + len(rows)` of `total`, already filtered and sorted."""

    columns: tuple[Column, ...] = ()
    rows: Sequence[Row | Group] = ()
    total: int = 0
    offset: int = 0
    key: tuple[int, ...] = (0,)  # which values identify a row, so that the cursor can follow it
    frozen: int = 1  # columns that stay while the others scroll
    sort: str = ""
    descending: bool = False
    row_tone: Callable[[Row], str] | None = None
    places: tuple[int, ...] = ()  # where in a row each column's value is; empty: in their order
    # Names of columns that are drawn behind the frozen ones where they were out of view else.
    first: tuple[str, ...] = ()
    then: str = ""  # the column that decides between equals, with - for the other direction

    @property
    def count(self) -> int:
        """Rows in all, without the titles of groups."""
        return self.total - sum(isinstance(row, Group) for row in self.rows)

    @property
    def records(self) -> list[Row]:
        """The rows of the window, without the titles of groups."""
        return [row for row in self.rows if not isinstance(row, Group)]

    def line(self, index: int) -> Row | Group | None:
        """What is at a place in the whole result; None outside the window."""
        place = index - self.offset
        return self.rows[place] if 0 <= place < len(self.rows) else None

    def row(self, index: int) -> Row | None:
        """The row at a place in the whole result; None outside the window and between groups."""
        found = self.line(index)
        return None if isinstance(found, Group) else found

    def value(self, row: Row, place: int) -> Any:
        """What a row holds in one column."""
        return row[self.places[place] if self.places else place]

    def text(self, row: Row, place: int) -> str:
        """How that reads."""
        column = self.columns[place]
        return column.draw(row) if column.draw else column.show(self.value(row, place))

    def name(self, row: Row) -> str:
        """What identifies a row, whatever the order: `--rows` of the command line takes it."""
        return "|".join(str(row[place]) for place in self.key if row[place] is not None)

    def find(self, like: Row) -> int | None:
        """Where the row that is identified as `like` is, if it is in the window."""
        wanted = [like[place] for place in self.key]
        for place, row in enumerate(self.rows):
            if not isinstance(row, Group) and [row[k] for k in self.key] == wanted:
                return self.offset + place
        return None
