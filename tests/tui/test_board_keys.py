"""Keys of the leaderboard: marks, columns, sort, units, groups, views, copies, exports."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

from textual.widgets import Input

from augury.engine.paths import state_directory
from augury.engine.service.reader import Reader
from augury.engine.views import View, views
from augury.tui.screens.board_export import BoardExport
from augury.tui.screens.columns import ColumnsDialog
from augury.tui.screens.compare import CompareScreen
from augury.tui.screens.filter_help import FilterHelp
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.sort import SortDialog
from augury.tui.screens.views import SaveView, ViewsDialog
from augury.tui.widgets.choice_line import ChoiceLine
from augury.tui.widgets.score_table import ScoreTable


def _table(watch: Any) -> ScoreTable:
    return watch.app.screen_stack[0].query_one(ScoreTable)


def _labels(watch: Any) -> list[str]:
    return [row[1] for row in _table(watch).sheet.records]  # type: ignore[index]


def _names(watch: Any) -> list[str]:
    return [column.name for column in _table(watch).sheet.columns]


def _looks(watch: Any) -> Any:
    return watch.app.view.board("testbed")


async def _ready(watch: Any) -> None:
    await watch.until(watch.shows("[testbed]"))
    await watch.until(lambda: len(_labels(watch)) == 5)


async def _back(watch: Any) -> None:
    await watch.opens(LeaderboardScreen)


async def test_rows_follow_the_filter_while_it_is_typed(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _ready(watch)
        await watch.press("space", "slash", *"esm")
        await watch.until(lambda: sorted(_labels(watch)) == ["ensemble", "ensemble+"])
        await watch.until(watch.shows("1 marked"))
        await watch.press("question_mark")
        await watch.opens(FilterHelp)
        await watch.until(watch.shows("contains, capitals or not"))
        await watch.press("escape")
        await _back(watch)
        await watch.press("escape")
        await watch.until(lambda: len(_labels(watch)) == 5)
        assert _table(watch).marks == {_labels(watch)[0]}


async def test_a_filter_of_problems_asks_the_store(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _ready(watch)
        before = _table(watch).sheet.rows
        await watch.press("slash", *"input_dim=2 ens", "enter")
        await watch.until(lambda: len(_labels(watch)) == 2)
        asked = Reader(store).query("board", scenario="testbed", filter="input_dim=2 ens")
        await watch.until(lambda: _labels(watch) == asked.column("agent"))
        place = _table(watch).sheet.places[_names(watch).index("kl_t1")]
        await watch.until(
            lambda: [row[place] for row in _table(watch).sheet.records] == asked.column("kl_t1")
        )
        assert before != _table(watch).sheet.rows


async def test_columns_are_chosen_ordered_and_remembered(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _ready(watch)
        await watch.press("c")
        await watch.opens(ColumnsDialog)
        await watch.press("j", "space", "j", "K", "enter")  # no kl_t1; kl_t10_iid before it
        await _back(watch)
        await watch.until(lambda: "kl_t1" not in _names(watch))
        assert _names(watch)[2] == "kl_t10_iid"
    async with watching(store) as watch:
        await _ready(watch)
        assert "kl_t1" not in _names(watch)
        await watch.press("c")
        await watch.opens(ColumnsDialog)
        await watch.press("u", "enter")
        await _back(watch)
        await watch.until(lambda: "kl_t1" in _names(watch))
        assert _looks(watch).columns == []


async def test_two_sort_keys(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _ready(watch)
        await watch.press("s")
        await watch.opens(SortDialog)
        await watch.press("j", "space")
        await _back(watch)
        await watch.until(watch.shows("agent▵"))
        await watch.press("s")
        await watch.opens(SortDialog)
        await watch.press("j", "space")
        await _back(watch)
        await watch.until(watch.shows("agent▿"))
        wanted = Reader(store).query("board", scenario="testbed", sort="rank,-agent")
        assert _labels(watch) == wanted.column("agent")


async def test_units_and_baseline(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _ready(watch)
        await watch.press("u")
        await watch.until(lambda: "kl_t10_k2_norm" in _names(watch))
        await watch.until(watch.shows("normalised to mlp"))
        label = _labels(watch)[0]
        await watch.press("b")
        await watch.until(watch.shows(f"normalised to {label}"))
        await watch.press("u")
        await watch.until(lambda: "kl_t10_k2_rank" in _names(watch))
        await watch.press("u", "b")
        await watch.until(lambda: "kl_t10_k2" in _names(watch))
        assert (_looks(watch).units, _looks(watch).baseline) == ("", "")


async def test_parts_can_be_hidden(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _ready(watch)
        assert {"bar", "kl_t1_stderr"} <= set(_names(watch))
        await watch.press("E", "B", "C", "z")
        await watch.until(watch.shows("ensemble+ (1 row)"))
        assert not {"bar", "kl_t1_stderr"} & set(_names(watch))
        assert _looks(watch).group == "kind" and not _looks(watch).colours


async def test_a_view_is_saved_and_taken_up_here_and_by_the_command(
    store: Path, watching: Any
) -> None:
    async with watching(store) as watch:
        await _ready(watch)
        await watch.press("slash", *"ens", "enter")
        await watch.until(lambda: len(_labels(watch)) == 2)
        await watch.press("S", "V")
        await watch.opens(SaveView, Input)
        await watch.press(*"mine", "enter")
        await _back(watch)
        assert views("testbed") == {"mine": View(("-rank",), "ens")}
        await watch.press("escape", "S")
        await watch.until(lambda: len(_labels(watch)) == 5)
        await watch.press("v")
        await watch.opens(ViewsDialog)
        await watch.until(watch.shows("the board's own"))
        await watch.press("j")
        await watch.until(watch.shows("--view mine"))
        await watch.press("enter")
        await _back(watch)
        await watch.until(lambda: len(_labels(watch)) == 2)
        shown = _labels(watch)
    command = [sys.executable, "-P", "-m", "augury", "leaderboard", "testbed", "--view", "mine",
               "--columns", "agent", "--format", "csv", "--store", str(store)]  # fmt: skip
    said = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    assert said.split() == ["agent", *shown]


async def test_marked_rows_are_compared(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _ready(watch)
        await watch.press("space", "space", "equals_sign")
        await watch.opens(CompareScreen)
        await watch.press("escape")
        await _back(watch)
        assert len(_table(watch).marks) == 2


async def test_copies(store: Path, watching: Any, monkeypatch: Any) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    file = state_directory() / "last-copy.txt"
    async with watching(store) as watch:
        await _ready(watch)
        await watch.press("y")
        await watch.until(lambda: file.read_text() == _labels(watch)[0] if file.exists() else False)
        await watch.press("l", "y")
        value = _table(watch).sheet.value(_table(watch).sheet.records[0], 2)  # type: ignore[arg-type]
        await watch.until(lambda: file.read_text() == str(value))
        await watch.press("ctrl+y")
        await watch.until(lambda: file.read_text().startswith("| agent | rank |"))


async def test_marked_rows_and_chosen_columns_are_exported_as_by_the_command(
    store: Path, tmp_path: Path, watching: Any, monkeypatch: Any
) -> None:
    monkeypatch.setenv("AUGURY_STORE", str(tmp_path / "another"))  # the command must name ours
    ours, theirs = tmp_path / "ours.csv", tmp_path / "theirs.csv"
    async with watching(store) as watch:
        await _ready(watch)
        _looks(watch).columns = ["rank", "kl_t1", "accuracy"]
        await watch.press("space", "space", "S", "e")
        await watch.opens(BoardExport, Input)
        dialog = watch.app.screen
        assert dialog.query_one("#rows", ChoiceLine).chosen == "marked"
        await watch.press("j", "l")  # the line of values: as shown
        assert dialog.query_one("#values", ChoiceLine).chosen == "shown"
        dialog.query_one(Input).value = str(theirs)
        command = dialog._command()
        dialog.query_one(Input).value = str(ours)
        await watch.press("enter")
        await watch.until(ours.exists)
        await _back(watch)
        before = ours.read_bytes()
        await watch.press("e")
        await watch.opens(BoardExport, Input)
        watch.app.screen.query_one(Input).value = str(ours)
        await watch.press("enter")
        await watch.until(watch.shows("enter again replaces it"))
        assert ours.read_bytes() == before
    subprocess.run(
        [sys.executable, "-P", "-m", "augury", *shlex.split(command)[1:]],
        check=True, capture_output=True,
    )  # fmt: skip
    assert ours.read_bytes() == theirs.read_bytes()
    lines = ours.read_text().splitlines()
    assert len(lines) == 3 and lines[0] == "agent,rank,KL τ=1,accuracy" and " ± " in lines[1]


async def test_an_export_can_go_to_the_clipboard(
    store: Path, watching: Any, monkeypatch: Any
) -> None:
    monkeypatch.delenv("TMUX", raising=False)
    file = state_directory() / "last-copy.txt"
    async with watching(store) as watch:
        await _ready(watch)
        await watch.press("e")
        await watch.opens(BoardExport, Input)
        watch.app.screen.query_one("#to", ChoiceLine).choose("clipboard")
        await watch.press("enter")
        await watch.until(lambda: file.exists() and file.read_text().startswith("rank,agent,"))
    assert file.read_text().count("\n") == 6
