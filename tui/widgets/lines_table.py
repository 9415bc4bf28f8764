"""The library's table for a few lines that change in place; keys move as in every table."""

from __future__ import annotations

from typing import ClassVar

from textual.widgets import DataTable

from augury.tui.bindings import bindings


class LinesTable(DataTable[str]):
    """A cursor of whole lines."""

    PLACE: ClassVar[str] = "lines"  # its name in the table of keys
    BINDINGS: ClassVar = bindings("lines")

    def __init__(self, *, id: str) -> None:
        """Begin empty."""
        super().__init__(id=id, cursor_type="row")
