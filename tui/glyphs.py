"""What is painted, in ASCII where nothing else can be shown.

A filter over whole lines, so that borders, scroll bars and whatever else the widget library draws
are covered too.
"""

from __future__ import annotations

from rich.segment import Segment
from textual.color import Color
from textual.filter import LineFilter

from augury.engine.plain_text import plain


class PlainFilter(LineFilter):
    """Paints what others wrote in ASCII."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The segments with other letters; their styles stay."""
        return [Segment(plain(text), style, control) for text, style, control in segments]


PLAIN_FILTER = PlainFilter()  # one for good: lines are kept by the filter they went through
