"""Durations, counts and ids in words. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from augury.engine import text_width


def duration(seconds: float | None) -> str:
    """`7 s`, `3:05`, `2:03:05`; `?` when unknown."""
    if seconds is None or seconds != seconds or seconds < 0:
        return "?"
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def count(number: int, word: str) -> str:
    """`1 cell`, `3,000 cells`, `2 batches`."""
    ending = "" if number == 1 else "es" if word.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{number:,} {word}{ending}"


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
