"""The table of signs: ASCII for each, as wide as what it stands for, and none that collide."""

from __future__ import annotations

from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from augury.engine.plain_text import PLAIN, plain
from augury.engine.text_width import width_of
from augury.tui.formatting import STATES
from augury.tui.glyphs import PLAIN_FILTER


def test_every_sign_is_as_wide_as_its_spelling() -> None:
    for sign, letters in PLAIN.items():
        assert letters.isascii() and letters.isprintable(), sign
        assert len(letters) == width_of(sign), sign


def test_states_differ_from_each_other_in_ascii_too() -> None:
    glyphs = {plain(state.glyph) for state in STATES.values()}
    assert len(glyphs) == len({state.glyph for state in STATES.values()})
    assert {name: plain(STATES[name].glyph) for name in ("running", "pending", "done", "failed",
            "cancelled")} == {"running": ">", "pending": ".", "done": "+", "failed": "x",
                              "cancelled": "-"}  # fmt: skip


def test_marks_of_one_column_differ() -> None:
    assert len({plain(mark) for mark in (" ", "›", "»", "*")}) == 4
    assert len({plain(arrow) for arrow in "▲▼▵▿"}) == 4
    assert len({plain(block) for block in "▁▂▃▄▅▆▇█"}) == 8


def test_anything_else_keeps_its_width() -> None:
    for text in ("Müller", "模型 x", "naïve…", "e\u0301", "🙂", "a\u200bb"):
        assert plain(text).isascii() and len(plain(text)) == width_of(text)


def test_styles_stay() -> None:
    style = Style(bold=True)
    found: Any = PLAIN_FILTER.apply([Segment("✖ fail", style)], Color(0, 0, 0))
    assert found == [Segment("x fail", style)]
