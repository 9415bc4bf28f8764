"""What holds on every tab: keys, help, themes, memory, errors, crashes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.command import CommandPalette
from textual.widgets import Static

from augury.engine.errors import StoreError
from augury.engine.paths import state_directory
from augury.engine.preferences import Preferences
from augury.tui import crash, start, state, themes
from augury.tui.bindings import DIALOGS, KEYS, TITLES, bindings, footer
from augury.tui.screens.data import DataScreen
from augury.tui.screens.error import ErrorDialog
from augury.tui.screens.help import HelpDialog
from augury.tui.screens.launch import LaunchScreen
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.runs import RunsScreen
from augury.tui.screens.sort import SortDialog
from augury.tui.session import Session

_TABS = {"1": LeaderboardScreen, "2": RunsScreen, "3": LaunchScreen, "4": DataScreen}
_WAYS_OUT = ("help", "quit")


async def test_tabs_and_help(store: Path, watching: Any) -> None:
    async with watching(store, size=(100, 70)) as watch:
        await watch.until(watch.shows("ensemble+"))
        for key, words in (("4", "german_credit_numeric"), ("3", "Start detached"),
                           ("2", "rseeded"), ("1", "ensemble+")):  # fmt: skip
            await watch.press(key)
            await watch.until(watch.shows(words))
        await watch.press("question_mark")
        await watch.until(lambda: isinstance(watch.app.screen, HelpDialog))
        await watch.until(lambda: watch.app.screen.query_one("_Page", Static).content)
        text = str(watch.app.screen.query_one("_Page", Static).content)
        told = [text.index(k.help[:40]) for k in KEYS if k.where in ("leaderboard", "table", "app")]
        assert len(told) > 40
        assert [text.index(TITLES[w]) for w in ("leaderboard", "table", "app")] == sorted(
            text.index(TITLES[w]) for w in ("leaderboard", "table", "app")
        )
        await watch.press("escape")
        assert watch.app.return_code is None


async def test_the_palette_reaches_every_action(store: Path, watching: Any) -> None:
    async with watching(store, size=(100, 40)) as watch:
        await watch.until(watch.shows("ensemble+"))
        titles = [c.title for c in watch.app.get_system_commands(watch.app.screen)]
        assert set(titles) >= {k.help for k in KEYS if k.where == "leaderboard" and k.action}
        await watch.press("ctrl+p")
        await watch.until(lambda: isinstance(watch.app.screen, CommandPalette))
        await watch.press(*"Reverse the")
        await watch.until(watch.shows("Reverse the order"))
        await watch.press("enter")
        await watch.until(lambda: watch.app.view.board("testbed").descending)


async def test_themes_are_stepped_through_and_remembered(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        seen = [watch.app.theme]
        for _ in range(3):
            await watch.press("t")
            seen.append(watch.app.theme)
        assert sorted(seen) == sorted(themes.ORDER)
    assert state.load(store).theme == seen[-1]


@pytest.mark.parametrize(
    ("wanted", "environ", "no_color", "theme"),
    [
        ("", {"TERM": "xterm-256color"}, False, themes.DARK),
        (themes.LIGHT, {"TERM": "tmux-256color"}, False, themes.LIGHT),
        (themes.LIGHT, {"TERM": "xterm-256color"}, True, themes.ANSI),
        (themes.LIGHT, {"TERM": "xterm"}, False, themes.ANSI),
        ("gone", {}, False, themes.DARK),
    ],
)
def test_start_theme(wanted: str, environ: dict[str, str], no_color: bool, theme: str) -> None:
    assert themes.start_theme(wanted, environ, no_color) == theme


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40), (40, 10)])
async def test_every_tab_at_every_size(store: Path, watching: Any, size: tuple[int, int]) -> None:
    async with watching(store, size=size) as watch:
        for key, kind in _TABS.items():
            await watch.press(key)
            await watch.opens(kind)
            await watch.until(lambda: all(w in watch.text().split("\n")[-1] for w in _WAYS_OUT))
            lines = watch.text().split("\n")
            assert len(lines) == size[1] and all(len(line) <= size[0] for line in lines)


async def test_a_store_that_turns_unreadable_is_a_dialog_not_a_traceback(
    tmp_path: Path, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: Session, name: str, **params: Any) -> Any:
        raise StoreError(f"{tmp_path} is no DuckDB file. Move it away.")

    async with watching(tmp_path) as watch:
        await watch.until(watch.shows("Run the quick evaluation"))
        monkeypatch.setattr(Session, "query", refuse)
        await watch.press("r")
        await watch.until(lambda: isinstance(watch.app.screen, ErrorDialog))
        assert "no DuckDB file" in watch.app.screen.words
        await watch.until(watch.shows("The store cannot be read or written"))
        await watch.press("enter", "3")
        await watch.until(watch.shows("Start detached"))


async def test_our_own_error_in_a_request_leaves_a_report(
    tmp_path: Path, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(self: Session, name: str, **params: Any) -> Any:
        raise ZeroDivisionError("made up")

    monkeypatch.setattr(Session, "query", broken)
    async with watching(tmp_path) as watch:
        await watch.until(lambda: isinstance(watch.app.screen, ErrorDialog))
        assert "Report:" in watch.app.screen.words
    reports = list((state_directory() / "crashes").iterdir())
    assert reports and "ZeroDivisionError: made up" in reports[0].read_text()


def test_report_names_versions() -> None:
    try:
        raise ValueError("made up")
    except ValueError as error:
        path = crash.write_report(error)
    assert path is not None
    text = path.read_text()
    assert "textual" in text and "python 3" in text and "ValueError: made up" in text


def test_damaged_memory_is_forgotten(store: Path) -> None:
    path = state.path_for(store)
    path.parent.mkdir(parents=True)
    for text in ("", "[]", '{"boards": {"x": {"sort": 1, "y": 2}}}', '{"theme": 3, "boards": {}}'):
        path.write_text(text)
        assert state.load(store) == state.ViewState()


def test_a_place_that_takes_no_memory_costs_nothing_else(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(file))  # no folder can be made there
    state.save(store, state.ViewState(theme="x"))
    assert state.load(store) == state.ViewState()


_SCREENS = ("leaderboard", "row", "compare", "heat", "cell", "runs", "launch", "data")


@pytest.mark.parametrize("place", [*_SCREENS, *DIALOGS])
@pytest.mark.parametrize("width", [40, 60, 80, 120, 200])
def test_footer_fits_and_keeps_the_way_out(place: str, width: int) -> None:
    keys = footer(width, [place], {})
    assert 1 + sum(len(k.shown) + len(k.label) + 3 for k in keys) <= width
    labels = [k.label for k in keys]
    assert labels[-2:] == ["help", "quit"] if place in _SCREENS else labels[-1] == "close"


def test_no_key_means_two_things_in_one_place() -> None:
    for place in TITLES:
        base = "dialog" if place in DIALOGS else "app"
        alone = place in (base, "filter", "choice", "error")  # an error closes on its own keys too
        named = (*bindings(place), *bindings(base) * (not alone))
        keys = [key for b in named for key in b.key.split(",")]  # type: ignore[union-attr]
        shared = {"question_mark"} if place in ("help", "filter_help") else set()  # both close it
        assert len(keys) == len(set(keys)) + len(shared), place


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
async def test_messages_cover_no_line_below_a_table(
    store: Path, watching: Any, size: tuple[int, int]
) -> None:
    message = "Copied to the clipboard, if the terminal allows it, and " + "/somewhere/else" * 4
    async with watching(store, size=size) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.until(watch.shows("no engine: starts when needed"))
        for key, kind in _TABS.items():
            await watch.press(key)
            await watch.opens(kind)
            if kind is LaunchScreen:
                await watch.until(watch.shows("new in"))
            await watch.pilot.pause(0.2)
            below = watch.text().split("\n")[-3:]
            watch.app.notify(message, markup=False, timeout=60)
            await watch.until(watch.shows("Copied to the clipboard"))
            await watch.until(lambda: message[-8:] in watch.text())  # all of it
            assert watch.text().split("\n")[-3:] == below
            if kind is LaunchScreen:
                await watch.until(watch.shows("new in"))
                await watch.until(watch.shows("same as: augury run"))
                await watch.until(watch.shows("Start detached"))
            watch.app.clear_notifications()
            await watch.until(lambda: "Copied to" not in watch.text())


@pytest.mark.parametrize("size", [(60, 16), (80, 24), (120, 40)])
@pytest.mark.parametrize(("key", "kind"), [("question_mark", HelpDialog), ("s", SortDialog)])
async def test_a_dialog_shows_its_way_out(
    store: Path, watching: Any, size: tuple[int, int], key: str, kind: Any
) -> None:
    async with watching(store, size=size) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press(key)
        await watch.opens(kind, Static)
        await watch.until(watch.shows("esc close"))
        lines = watch.text().split("\n")
        last = next(n for n, line in enumerate(lines) if "esc close" in line)
        assert "╰──" in lines[last + 1]  # no blank lines where text could be


@pytest.mark.parametrize("term", ["dumb", "unknown", ""])
def test_a_terminal_that_cannot_is_told_so(
    term: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TERM", term)
    assert start.run(tmp_path, Preferences()) == 2
    told = capsys.readouterr()
    assert told.out == "" and "augury leaderboard" in told.err


@pytest.mark.parametrize("tab", ["1", "3"])
async def test_a_sliver_of_a_terminal(store: Path, watching: Any, tab: str) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble"))
        await watch.press(tab)
        for size in ((1, 1), (5, 2), (3, 40), (80, 24)):
            await watch.pilot.resize_terminal(*size)
            await watch.press("question_mark", "escape", "colon", "escape", "e", "escape")
        await watch.until(watch.shows("augury"))
