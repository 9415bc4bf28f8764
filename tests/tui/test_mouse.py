"""The mouse: titles sort, rows are chosen, the wheel scrolls, tabs and footer keys are clicked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from augury.tui.screens.heat import HeatScreen
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.row import RowScreen
from augury.tui.screens.runs import RunsScreen
from augury.tui.screens.sort import SortDialog
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.heat_map import HeatMap
from augury.tui.widgets.lines_table import LinesTable
from augury.tui.widgets.score_table import ScoreTable


async def _click(watch: Any, words: str) -> None:
    """Click on the first place where the screen says `words`."""
    await watch.until(watch.shows(words))
    lines = watch.text().split("\n")
    y = next(n for n, line in enumerate(lines) if words in line)
    await watch.pilot.click(offset=(lines[y].index(words) + 1, y))
    await watch.pilot.pause()


async def test_titles_sort_and_rows_open_at_the_second_click(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await _click(watch, "KL τ=1 ")
        assert watch.app.view.board("testbed").sort == "kl_t1"
        await _click(watch, "KL τ=1▲")
        assert watch.app.view.board("testbed").descending
        table = watch.app.screen.query_one(ScoreTable)
        await _click(watch, "mlp ")
        assert "mlp" in table.sheet.name(table.current)
        await _click(watch, "mlp ")
        await watch.opens(RowScreen, ScoreTable)


async def test_tabs_and_keys_of_the_last_line(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await _click(watch, "s sort")
        await watch.opens(SortDialog)
        await _click(watch, "esc close")
        await watch.opens(LeaderboardScreen)
        await _click(watch, "2 Runs")
        await watch.opens(RunsScreen)
        await watch.until(watch.shows("rseeded"))
        await _click(watch, "rseeded")
        assert isinstance(watch.app.focused, LinesTable)
        await _click(watch, "1 Leaderboard")
        await watch.opens(LeaderboardScreen)
        await _click(watch, "q quit")
        await watch.until(lambda: not watch.app.is_running)


async def test_the_wheel_scrolls_tables_maps_and_charts(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("enter")
        await watch.opens(RowScreen, ScoreTable)
        await watch.until(watch.shows("40 problems"))
        table = watch.app.screen.query_one(ScoreTable)
        await watch.pilot._post_mouse_events([_wheel(True)], "#cells", offset=(5, 3))
        await watch.until(lambda: table.scroll_y > 0)
        chart = watch.app.screen.query_one(ChartView)
        await watch.until(lambda: not chart.chart.is_empty)
        await watch.pilot._post_mouse_events([_wheel(False)], ChartView, offset=(5, 3))
        await watch.until(lambda: chart.view.end - chart.view.start < 1)
        await watch.press("escape", "H")
        await watch.opens(HeatScreen, HeatMap)
        heat = watch.app.screen.query_one(HeatMap)
        await watch.until(lambda: heat.heat)
        await watch.pilot._post_mouse_events([_wheel(True)], HeatMap, offset=(5, 3))
        await watch.until(lambda: heat.row == 3)
        await _click(watch, "temperature")
        await watch.until(lambda: heat.heat.dimension == "temperature")


def _wheel(down: bool) -> Any:
    from textual import events

    return events.MouseScrollDown if down else events.MouseScrollUp


async def test_a_map_opens_the_row_that_is_meant(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        for name in ("ensemble+", "ensemble"):
            await watch.press("H")
            await watch.opens(HeatScreen, HeatMap)
            heat = watch.app.screen.query_one(HeatMap)
            await watch.until(lambda heat=heat: heat.heat)
            heat.action_move(heat.heat.rows.index(name) - heat.row, 0)
            await watch.press("enter")
            await watch.opens(RowScreen, ScoreTable)
            assert watch.app.screen.step.label == name
            await watch.press("escape", "escape")
            await watch.opens(LeaderboardScreen)
