"""Every sign of ours that is not plain ASCII, and what stands for it where it must be.

One table for all that is painted or printed. Each spelling is as wide as what it replaces: no
column moves.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from augury.engine.text_width import width_of

# Longer ones win: a sign alone may need other letters than the same sign between blanks.
PLAIN: dict[str, str] = {
    # states, as STATES of formatting.py and the lines around the tabs have them
    "▶": ">", "◌": ".", "✔": "+", "✖": "x", "⊘": "-", "‖": "=", "●": "o", "○": ".", "■": "#",
    "·": ".",
    # cursor, marks and both; more to the left and right; the cursor of choice lines
    "›": ">", "»": "@", "‹": "<",
    # order of columns: the first and, smaller, the second
    "▲": "^", "▼": "v", "▵": "'", "▿": ",", "▴": "^", "▸": ">",
    # bars, sparklines and shades, from little to much
    "▁": "_", "▂": ".", "▃": "-", "▄": "~", "▅": "=", "▆": "+", "▇": "*", "█": "#",
    "▏": "|", "▎": "|", "▍": "|", "▌": "|", "▋": "|", "▊": "|", "▉": "|", "▐": "|", "▕": "|",
    "░": ".", "▒": ":", "▓": "%", "▀": "-", "▔": "-", "⣿": "#",
    # frames, axes and intervals
    "│": "|", "┃": "|", "║": "|", "─": "-", "━": "-", "═": "=", "┄": "-", "┈": "-",
    "┌": "+", "┐": "+", "└": "+", "┘": "+", "╭": "+", "╮": "+", "╰": "+", "╯": "+",
    "├": "|", "┤": "|", "┬": "+", "┴": "+", "┼": "+", "╸": "-", "╺": "-",
    # letters and arithmetic, as names of columns spell them
    "τ": "t", "κ": "k", "λ": "l", "±SE": " SE", " ± ": " +-", "±": "~", "×": "x", "°": "d",
    "²": "2", "≥": ">", "≤": "<", "−": "-", "–": "-", "—": "-",
    # arrows and what is left out
    " → ": " ->", "→": ">", "←": "<", "↑": "^", "↓": "v", "⏎": "<", "…": "~", " …": "..",
    # of the command palette
    "🔎": "/ ",
}  # fmt: skip

_KNOWN = re.compile("|".join(map(re.escape, sorted(PLAIN, key=len, reverse=True))))


@lru_cache(4096)
def plain(text: str) -> str:
    """The text in ASCII, as wide as it was: signs by the table, letters without their accents.

    >>> plain("✖ fail  ±SE 1 → 30 …"), plain("Müller 模")
    ('x fail   SE 1 ->30 ..', 'Muller ??')
    """
    if text.isascii():
        return text
    text = _KNOWN.sub(lambda found: PLAIN[found[0]], text)
    return text if text.isascii() else "".join(map(_letter, text))


def _letter(character: str) -> str:
    if character.isascii():
        return character
    bare = unicodedata.normalize("NFKD", character)[0]
    width = width_of(character)
    return bare if bare.isascii() and width == 1 else "?" * width
