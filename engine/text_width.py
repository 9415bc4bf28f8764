"""How many columns of a terminal a text takes, and texts cut or padded to so many. Pure."""

from __future__ import annotations

_JAMO = range(
    0x1160, 0x1200
)  # vowels and finals of Hangul: they share the columns of their initial


def width_of(text: str) -> int:
    r"""Two for a wide character (Unicode Standard Annex 11), none for one that joins the last.

    >>> width_of("mlp"), width_of("模型"), width_of("e\u0301")
    (3, 4, 1)
    """
    return len(text) if text.isascii() else sum(map(_of, text))


def left(text: str, width: int) -> str:
    """The text, then blanks up to `width` columns."""
    return text + " " * (width - width_of(text))


def right(text: str, width: int) -> str:
    """Blanks, then the text, `width` columns in all."""
    return " " * (width - width_of(text)) + text


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


def _of(character: str) -> int:
    if character < "\u0300":  # Latin
        return 1
    import unicodedata  # what is ASCII, almost everything, need not load it

    if unicodedata.category(character) in ("Mn", "Me", "Cf") or ord(character) in _JAMO:
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
