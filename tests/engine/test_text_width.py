from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from augury.engine.text_width import cut, cut_left, first, left, right, width_of
from augury.tui.formatting import STATES, State


@pytest.mark.parametrize(
    ("text", "width"),
    [("", 0), ("mlp", 3), ("KL τ=1 ± —", 10), ("模型", 4), ("モデル", 6), ("e\u0301", 1),
     ("한국", 4), ("\u1112\u1161\u11ab", 2), ("ｗ", 2), ("🙂", 2), ("a\u200db", 2), ("ä", 1)],
)  # fmt: skip
def test_width(text: str, width: int) -> None:
    assert width_of(text) == width


@given(st.text(st.characters(codec="gb2312", exclude_categories=("C",))))
def test_it_is_the_terminal_applications(text: str) -> None:
    assert width_of(text) == cell_len(text)


@pytest.mark.parametrize("state", STATES.values())
def test_the_applications_own_signs(state: State) -> None:
    assert width_of(str(state)) == cell_len(str(state))


def test_a_cut_is_marked() -> None:
    assert cut("abcdef", 4) == "abc…" and cut("abc", 3) == "abc" and cut("abcdef", 4, "~") == "abc~"
    assert cut_left("/a/b/c/d", 4) == "…c/d" and cut_left("a模型", 4) == "…型"
    label = "模型.make_agent"
    assert width_of(label) == 15
    assert left(label, 17) == label + "  " and right(label, 16) == " " + label
    assert cut(label, 4) == "模…" and cut("模型", 4) == "模型" and cut_left(label, 6) == "…agent"
    for width in range(16):
        assert width_of(cut(label, width)) <= width
        assert width_of(cut_left(label, width)) <= width


@given(st.text("a模é\u0301", max_size=30), st.integers(0, 40))
def test_cut_and_padded(text: str, width: int) -> None:
    cut = first(text, width)
    assert text.startswith(cut) and width_of(cut) <= width
    assert cut == text or width_of(text[: len(cut) + 1]) > width
    assert width_of(left(cut, width)) == width_of(right(cut, width)) == width


def test_ascii_loads_no_table_of_characters() -> None:
    code = (
        "import sys; from augury.engine.text_width import width_of; width_of('mlp ±');"
        "print('unicodedata' in sys.modules)"
    )
    path = [p for p in sys.path if p]
    command = [sys.executable, "-S", "-P", "-c", f"import sys; sys.path += {path!r}; {code}"]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "False"
