"""The comparison: forest plots as text, config differences, the screen and its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import OptionList, Static

from augury.engine.service.reader import Reader
from augury.tui.compare_page import config_lines, interval
from augury.tui.screens.compare import CompareScreen
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.second import SecondDialog
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.score_table import ScoreTable

SIZES = [(80, 24), (120, 40), (60, 16)]


def test_an_interval_as_text() -> None:
    assert interval(-1.0, 0.0, 1.0, (-2.0, 2.0), 9) == "  ├─●─┤  "
    assert interval(0.5, 1.0, 1.5, (0.0, 2.0), 9) == "│ ├─●─┤  "
    assert interval(-0.5, 0.5, 1.0, (-1.0, 1.0), 9) == "  ├─┼─●─┤"
    assert interval(None, 1.0, None, (0.0, 2.0), 5) == "│ ●  "
    assert interval(None, None, None, (-1.0, 1.0), 5) == "  │  "


def test_fields_that_differ() -> None:
    first, second = {"config": '{"a": 1, "b": [2]}'}, {"config": '{"a": 1, "b": [3], "c": 4}'}
    assert config_lines(first, second, True) == ["● b [2] → [3]", "● c - → 4"]
    assert config_lines(first, second, False)[0] == "  a 1"
    assert config_lines(first, first, True) == ["no field differs"]


@pytest.mark.parametrize("size", SIZES)
async def test_two_rows(store: Path, watching: Any, size: tuple[int, int]) -> None:
    async with watching(store, size=size) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("equals_sign")
        await watch.opens(SecondDialog, OptionList)
        await watch.press("enter")
        await watch.opens(CompareScreen, ScoreTable)
        screen = watch.app.screen
        first, second = screen.pair
        stored = Reader(store).query("differences", scenario="testbed", subjects=[first, second])
        table = screen.query_one(ScoreTable)
        await watch.until(lambda: [tuple(r) for r in table.sheet.rows] == stored.rows)
        assert stored.rows and stored.column("place")[0] == "all"
        await watch.until(watch.shows("●"))
        await watch.until(watch.shows("B-A"))
        await watch.press("s")
        assert screen.pair == (second, first)
        await watch.until(watch.shows(f"A {second}"))
        await watch.press("escape")
        await watch.opens(LeaderboardScreen)


async def test_three_marked_rows(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("space", "space", "space", "equals_sign")
        await watch.opens(CompareScreen, ScoreTable)
        screen = watch.app.screen
        await watch.until(watch.shows("1 of 3 pairs"))
        await watch.press("n", "b", "d", "m")
        await watch.until(watch.shows("2 of 3 pairs"))
        table = screen.query_one(ScoreTable)
        await watch.until(lambda: any("testbed/" in str(r[0]) for r in table.sheet.rows))
        config = screen.query_one("#compare-config", Static)
        await watch.until(lambda: "configs, A → B" in str(config.content))
        await watch.until(lambda: len(screen.query_one(ChartView).chart.series) == 2)


async def test_the_file_is_the_commands(store: Path, tmp_path: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        page = watch.app.screen.page
        watch.app.push_screen(CompareScreen(page, ("mlp", "ensemble")))
        await watch.opens(CompareScreen, ScoreTable)
        assert await watch.exported(tmp_path)
