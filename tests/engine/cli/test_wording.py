"""Words for numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augury.engine.cli.wording import columns, count, duration, fit
from augury.engine.text_width import width_of


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(None, "?"), (float("nan"), "?"), (-1.0, "?"), (0.0, "0 s"), (59.4, "59 s"), (59.5, "1:00"),
     (185, "3:05"), (7384, "2:03:04")],
)  # fmt: skip
def test_duration(seconds: float | None, words: str) -> None:
    assert duration(seconds) == words


@pytest.mark.parametrize(
    ("number", "word", "words"),
    [(1, "cell", "1 cell"), (0, "cell", "0 cells"), (3000, "cell", "3,000 cells"),
     (1, "batch", "1 batch"), (2, "batch", "2 batches")],
)  # fmt: skip
def test_count(number: int, word: str, words: str) -> None:
    assert count(number, word) == words


@given(st.text(), st.integers(0, 100))
def test_fit_is_one_line_of_at_most_that_width(text: str, width: int) -> None:
    shown = fit(text, width)
    assert width_of(shown) <= width
    assert "\n" not in shown


def test_columns_line_up() -> None:
    assert columns([["a", "b"], ["long", "c"]]) == ["a     b", "long  c"]
    assert columns([["模型", "b"], ["a", "c"]]) == ["模型  b", "a     c"]
    assert columns([]) == []
