"""The grid of a preview, and the fields that are typed into."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from augury.engine.errors import UsageError
from augury.tui import launch_fields
from augury.tui.launch_grid import LEGEND, lines, tones
from augury.tui.widgets.fitted import Fitted

_DIMS, _RATIOS = (2, 10, 100), (1, 10, 100, 1000)
_GRID = [
    [subject, f"testbed/d{d}-l{r}-t0.1", int(d < 100), int(d > 2), int(subject == "bad" and d == 2)]
    for subject in ("mlp", "bad")
    for d in _DIMS
    for r in _RATIOS
]


def test_one_mark_for_each_setting() -> None:
    assert lines(_GRID, 60, 10) == [
        "    d2   d10  d100",
        "mlp oooo :::: ....",
        "bad xxxx :::: ....",
        LEGEND,
    ]


def test_where_there_is_little_room_a_mark_stands_for_several() -> None:
    wide = [["mlp", f"testbed/d{d}-l{r}-t0.1", 1, 0, 0] for d in range(8) for r in range(20)]
    shown = lines(wide, 60, 5)
    assert max(map(len, shown)) <= 60 and shown[1].split()[0] == "mlp"
    many = [[f"subject{n}", "real/iris/n120", 0, 1, 0] for n in range(30)]
    shown = lines(many, 40, 8)
    assert len(shown) == 8 and shown[-2:] == ["and 25 more subjects", LEGEND]
    assert lines(_GRID, 10, 8) == [] and lines([], 80, 8) == []


def test_groups_are_named_by_what_tells_them_apart() -> None:
    coins = [["floor", f"testbed/coins-m{m}-n{n}", 0, 1, 0] for m in (2, 10) for n in (0, 1)]
    data = [["mlp", f"real/{name}/n120", 0, 1, 0] for name in ("iris", "wine_quality")]
    assert lines([*coins, *data], 60, 8)[0].split() == ["m2", "m10", "iris", "wine_quality"]


def test_marks_are_coloured_and_nothing_else() -> None:
    shown = lines(_GRID, 60, 10)
    text = "\n".join(shown)
    marked = [text[start:end] for start, end, _ in tones(shown)]
    assert marked == ["oooo", "::::", "....", "xxxx", "::::", "...."]


def test_completion_leads_from_a_name_to_a_value() -> None:
    text = "mlp.num_steps=5 ens"
    seen = []
    for _ in range(3):
        text = launch_fields.complete("testbed", text) or ""
        seen.append(text.rpartition(" ")[2])
    assert seen[0] == "ensemble." and seen[1].endswith("=") and seen[2].startswith(seen[1])
    assert launch_fields.complete("testbed", text) is None
    assert launch_fields.complete("testbed", "") is None
    assert launch_fields.complete("testbed", "nothing.") is None


def test_what_can_come_next_is_listed() -> None:
    assert "ensemble." in launch_fields.choices("testbed", "ens")
    assert "num_ensemble=" in launch_fields.choices("testbed", "ensemble.num")
    assert "and " in launch_fields.choices("testbed", "")


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ("ensemble.num_ensemble=30 testbed.num_test_batches=5", ""),
        ("ensemble", "SUBJECT.FIELD=VALUE"),
        ("ensembel.num_ensemble=3", "Did you mean 'ensemble'?"),
        ("ensemble.num_ensembel=3", "Did you mean 'num_ensemble'?"),
        ("ensemble.num_ensemble=many", "takes int"),
        ("ensemble.num_ensemble=-3", "at least 1"),
        ("mlp.x='open", "a quote is not closed"),
    ],
)
def test_items_of_set(items: str, words: str) -> None:
    def check() -> None:
        launch_fields.check_overrides("testbed", launch_fields.overrides(items))

    if words:
        with pytest.raises(UsageError) as raised:
            check()
        assert words in raised.value.message
    else:
        check()


def test_problems_are_counted() -> None:
    assert launch_fields.matching("testbed", "default", "input_dim=10,100 ratio<=10") == (60, 180)
    assert launch_fields.matching("testbed-quick", "smoke", "") == (2, 2)
    for wrong in ("input_dmi=3", "input_dim=three", "input_dim=3"):
        with pytest.raises(UsageError):
            launch_fields.matching("testbed", "default", wrong)


async def test_the_grid_is_drawn_for_the_room_that_it_has_in_the_end(
    store: Path, watching: Any
) -> None:
    async with watching(store) as watch:
        await watch.press("3")
        await watch.until(watch.shows(LEGEND))
        view = watch.app.screen.query_one(Fitted)
        tall = view.size.height
        watch.app.screen.query_one("#preview", Static).update("a\nb\nc")  # takes of its room
        await watch.until(lambda: view.size.height != tall)
        await watch.until(watch.shows(LEGEND))
