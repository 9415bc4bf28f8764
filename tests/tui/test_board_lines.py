"""The lines around a board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from augury.engine.store.table import Table
from augury.engine.text_width import width_of
from augury.tui.bindings import spelt
from augury.tui.board_lines import context, scenario_line
from augury.tui.board_page import BoardPage, page
from augury.tui.state import BoardState


def test_scenarios_say_how_to_get_to_others_where_there_is_room() -> None:
    assert scenario_line(("testbed",), "testbed", 80).plain == " [testbed] "
    line = scenario_line(("testbed", "ppc"), "ppc", 80).plain
    assert line == "  testbed  [ppc]   [ ] other scenarios"
    assert "other" not in scenario_line(("testbed", "ppc"), "ppc", 30).plain


def _spelt(sentence: str) -> str:
    return spelt(sentence, {})


def _page(**meta: Any) -> BoardPage:
    about: dict[str, Any] = {
        "subject": "agent", "rank": "kl", "better": "lower", "kinds": {"agent": "text"},
        "titles": {"kl": {"title": "KL τ=10 dyadic", "better": "lower"}},
        "context": {"sweep": "testbed", "scale": "quick"},
    }  # fmt: skip
    rows = [(n, f"agent-{n}", n / 10) for n in range(14)]
    return page("testbed", Table(("rank", "agent", "kl"), rows, about | meta))


_HERE = {"sweep": "testbed", "scale": "quick"}
_OTHERS = [{"sweep": "testbed", "scale": "full"}, _HERE]


@pytest.mark.parametrize("width", range(60, 180, 4))
@pytest.mark.parametrize("lacks", ["", "cancelled", "at work"])
@pytest.mark.parametrize("words", ["", "kl<0.5 agent~ensemble+"])
def test_what_ranks_stays_in_view(width: int, lacks: str, words: str) -> None:
    found = _page(context=_HERE, contexts=_OTHERS, newest_lacks=lacks)
    line = context(found, BoardState(filter=words), 3, "esc", width, _spelt)
    assert width_of(line) <= width
    assert "ranked by KL τ=10 dyadic" in line
    assert ("3 of 14" if words else "14 rows") in line
    if not words and width >= 80:
        assert "2 of 2" in line and (not lacks or lacks in line)


def test_all_is_said_where_there_is_room() -> None:
    found = _page(context=_HERE, contexts=_OTHERS, newest_lacks="cancelled")
    assert context(found, BoardState(), 14, "esc", 180, _spelt) == (
        " 14 rows   ranked by KL τ=10 dyadic, lower is better   the newest is cancelled; this is "
        "number 2 of 2 boards (o others)   testbed, scale quick"
    )
    narrow = context(found, BoardState(), 14, "esc", 80, _spelt)
    assert narrow.startswith(" 14 rows   ranked by KL τ=10 dyadic   newest cancelled: 2 of 2")
    filtered = context(_page(), BoardState(filter="agent~zzz kl"), 0, "esc", 82, _spelt)
    assert filtered.endswith("esc takes it off)   ranked by KL τ=10 dyadic")
    published = replace(found, published=True, title="Board")
    assert context(published, BoardState(), 14, "esc", 80, _spelt) == " published, not yours: Board"
