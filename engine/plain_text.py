"""Every sign of ours that is not plain ASCII, and what stands for it where it must be.

One table for all that is painted or printed. Each spelling is as wide as what it replaces: no
column moves.
"""

from __future__ import annotations

import re
import shlex
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

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_KNOWN = re.compile("|".join(map(re.escape, sorted(PLAIN, key=len, reverse=True))))


def typed(command: str) -> str:
    r"""A command in ASCII that a shell reads as the same: `plain` would name other files.

    >>> print(typed("augury cells -o é.csv"))
    augury cells -o $'\xc3\xa9.csv'
    """
    if command.isascii():
        return command
    words = shlex.split(command)
    return " ".join(shlex.quote(word) if word.isascii() else typed_word(word) for word in words)


def typed_word(word: str) -> str:
    r"""A path in ASCII that a shell reads as the same; as it is where it is ASCII.

    >>> print(typed_word("é.csv"), typed_word("a b.csv"))
    $'\xc3\xa9.csv' a b.csv
    """
    if word.isascii():
        return word
    quoted = word.replace("\\", r"\\").replace("'", r"\'")
    return f"$'{escaped(quoted)}'"


def escaped(text: str) -> str:
    r"""Letters beyond ASCII as their bytes, `\xc3\xa9` for é: no other name than it was."""
    return "".join(map(_bytes, text))


def visible(text: str) -> str:
    r"""The text with its control characters spelt out, but for tabs and ends of lines.

    What an agent raises may hold any: painted as they are they would command the terminal.

    >>> print(visible("wiped \x1b[2J"))
    wiped \x1b[2J
    """
    return _CONTROL.sub(lambda found: f"\\x{ord(found[0]):02x}", text)


def _bytes(sign: str) -> str:
    if sign.isascii():
        return sign
    return "".join(f"\\x{byte:02x}" for byte in sign.encode("utf-8", "surrogateescape"))


@lru_cache(4096)
def plain(text: str) -> str:
    """The text in ASCII, as wide as it was: signs by the table, letters without their accents.

    >>> plain("✖ fail  ±SE 1 → 30 …"), plain("Müller 模")
    ('x fail   SE 1 ->30 ..', 'Muller ??')
    """
    if text.isascii():
        return text
    text = signs(text)
    return text if text.isascii() else "".join(map(_letter, text))


def signs(text: str) -> str:
    """The text with every sign of ours in ASCII; letters of names are as they were."""
    return _KNOWN.sub(lambda found: PLAIN[found[0]], text)


def _letter(character: str) -> str:
    if character.isascii():
        return character
    bare = unicodedata.normalize("NFKD", character)[0]
    width = width_of(character)
    return bare if bare.isascii() and width == 1 else "?" * width
