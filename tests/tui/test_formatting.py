"""How numbers, times and states read."""

from __future__ import annotations

import pytest

from augury.tui import formatting as f


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(None, "-"), (0, "<10s"), (9.9, "<10s"), (10, "10s"), (11, "20s"), (59, "60s"), (61, "1m"),
     (3599, "1h00"), (7_260, "2h01")],
)  # fmt: skip
def test_durations_are_coarse(seconds: float | None, text: str) -> None:
    assert f.duration(seconds) == text


def test_a_bar_is_full_only_at_the_end() -> None:
    assert f.bar(0, 66, 10) == "░" * 10
    assert f.bar(65, 66, 10) == "█" * 9 + "░"
    assert f.bar(66, 66, 10) == "█" * 10
    assert f.bar(0, 0, 4) == "░" * 4
    assert f.percent(199, 200) == "99%"


def test_decimals_follow_the_error() -> None:
    assert f.decimals([0.3137], [0.021]) == 3
    assert f.decimals([5.0], [0.0012, 0.0011, 0.0013]) == 4
    assert f.decimals([12.5, None], [None]) == 2
    assert f.decimals([], []) == 3
    assert f.decimals([50.0, 100.0, None]) == 0


def test_what_decimals_would_hide_is_shown() -> None:
    show = f.fixed(3)
    assert show(0.25) == "0.250" and show(0.0) == "0.000"
    assert show(0.00001) == "1.0e-05"
    assert show(None) == "-" and show(3) == "3"


def test_every_state_has_glyph_word_and_tone() -> None:
    shown = [(s.glyph, s.word) for s in f.STATES.values()]
    assert all(glyph and word for glyph, word in shown)
    assert str(f.state("failed")) == "✖ fail"
    assert str(f.state("unheard-of")) == "· unheard-of"
