"""A line to type in, with a cursor that stands still."""

from __future__ import annotations

from typing import Any

from textual.widgets import Input


class Field(Input):
    """As Textual's, whose cursor blinks: 300 bytes a second for as long as a person thinks."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """As `Input`."""
        super().__init__(*args, **options)
        self.set_reactive(Input.cursor_blink, False)
