"""Without colours, and in ASCII: all can be told apart by words, signs, weight and reversal."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from rich.style import Style
from textual.widgets import OptionList

from augury.engine.preferences import Preferences
from augury.tui.formatting import STATES
from augury.tui.glyphs import plain
from tests.tui.conftest import Watch
from tests.tui.tour import tour, walker

# What a screen must say in words or signs, whatever its colours.
_SAID = {
    "leaderboard": ("[1 Leaderboard]", "[testbed]", "›", "#▲", "!5.0096"),
    "marked": ("*2", "*4", "2 marked"),
    "export": ("(o) csv", "›Format"),
    "columns": ("[x] KL", "[ ] KL"),
    "filter": ("^ cannot read the filter",),
    "compare": ("│", "●", "A mlp", "B uniform"),
    "heat": ("▴2.003", "░", "██"),
    "row_seeds": ("✖ fail",),
    "cell_config": ("[Config]",),
    "runs_live": ("▶ run", "✖ fail", "◌ wait", "✔ done", "2 Runs 1▶"),
    "error": ("✖ Made up",),
    "paused": ("‖ paused",),
    "data": ("✔ here",),
}


def _cells(app: Any) -> list[tuple[str, Style]]:
    lines = app.screen._compositor.render_strips()
    return [(text, style) for strip in lines for text, style, _ in strip if style is not None]


def test_states_differ_in_sign_and_word() -> None:
    pairs = {(s.glyph, s.word) for s in STATES.values()}
    assert len({glyph for glyph, _ in pairs}) == len({word for _, word in pairs}) == len(pairs)


@pytest.mark.slow  # a walk over all screens
async def test_no_screen_needs_its_colours_or_signs_beyond_ascii(
    still_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    without = {"NO_COLOR": "1"}
    seen = set()
    chosen = Preferences(ascii=True)
    async with walker(still_store, monkeypatch, Watch, (80, 24), chosen, without) as watch:
        async for name in tour(watch):
            seen.add(name)
            cells, text = _cells(watch.app), watch.text()
            for _, style in cells:
                assert style.color is None or style.color.is_default, (name, style)
                assert style.bgcolor is None or style.bgcolor.is_default, (name, style)
            assert text.isascii(), (name, [c for c in text if not c.isascii()], text)
            assert {len(line) for line in watch.lines()} == {80}, name
            for words in _SAID.get(name, ()):
                assert plain(words) in text, (name, words, text)
            # Wherever there is a cursor it is reversed, in lists underlined.
            lists = [w for w in watch.app.screen.query(OptionList) if w.highlighted is not None]
            if name in ("leaderboard", "row", "runs", "data") or any(w.has_focus for w in lists):
                seen_at = [t for t, s in cells if s.reverse or (s.bold and s.underline)]
                assert any(text.strip() for text in seen_at), name
    assert set(_SAID) <= seen
