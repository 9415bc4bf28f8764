"""The last line tells the keys that hold where one is: in a field, letters are letters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from augury.engine.preferences import Preferences
from augury.tui.bindings import KEYS, footer
from augury.tui.key import is_letter
from augury.tui.widgets.line import Line
from tests.tui.conftest import Watch
from tests.tui.tour import tour, walker

pytestmark = pytest.mark.slow  # together they compile for minutes


def _last_line(watch: Watch) -> str:
    screen = watch.app.screen
    return (screen.query("#dialog-keys") or screen.query("#keys")).first(Line).text


async def test_wherever_one_types(still_store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = set()
    async with walker(still_store, monkeypatch, Watch, (100, 50), Preferences()) as watch:
        async for name in tour(watch):
            screen = watch.app.screen
            if not (screen.query("#dialog-keys") or screen.query("#keys")):
                continue
            assert _last_line(watch).strip(), name
            for field in screen.query(Input):
                if not field.display or field.id == "filter":
                    continue
                field.focus()
                await watch.pilot.pause()
                said = _last_line(watch).split("  ")
                keys = [part.split()[0] for part in said if part.strip()]
                assert not any(key.isascii() and is_letter(key) for key in keys), (name, keys)
                assert {"esc"} <= set(keys), (name, keys)
                seen.add(name)
    assert len(seen) >= 3


async def test_the_filter_line_names_its_keys_each_time(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        board = _last_line(watch)
        for _ in range(2):
            await watch.press("slash")
            assert _last_line(watch).split("  ")[:3] == [" enter keep", "esc leave", "? words"]
            await watch.press("escape")
            assert _last_line(watch) == board


async def test_the_files_field_has_keys_of_its_own(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("e")
        await watch.until(watch.shows("h l choose"))
        await watch.press("j", "j", "j")
        assert isinstance(watch.app.screen.focused, Input)
        assert watch.shows("↓ line  enter write  esc close")() and not watch.shows("h l")()
        await watch.press("j", "down")
        assert watch.app.screen.query_one(Input).value == "testbed.csvj"
        assert watch.shows("j line  h l choose")()


@pytest.mark.parametrize("letter", ["a", "slash", "space", "comma", "plus", "J", "/", "é"])
def test_letters(letter: str) -> None:
    assert is_letter(letter) and not is_letter(f"ctrl+{letter}")
    assert not is_letter("f5") and not is_letter("tab")


def test_other_keys_hold_in_fields_too() -> None:
    keymap = {"export.line": "f5,n", "export.write": "w"}
    found = footer(80, ["export", "dialog"], keymap, typing=True)
    assert [(key.shown, key.label) for key in found] == [("f5", "line"), ("esc", "close")]
    assert all(key.shown for key in KEYS)
