"""What goes out to the terminal, in fewer bytes: a style is told as what changed.

Textual ends every piece of a line with a reset, goes to each line twice and begins each piece with
all of its style. A table with a colour for each cell is half as long again for it, which one feels
over a slow link. The terminal shows the same.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from textual.driver import Driver

from augury.engine.text_width import straight

# Styles, moves of the cursor (a new line before one is nothing), other sequences, text.
_TOKEN = re.compile(
    r"\x1b\[([0-9;]*)m"
    r"|(?:\r\n)?(\x1b\[[0-9;]*H)"
    r"|(\x1b(?:\[[0-?]*[ -/]*[@-~]|.)|\r\n)"
    r"|([^\x1b\r]+|\r)",
    re.S,
)
_RESET = "\x1b[0m"
_OFF = {"1": "22", "2": "22", "3": "23", "4": "24", "5": "25", "7": "27", "8": "28", "9": "29"}


def terse(plain: type[Driver]) -> type[Driver]:
    """A driver that shortens what it writes."""

    class Terse(plain):
        def write(self, data: str) -> None:
            super().write(shortened(straight(data)))

    return Terse


def shortened(data: str) -> str:
    """The same for a terminal. Up to the first reset nothing is known, and nothing changed."""
    known = data.find(_RESET) + len(_RESET)
    if known < len(_RESET):
        return data
    found = [data[:known]]
    told = wanted = ""  # the style that the terminal is in, and that it is to be in
    for style, move, other, text in _TOKEN.findall(data, known):
        if text or other:
            if wanted != told:
                found.append(_change(told, wanted))
                told = wanted
            found.append(text or other)
        elif move:
            found.append(move)  # it paints nothing
        elif style in ("", "0"):
            wanted = ""
        else:  # upon the one before, if there was no reset
            wanted = f"{wanted};{style}" if wanted else style
    if wanted != told:
        found.append(_change(told, wanted))
    return "".join(found)


class _Look(NamedTuple):
    flags: frozenset[str]  # bold, reverse, ...
    front: str
    back: str


@lru_cache(maxsize=4096)
def _change(old: str, new: str) -> str:
    """The shortest sequence that makes one style of another."""
    if not new:
        return _RESET
    before, after = _look(old), _look(new)
    gone = before.flags - after.flags
    codes = sorted({_OFF.get(flag, "0") for flag in gone})
    if "0" in codes:
        return f"\x1b[0;{new}m"
    stay = before.flags & after.flags - ({"1", "2"} if "22" in codes else set())
    codes += sorted(after.flags - stay)
    codes += [after.front or "39"] if after.front != before.front else []
    codes += [after.back or "49"] if after.back != before.back else []
    if not codes:
        return ""
    changed, anew = ";".join(codes), f"0;{new}"
    return f"\x1b[{changed if len(changed) <= len(anew) else anew}m"


@lru_cache(maxsize=4096)
def _look(style: str) -> _Look:
    flags, front, back = set(), "", ""
    words = iter(style.split(";") if style else ())
    for word in words:
        if word in ("38", "48"):
            kind = next(words, "")
            rest = [next(words, "") for _ in range(1 if kind == "5" else 3)]
            colour = ";".join((word, kind, *rest))
        else:
            colour = word
        if word == "38" or (len(word) == 2 and word[0] in "39"):
            front = colour
        elif word[0] == "4" and len(word) == 2 or len(word) == 3:
            back = colour
        else:
            flags.add(word)
    return _Look(frozenset(flags), front, back)
