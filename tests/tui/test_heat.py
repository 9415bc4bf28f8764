"""The heat map: layout as a pure function, then on screen with the store's numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from augury.engine.service.reader import Reader
from augury.engine.store.table import Table
from augury.tui.heat_page import BEST, SHADES, Heat, heat
from augury.tui.screens.heat import HeatScreen
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.row import RowScreen
from augury.tui.widgets.heat_map import HeatMap

SIZES = [(80, 24), (120, 40), (60, 16)]


def _table(*rows: tuple[Any, ...], better: str = "lower") -> Table:
    titles = {"kl": {"title": "KL", "unit": "nats", "stderr": "kl_stderr", "better": better}}
    meta: Any = {"subject": "agent", "titles": titles, "rank": "kl", "better": better}
    return Table(("rank", "agent", "ratio", "kl", "kl_stderr"), list(rows), meta)


def test_rows_columns_and_the_best_of_each_column() -> None:
    found = heat(
        _table(
            (1, "b", 10.0, 0.2, 0.1), (2, "a", 10.0, 0.4, 0.1), (1, "a", 2.0, 0.5, 0.1),
            (2, "b", 2.0, 0.9, 0.1), (None, "c", 2.0, None, None),
        ),
        "ratio", "kl",
    )  # fmt: skip
    assert (found.rows, found.columns) == (("a", "b", "c"), ("2", "10"))
    assert [[cell.value for cell in line] for line in found.cells] == [
        [0.5, 0.4], [0.9, 0.2], [None, None],
    ]  # fmt: skip
    assert [[cell.best for cell in line] for line in found.cells] == [
        [True, False], [False, True], [False, False],
    ]  # fmt: skip
    assert found.text(0, 0) == f"{BEST}0.50" and found.text(2, 0) == "-"
    shades = [cell.shade for line in found.cells for cell in line]
    assert (min(s for s in shades if s is not None), max(s for s in shades if s is not None)) == (
        0, len(SHADES) - 1,
    )  # fmt: skip
    assert found.scale == "from 0.2 (lightest) to 0.9 (darkest), equal steps; lower is better"


def test_the_better_a_number_the_lighter_its_shade() -> None:
    rows = [(1, str(n), 1.0, v, None) for n, v in enumerate((0.5, 0.9, 1.1, 3.0))]
    for better, lightest in (("lower", 0), ("higher", 3), ("one", 1)):
        found = heat(_table(*rows, better=better), "ratio", "kl")
        by_value = {line[0].value: line[0] for line in found.cells}
        best = rows[lightest][3]
        assert by_value[best].shade == 0 and by_value[best].best
    ratios = heat(_table(*((1, str(n), 1.0, 10.0**n, None) for n in range(5))), "ratio", "kl")
    assert [line[0].shade for line in ratios.cells] == [0, 1, 2, 3, 4]
    assert "steps of equal ratio" in ratios.scale
    same = heat(_table((1, "a", 1.0, 2.0, None)), "ratio", "kl")
    assert same.scale == "all numbers are the same"
    assert heat(_table(), "ratio", "kl").rows == ()


async def _open(watch: Any) -> HeatScreen:
    await watch.until(watch.shows("ensemble+"))
    watch.app.push_screen(HeatScreen(watch.app.screen.page))
    await watch.opens(HeatScreen, HeatMap)
    await watch.until(lambda: watch.app.screen.query_one(HeatMap).heat)
    return watch.app.screen


def _map(screen: HeatScreen) -> Heat:
    found = screen.query_one(HeatMap).heat
    assert found is not None
    return found


@pytest.mark.parametrize("size", SIZES)
async def test_the_map_has_the_boards_numbers(
    store: Path, watching: Any, size: tuple[int, int]
) -> None:
    async with watching(store, size=size) as watch:
        screen = await _open(watch)
        await watch.until(watch.shows("[ratio]"))
        found = _map(screen)
        stored = {(r["agent"], f"{r['ratio']:g}"): r["kl_t10_k2"] for r in Reader(store).query(
            "board", scenario="testbed", by=["ratio"], intervals=False).dicts()}  # fmt: skip
        shown = {(name, value): found.cells[i][j].value for i, name in enumerate(found.rows)
                 for j, value in enumerate(found.columns)}  # fmt: skip
        assert shown == stored
        await watch.until(watch.shows(BEST))
        await watch.until(watch.shows("lightest"))
        await watch.press("right_square_bracket")
        await watch.until(lambda: _map(screen).dimension == "temperature")
        await watch.press("n")
        await watch.until(lambda: _map(screen).title != found.title)
        await watch.press("l", "j", "enter")
        await watch.opens(RowScreen)
        await watch.press("escape", "escape")
        await watch.opens(LeaderboardScreen)


async def test_the_file_is_the_commands(store: Path, tmp_path: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _open(watch)
        assert await watch.exported(tmp_path)
