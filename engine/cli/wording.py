"""Texts cut and set in columns; durations and counts in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from augury.engine import text_width
from augury.engine.wording import count as count
from augury.engine.wording import duration as duration
from augury.engine.wording import size as size


def fit(text: str, width: int) -> str:
    """At most `width` columns on one line; a cut is marked with `~`, which is ASCII."""
    return text_width.cut(" ".join(text.split()), width, "~")


def columns(rows: Sequence[Sequence[str]], gap: str = "  ") -> list[str]:
    """Rows of text in aligned columns, without trailing blanks."""
    if not rows:
        return []
    widths = [max(map(text_width.width_of, column)) for column in zip(*rows, strict=True)]
    padded = (map(text_width.left, row, widths) for row in rows)
    return [gap.join(cells).rstrip() for cells in padded]
