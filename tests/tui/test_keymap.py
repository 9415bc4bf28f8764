"""Other keys for actions: what can be meant, and that keys, footer, help and palette follow."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from augury.engine.errors import UsageError
from augury.engine.preferences import Preferences
from augury.tui.bindings import KEYS, TITLES
from augury.tui.keymap import checked, table
from augury.tui.screens.help import HelpDialog
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.sort import SortDialog


def test_ids_are_unique_and_bare_toml() -> None:
    assert not [name for name, n in Counter(k.id for k in KEYS).items() if n > 1]
    for key in KEYS:
        assert key.id.replace("_", "").replace("'", "").replace(".", "").isalnum(), key.id
        assert key.where in TITLES
        assert key.of in ("", *(k.id for k in KEYS if k.action))


def test_keys_are_named_as_people_write_them() -> None:
    wanted = {"leaderboard.sort": "f5, ctrl+o", "app.quit": "Q", "app.help": "f1,?",
              "app.pause": ",", "runs.cancel": "delete"}  # fmt: skip
    assert checked(wanted) == {
        "leaderboard.sort": "f5,ctrl+o", "app.quit": "Q", "app.help": "f1,question_mark",
        "app.pause": "comma", "runs.cancel": "delete",
    }  # fmt: skip


@pytest.mark.parametrize(("wanted", "said"), [
    ({"leaderbord.sort": "f5"}, "no action is called 'leaderbord.sort'. Did you mean "
                                "'leaderboard.sort'?"),
    ({"leaderboard.mark": "f5"}, "'leaderboard.mark'. Did you mean 'table.mark'?"),
    ({"app.quit": "escpe"}, "app.quit is given 'escpe', which is no key. Did you mean 'escape'?"),
    ({"app.quit": "ctl+x"}, "no key. Did you mean 'ctrl+x'?"),
    ({"app.quit": "x,"}, "app.quit is given '', which is no key."),
    ({"leaderboard.sort": "o"}, "key 'o' would mean both leaderboard.sort and leaderboard.boards"),
    ({"app.quit": "s"}, "key 's' would mean both app.quit and leaderboard.sort"),
    ({"table.down": "e"}, "would mean both leaderboard.export and table.down"),
    ({"sort.then": "escape"}, "would mean both dialog.close and sort.then"),
    ({"app.quit": "f5", "app.pause": "f5"}, "key 'f5' would mean both app.quit and app.pause"),
])  # fmt: skip
def test_what_cannot_be_meant(wanted: dict[str, str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        checked(wanted)
    assert said in caught.value.message
    assert "config.toml: keys: " in caught.value.message and caught.value.exit_code == 2


def test_keys_may_change_places() -> None:
    swapped = {"leaderboard.sort": "o", "leaderboard.boards": "s"}
    assert checked(swapped) == swapped
    assert any(line.split()[:2] == ["leaderboard.sort", "o"] for line in table(swapped))


async def test_keys_footer_help_and_palette_follow(store: Path, watching: Any) -> None:
    keys = {"leaderboard.sort": "f5,O", "app.quit": "Q", "table.down": "J,down"}
    async with watching(store, size=(100, 40), preferences=Preferences(keys=keys)) as watch:
        await watch.until(watch.shows("ensemble+"))
        footer = watch.text().split("\n")[-1]
        assert "f5 O sort" in footer and "Q quit" in footer and " s sort" not in footer
        await watch.press("s", "q", "j")
        assert (
            isinstance(watch.app.screen, LeaderboardScreen) and watch.app.screen.table.cursor == 0
        )
        await watch.press("J")
        assert watch.app.screen.table.cursor == 1
        for key in ("f5", "O"):
            await watch.press(key)
            await watch.opens(SortDialog)
            await watch.press("escape")
        titles = {c.title: c.help for c in watch.app.get_system_commands(watch.app.screen)}
        assert titles["Quit; engines and their runs go on"] == "key Q"
        await watch.press("question_mark")
        await watch.opens(HelpDialog)
        await watch.until(lambda: watch.app.screen.query_one("_Page", Static).content)
        text = str(watch.app.screen.query_one("_Page", Static).content)
        assert "f5 O " in text and "  Q " in text
        await watch.press("escape", "Q")
        await watch.until(lambda: not watch.app.is_running)
