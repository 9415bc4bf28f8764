"""What a `ScoreTable` shows: columns, one window of sorted rows, and how each value reads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Row = Sequence[Any]


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


@dataclass(frozen=True, slots=True)
class Sheet:
    """Rows `offset` to `offset + len(rows)` of `total`, already filtered and sorted."""

    columns: tuple[Column, ...] = ()
    rows: tuple[Row, ...] = ()
    total: int = 0
    offset: int = 0
    key: tuple[int, ...] = (0,)  # which values identify a row, so that the cursor can follow it
    frozen: int = 1  # columns that stay while the others scroll
    sort: str = ""
    descending: bool = False
    row_tone: Callable[[Row], str] | None = None

    def row(self, index: int) -> Row | None:
        """The row at a place in the whole result; None outside the window."""
        place = index - self.offset
        return self.rows[place] if 0 <= place < len(self.rows) else None

    def find(self, like: Row) -> int | None:
        """Where the row that is identified as `like` is, if it is in the window."""
        wanted = [like[place] for place in self.key]
        for place, row in enumerate(self.rows):
            if [row[k] for k in self.key] == wanted:
                return self.offset + place
        return None
