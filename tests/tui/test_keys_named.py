"""Sentences name the keys that a person has; ctrl+c says how to quit, and quits."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from augury.engine.preferences import Preferences
from augury.tui.bindings import KEYS, spelt
from augury.tui.screens.board_export import BoardExport
from tests.tui.conftest import Watch
from tests.tui.tour import tour, walker

_OWN = {key.id: f"f{place}" for place, key in enumerate((k for k in KEYS if k.action), 101)}
_FIXED = {word for k in KEYS if not k.action and not k.of for word in k.shown.split()}
_OLD = {word for k in KEYS if k.id in _OWN for word in k.shown.split() if not word.isdigit()}
_ANY = "|".join(map(re.escape, sorted(_OLD - _FIXED - {"a", "[", "]"}, key=len, reverse=True)))
# A key before a verb, "R resumes", "o others", or in brackets: "(m next)", "(ctrl+r)".
_TOLD = re.compile(
    rf"(?<![\w.+\-('])({_ANY}) (again|others|next|[a-z]+s)\b|\(({_ANY})( [a-z]|\) *$)"
)


def test_a_sentence_names_keys_by_their_actions() -> None:
    said = "{runs.retry} resumes, {app.launch} launches; {filter.keep} {no.such}"
    assert spelt(said, {"runs.retry": "f5"}) == "f5 resumes, 3 launches; enter {no.such}"
    named = [name for key in KEYS for name in re.findall(r"\{(.*?)\}", key.help)]
    assert len(named) > 8 and set(named) <= {key.id for key in KEYS}


def test_what_counts_as_told() -> None:
    for said in ("paused, R resumes", "newest of 2 boards (o others)", "plot 1 of 2: kl (m next)",
                 "Dry run (ctrl+r)", "x.csv exists: esc leaves it", "(ctrl+s)  "):  # fmt: skip
        assert _TOLD.search(said), said
    for said in ("Rows (o) all  ( ) marked", "A 40/40  5.010", "the board's own columns", "log y"):
        assert not _TOLD.search(said), said


@pytest.mark.slow  # a walk over all screens
async def test_no_screen_names_a_key_that_one_has_not(
    still_store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: set[str] = set()
    async with walker(still_store, monkeypatch, Watch, (100, 50), Preferences()) as watch:
        watch.app.keymap = _OWN  # as they read; the walk itself presses the usual ones
        screen: Any = watch.app.screen
        screen.on_descendant_focus()  # its last line was there before
        async for name in tour(watch):
            lines = [line.strip() for line in watch.text().split("\n")]
            told |= {f"{name}: {line}" for line in lines if _TOLD.search(line)}
    assert told == set()


async def test_keys_of_ones_own_are_told(
    store: Path, tmp_path: Path, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    keys = {"app.pause": "f9", "app.launch": "f3", "launch.start": "f10", "app.quit": "Q",
            "export.write": "f2", "dialog.close": "f4", "table.mark": "W"}  # fmt: skip
    (tmp_path / "testbed.csv").touch()
    async with watching(store, size=(100, 30), preferences=Preferences(keys=keys)) as watch:
        await watch.until(watch.shows("ensemble+"))
        assert "[1 Leaderboard]" in watch.text() and " f3 Launch " in watch.text()
        await watch.press("e")
        await watch.opens(BoardExport)
        await watch.press("f2")
        await watch.until(watch.shows("f2 again"))
        await watch.until(watch.shows("f4 leaves"))
        await watch.press("f4", "equals_sign")
        await watch.until(watch.shows("W on the board"))
        await watch.press("f4", "f9")
        await watch.until(watch.shows("paused, f9 goes on"))
        await watch.press("f9", "f3")
        await watch.until(watch.shows("Start detached (f10)"))
        await watch.press("ctrl+c")
        await watch.until(watch.shows("as Q does"))


async def test_ctrl_c_asks_and_a_second_one_quits(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("ctrl+c")
        await watch.until(watch.shows("ctrl+c again quits, as q does"))
        assert watch.app.is_running
        await watch.press("slash", "ctrl+c")
        await watch.until(lambda: not watch.app.is_running)
        assert watch.app.return_code == 0
