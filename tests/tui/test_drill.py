"""From an agent down to a cell and back, with the store's own numbers at each level."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from augury.engine.service.reader import Reader
from augury.tui.screens.cell import CellScreen
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.row import RowScreen
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.score_table import ScoreTable

SIZES = [(80, 24), (120, 40), (60, 16)]


async def _open(watch: Any, *, top: bool = False) -> RowScreen:
    await watch.until(watch.shows("ensemble+"))
    board = watch.app.screen
    row = None if top else board.query_one(ScoreTable).current
    watch.app.push_screen(RowScreen(board.page, row))
    await watch.opens(RowScreen, ScoreTable)
    return watch.app.screen


def _column(screen: RowScreen, name: str) -> list[Any]:
    sheet = screen.query_one(ScoreTable).sheet
    place = [column.name for column in sheet.columns].index(name)
    return [row[place] for row in sheet.records]


@pytest.mark.parametrize("size", SIZES)
async def test_down_and_up_again(store: Path, watching: Any, size: tuple[int, int]) -> None:
    read = Reader(store)
    async with watching(store, size=size) as watch:
        screen = await _open(watch, top=True)
        stored = read.query("levels", scenario="testbed")
        await watch.until(lambda: screen.query_one(ScoreTable).sheet.total == 5)
        assert _column(screen, "kl_t10_k2") == stored.column("kl_t10_k2")
        await watch.until(watch.shows("testbed › agents"))
        label = _column(screen, "agent")[0]
        await watch.press("enter")
        await watch.until(watch.shows(f"agents › {label}"))
        await watch.until(lambda: screen.query_one(ScoreTable).sheet.total == 1)
        await watch.press("enter")
        stored = read.query("levels", scenario="testbed", label=label)
        await watch.until(lambda: screen.query_one(ScoreTable).sheet.total == 40)
        assert _column(screen, "problem") == stored.column("problem")
        assert _column(screen, "kl_t10_k2_stderr") == stored.column("kl_t10_k2_stderr")
        await watch.press("j", "enter")
        problem = stored.column("problem")[1]
        await watch.until(watch.shows(problem.partition("/")[2]))
        found = read.query("row", scenario="testbed", label=label, problem=problem)
        cells = found.column("cell_id")
        table = screen.query_one(ScoreTable)
        await watch.until(lambda: [r[-1] for r in table.sheet.records] == cells)
        await watch.press("enter")
        await watch.opens(CellScreen)
        await watch.press("escape")
        await watch.opens(RowScreen)
        for level in ("problem", "config", "agent"):
            await watch.press("escape")
            assert screen.step.level == level
        await watch.press("escape")
        await watch.opens(LeaderboardScreen)


async def test_a_row_of_the_board_opens_at_its_problems(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        screen = await _open(watch)
        await watch.until(watch.shows("40 problems"))
        await watch.until(watch.shows("num_ensemble 100"))
        chart = screen.query_one(ChartView)
        await watch.until(lambda: "mean over cells" in chart.chart.title)
        await watch.press("m")
        await watch.until(watch.shows("plot 2 of"))
        await watch.until(lambda: chart.chart.x.title == "ratio")
        await watch.press("tab", "L", "escape")
        await watch.opens(LeaderboardScreen)


async def test_all_cells_of_a_row(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        screen = await _open(watch)
        await watch.until(watch.shows("40 problems"))
        await watch.press("a")
        rows = Reader(store).query("row", scenario="testbed", label=screen.step.label).rows
        table = screen.query_one(ScoreTable)
        await watch.until(lambda: table.sheet.total == len(rows) == 40)
        assert [r[-1] for r in table.sheet.records] == [r[0] for r in rows]
        await watch.until(lambda: any("⠒" in x for x in screen.query_one(ChartView).lines))
        await watch.press("a")
        await watch.until(watch.shows("40 problems"))


async def test_a_levels_file_is_the_commands(store: Path, tmp_path: Path, watching: Any) -> None:

    async with watching(store) as watch:
        await _open(watch)
        await watch.until(watch.shows("40 problems"))
        text = await watch.exported(tmp_path)
    assert text.count("\n") == 41
