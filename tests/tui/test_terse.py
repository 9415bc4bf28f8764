"""Shorter output is the same output: by a terminal that knows nothing but styles and places."""

from __future__ import annotations

import random
import re

import pytest
from rich.color import ColorSystem
from rich.style import Style

from augury.tui.terse import shortened, terse

_SEQUENCE = re.compile(r"\x1b\[([0-9;]*)([A-Za-z])|([^\x1b])", re.S)
_FLAGS = {str(n) for n in (*range(1, 10), 21, 51, 52, 53)}

_OFF = {"22": {"1", "2"}, "23": {"3"}, "24": {"4", "21"}, "25": {"5"}, "27": {"7"}, "28": {"8"},
        "29": {"9"}}  # fmt: skip


def _shown(data: str) -> list[tuple[str, frozenset[str], str, str]]:
    """All that is painted with its style, and moves; a new line before a move is none."""
    flags, front, back, found = set(), "", "", []
    for codes, final, char in _SEQUENCE.findall(data.replace("\r\n\x1b[3", "\x1b[3")):
        if final == "H":
            found.append((codes, frozenset(), "", ""))  # paints nothing
            continue
        if final != "m":
            found.append((char or codes + final, frozenset(flags), front, back))
            continue
        words = (codes or "0").split(";")
        while words:
            word = words.pop(0)
            if word == "0":
                flags, front, back = set(), "", ""
            elif word in ("38", "48"):
                count = 2 if words[0] == "5" else 4
                colour, words = ";".join(words[:count]), words[count:]
                front, back = (colour, back) if word == "38" else (front, colour)
            elif word in _FLAGS:
                flags.add(word)
            elif word in _OFF:
                flags -= _OFF[word]
            elif word in ("39", "49"):
                front, back = ("", back) if word == "39" else (front, "")
            elif word[0] in "39" and len(word) == 2:
                front = word
            else:
                back = word
    return found


@pytest.mark.parametrize("colours", list(ColorSystem)[:3])
@pytest.mark.parametrize("seed", range(20))
def test_the_terminal_shows_the_same(colours: ColorSystem, seed: int) -> None:
    draw = random.Random(seed)
    names = ["", "red", "bright_blue", "color(110)", "#203040", "#fefefe"]
    flags = ["", "bold", "reverse", "bold italic", "underline strike dim"]
    parts = []
    for _ in range(300):
        front, back = draw.choice(names), draw.choice(["", "black", "color(16)", "#101112"])
        style = Style.parse(f"{draw.choice(flags)} {front} {f'on {back}' if back else ''}")
        parts.append(style.render(draw.choice(["a", "βé ", "   "]), color_system=colours))
        if draw.random() < 0.1:
            parts.append(draw.choice(["\x1b[3;4H", "\r\n\x1b[3;9H", "plain", "\r\n", "\x1b[2J"]))
    data = "".join(parts)
    short = shortened(data)
    assert _shown(short) == _shown(data)
    assert len(short) < len(data)


def test_a_line_of_cells_is_shorter_by_a_third() -> None:
    styles = [Style.parse(f"color({110 + n % 3}) on color(16)") for n in range(12)]
    line = "".join(style.render("  0.123", color_system=ColorSystem.EIGHT_BIT) for style in styles)
    assert len(shortened(line)) < 0.7 * len(line)
    assert shortened("plain") == "plain"


def test_marks_of_direction_do_not_reach_the_terminal() -> None:
    written: list[str] = []

    class Plain:
        def write(self, data: str) -> None:
            written.append(data)

    driver = terse(Plain)()  # type: ignore[arg-type, call-arg]
    driver.write("│ no such \u202efile\u2066 │")
    assert written == ["│ no such file │"]
