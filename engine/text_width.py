"""How many columns of a terminal a text takes, and texts cut or padded to so many. Pure."""

from __future__ import annotations

import re
from functools import lru_cache

# Vowels and finals of Hangul: they share the columns of the initial before them.
_JAMO = range(0x1160, 0x1200)
# Marks that change the direction of what follows, up to another one (Annex 9).
_DIRECTIONS = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def straight(text: str) -> str:
    r"""The text without marks of direction: one that stays open turns the rest of a line round.

    >>> straight("a\u202eb\u2066c")
    'abc'
    """
    return text if text.isascii() else _DIRECTIONS.sub("", text)


def width_of(text: str) -> int:
    r"""Two for a wide character (Unicode Standard Annex 11), none for one that joins the last.

    >>> width_of("mlp"), width_of("模型"), width_of("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else _width(text)


def left(text: str, width: int) -> str:
    """The text, then blanks up to `width` columns."""
    return text + " " * (width - width_of(text))


def right(text: str, width: int) -> str:
    """Blanks, then the text, `width` columns in all."""
    return " " * (width - width_of(text)) + text


def cut(text: str, width: int, mark: str = "…") -> str:
    """At most `width` columns; `mark`, of one column, tells that the end is cut off.

    >>> cut("ensemble", 4)
    'ens…'
    """
    if width_of(text) <= width:
        return text
    return first(text, width - 1) + mark * (width > 0)


def cut_left(text: str, width: int, mark: str = "…") -> str:
    """At most `width` columns, the start cut off: for paths."""
    if width_of(text) <= width:
        return text
    return mark * (width > 0) + first(text[::-1], width - 1)[::-1]


def first(text: str, width: int) -> str:
    """As much of the text's beginning as `width` columns hold."""
    if text.isascii():
        return text[: max(width, 0)]
    taken = 0
    for place, character in enumerate(text):
        taken += _of(character)
        if taken > width:
            return text[:place]
    return text


@lru_cache(4096)  # a table asks for the same few states and names over and over
def _width(text: str) -> int:
    return sum(map(_of, text))


def _of(character: str) -> int:
    if character < "\u0300":  # Latin
        return 1
    import unicodedata  # what is ASCII, almost everything, need not load it

    if unicodedata.category(character) in ("Mn", "Me", "Cf") or ord(character) in _JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
