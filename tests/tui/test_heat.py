"""The heat map: layout as a pure function, then on screen with the store's numbers."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult

from augury.engine.service.reader import Reader
from augury.engine.store.table import Table
from augury.tui.board_page import page
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
        await watch.until(lambda: "lower is better" in " ".join(watch.text().split()))
        assert "…" not in watch.text().partition("shades:")[2].partition("is better")[0]
        await watch.press("right_square_bracket")
        await watch.until(lambda: _map(screen).dimension == "temperature")
        await watch.press("n")
        await watch.until(lambda: _map(screen).title != found.title)
        await watch.press("l", "j", "enter")
        await watch.opens(RowScreen)
        await watch.press("escape", "escape")
        await watch.opens(LeaderboardScreen)


@pytest.mark.parametrize("typed", ["agent~ens", "kl<6", "ratio<=10 ens", "accuracy>=0 agent!=mlp"])
async def test_the_rows_are_those_of_the_boards_filter(
    store: Path, tmp_path: Path, watching: Any, typed: str
) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("slash", *typed, "enter")
        await watch.until(watch.shows("filter: "))
        board = watch.app.screen
        await watch.until(lambda: watch.app.view.board("testbed").filter == typed)
        await watch.until(lambda: board._is_asked(board.page) and 0 < board.table.sheet.count < 5)
        on_board = {board.table.sheet.name(row) for row in board.table.sheet.rows}
        await watch.press("H")
        await watch.opens(HeatScreen, HeatMap)
        await watch.until(lambda: watch.app.screen.query_one(HeatMap).heat)
        screen = watch.app.screen
        assert set(_map(screen).rows) == on_board
        await watch.until(watch.shows("filter: "))
        if "ratio" in typed:
            assert set(_map(screen).columns) <= {"1", "10"}
        assert await watch.exported(tmp_path)


async def test_a_filter_that_keeps_nothing_has_no_map(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("slash", *"nobody", "enter")
        await watch.until(lambda: not watch.app.screen.table.sheet.count)
        await watch.press("H")
        await watch.until(watch.shows("the filter keeps none"))
        assert isinstance(watch.app.screen, LeaderboardScreen)


async def test_the_file_is_the_commands(store: Path, tmp_path: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await _open(watch)
        assert await watch.exported(tmp_path)


async def test_rows_whose_names_end_differently_are_told_apart() -> None:
    names = [f"sgmcmc[burn_in=4000, num_steps=20000, save_every={n}]" for n in (400, 500)]
    rows = [(n, name, 2.0, 0.5, 0.1) for n, name in enumerate(names, 1)]

    class Alone(App[None]):
        def compose(self) -> ComposeResult:
            yield HeatMap()

    async with Alone().run_test(size=(60, 6)) as pilot:
        shown = pilot.app.query_one(HeatMap)
        shown.show(heat(_table(*rows), "ratio", "kl"))
        first, second = (shown.render_line(y).text for y in (1, 2))
        assert "400]" in first and "500]" in second and "…" in first


async def test_the_number_under_the_cursor_is_read_whatever_its_rows_name(
    store: Path, watching: Any
) -> None:
    name = "sgmcmc[burn_in=4000, num_steps=20000, save_every=400]"
    async with watching(store, size=(60, 16)) as watch:
        screen = await _open(watch)
        await watch.until(watch.shows("[ratio]"))
        screen.query_one(HeatMap).show(heat(_table((1, name, 2.0, 0.123456, 0.1)), "ratio", "kl"))
        await watch.until(watch.shows("save_every=400], ratio 2: 0.123456 ± 0.1"))


def test_a_row_of_parts_opens_itself() -> None:
    titles = {"gap": {"title": "gap", "better": "lower"}}
    meta: Any = {"subject": "agent", "titles": titles, "rank": "gap", "better": "lower"}
    names = ("rank", "agent", "mode", "recalibration", "gap")
    kinds = {"agent": "text", "mode": "text", "recalibration": "text"}
    rows = [
        (n, "deep", mode, recalibration, float(n))
        for n, (mode, recalibration) in enumerate(
            [("ind", "none"), ("ind", "scaled"), ("joint", "none"), ("joint", "scaled")], 1
        )
    ]
    board = page("ppc", Table(names, [*rows, (5, "deep-2", "ind", "none", 5.0)],
                              {**meta, "kinds": kinds}))  # fmt: skip
    broken_out = [(*row[:4], level, row[4]) for row in rows for level in (1, 2)]
    found = heat(Table((*names[:4], "severity", "gap"), broken_out, meta), "severity", "gap")
    assert found.rows == ("deep ind", "deep ind scaled", "deep joint", "deep joint scaled")
    opened = [board.row_with(line[1]) for line in found.keys]
    assert [row and tuple(row) for row in opened] == rows


def test_a_cell_opens_the_setting_of_its_column() -> None:
    titles = {"gap": {"title": "gap", "better": "lower"}}
    kinds = {"agent": "text", "setting": "text", "mode": "text"}
    meta: Any = {"subject": "agent", "titles": titles, "rank": "gap", "better": "lower",
                 "kinds": kinds}  # fmt: skip
    rows = [
        (n, agent, f"fog-s{level}", mode, float(n))
        for n, (agent, level, mode) in enumerate(product("ab", (1, 2), ("ind", "joint")), 1)
    ]
    names = ("rank", "agent", "setting", "mode", "gap")
    board = page("ppc", Table(names, rows, meta))
    broken_out = [(*row[:4], int(row[2][-1]), row[4]) for row in rows if row[0] != 8]
    found = heat(Table((*names[:4], "severity", "gap"), broken_out, meta), "severity", "gap")
    assert (found.rows, found.columns) == (("a ind", "a joint", "b ind", "b joint"), ("1", "2"))
    opened = [[board.row_with(keys)[0] for keys in line] for line in found.keys]  # type: ignore[index]
    # Without a number (the last cell) its row is known, its setting is not.
    assert opened == [[1, 3], [2, 4], [5, 7], [6, 6]]
