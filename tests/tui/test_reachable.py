"""Every action is a row of the table of keys, and help and palette reach it wherever it holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.binding import Binding
from textual.widgets import Input, Static

from augury.engine.preferences import Preferences
from augury.tui.bindings import DIALOGS, KEYS, TITLES
from augury.tui.places import places
from augury.tui.screens.help import HelpDialog
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.palette import Palette
from augury.tui.screens.sort import SortDialog
from tests.tui.conftest import Watch
from tests.tui.tour import tour, walker

_IDS = {key.id for key in KEYS}
_SAID = {"app.command_palette"}  # no palette in the palette


def _own_bindings(screen: Any) -> list[Binding]:
    """What classes of ours bind, on a screen and all that is on it."""
    kinds = {kind for node in (screen, *screen.walk_children()) for kind in type(node).__mro__
             if kind.__module__.startswith("augury.")}  # fmt: skip
    return [b for kind in kinds for b in vars(kind).get("BINDINGS", ())]


@pytest.mark.slow  # a walk over all screens
async def test_wherever_one_is(still_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[str] = set()
    async with walker(still_store, monkeypatch, Watch, (100, 50), Preferences()) as watch:
        async for name in tour(watch):
            screen = watch.app.screen
            if isinstance(screen, Palette):
                continue
            assert all(binding.id in _IDS for binding in _own_bindings(screen)), name
            here = places(screen)
            seen |= set(here)
            offered = {command.title for command in watch.app.get_system_commands(screen)}
            wanted = {k.help for k in KEYS if k.where in here and k.action not in ("", *_SAID)}
            assert wanted == offered, name
            typing = isinstance(screen.focused, Input) or name == "launch_select"
            if typing or name in ("help", "filter_help"):
                continue
            await watch.press("question_mark")
            await watch.opens(HelpDialog)
            page = watch.app.screen.query_one("_Page", Static)
            await watch.until(lambda page=page: str(page.content))
            text = str(page.content)
            assert all(TITLES[place] in text for place in here), name
            await watch.press("escape")
            await watch.until(lambda screen=screen: watch.app.screen is screen)
    never = set(TITLES) - seen - {"filter"}
    assert not never


async def test_the_palette_acts_on_a_dialog_and_on_a_widget(store: Path, watching: Any) -> None:
    async with watching(store, size=(100, 40)) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("s", "j")
        await watch.opens(SortDialog)
        await _choose(watch, "Let it decide")
        await watch.opens(LeaderboardScreen)
        await watch.until(lambda: watch.app.view.board("testbed").then)
        await _choose(watch, "Mark all rows")
        await watch.until(lambda: len(watch.app.screen.table.marks) == 5)


async def _choose(watch: Any, words: str) -> None:
    await watch.press("ctrl+p")
    await watch.opens(Palette)
    await watch.press(*words)
    await watch.until(watch.shows("key "))
    await watch.until(lambda: sum(words in line for line in watch.text().split("\n")) > 1)
    await watch.press("enter")


async def test_help_jumps_from_part_to_part(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("question_mark")
        await watch.opens(HelpDialog)
        await watch.until(watch.shows("Config, cells and loss"))
        await watch.press("tab")
        await watch.until(watch.shows("Next row"))
        await watch.press("tab")
        await watch.until(watch.shows("Leaderboard tab"))
        await watch.press("shift+tab", "shift+tab")
        await watch.until(watch.shows("Config, cells and loss"))


def test_every_dialog_has_a_place() -> None:
    assert "dialog" in DIALOGS and set(DIALOGS) <= set(TITLES)
