"""One cell in full: reached in three keys from the start, four tabs, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from augury.engine.service.reader import Reader
from augury.tui.cell_page import config_sheet, fault, scores_sheet
from augury.tui.screens.cell import CellScreen
from augury.tui.screens.export import ExportDialog
from augury.tui.screens.runs import RunsScreen
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.score_table import ScoreTable

SIZES = [(80, 24), (120, 40), (60, 16)]


async def _open(watch: Any, cell_id: str) -> CellScreen:
    await watch.until(watch.shows("augury"))
    screen = CellScreen(cell_id, "runs", ("Runs", "rseeded"))
    watch.app.push_screen(screen)
    await watch.opens(CellScreen, ChartView)
    await watch.until(lambda: screen._cell)
    return screen


def _done(store: Path, label: str = "ensemble") -> str:
    rows = Reader(store).query("row", scenario="testbed", label=label).dicts()
    return next(row["cell_id"] for row in rows if row["status"] == "done")


@pytest.mark.parametrize("size", SIZES)
async def test_the_curve_of_a_failed_cell_is_three_keys_away(
    store: Path, watching: Any, size: tuple[int, int]
) -> None:
    async with watching(store, size=size) as watch:
        await watch.until(watch.shows("augury"))
        await watch.press("2")
        await watch.opens(RunsScreen, ScoreTable)
        table = watch.app.screen.query_one(ScoreTable)
        await watch.until(lambda: table.sheet.total == 200)
        await watch.press("enter", "enter")
        await watch.opens(CellScreen, ChartView)
        await watch.until(watch.shows("✖ fail"))
        await watch.until(watch.shows("Runs › rseeded" if size[0] > 60 else "… › ensemble"))
        await watch.until(watch.shows("seed 0   ✖ fail"))
        await watch.until(watch.shows("loss"))
        await watch.press("escape")
        await watch.opens(RunsScreen)
        await watch.press("escape")
        assert watch.app.screen.query_one("#runs").has_focus


@pytest.mark.parametrize("size", SIZES)
async def test_four_tabs(store: Path, watching: Any, size: tuple[int, int]) -> None:
    cell_id = _done(store)
    async with watching(store, size=size) as watch:
        screen = await _open(watch, cell_id)
        await watch.until(lambda: any("⠒" in x for x in screen.query_one(ChartView).lines))
        await watch.until(watch.shows("esc back"))
        await watch.press("tab")
        await watch.until(watch.shows("[Config]"))
        await watch.until(watch.shows("num_ensemble"))
        await watch.press("d")
        table = screen.query_one("#cell-config", ScoreTable)
        await watch.until(lambda: not any(row[0] == "" for row in table.sheet.records))
        await watch.press("tab")
        await watch.until(watch.shows("[Scores]"))
        scores = screen.query_one("#cell-scores", ScoreTable)
        stored = Reader(store).query("results", cell=cell_id)
        assert [row[4] for row in scores.sheet.records] == stored.column("value")
        await watch.press("tab")
        await watch.until(watch.shows("log says nothing of it"))
        await watch.press("tab", "shift+tab", "shift+tab")
        await watch.until(watch.shows("[Scores]"))
        await watch.press("y")
        await watch.press("escape")
        assert not isinstance(watch.app.screen, CellScreen)


async def test_keys_of_the_chart(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        screen = await _open(watch, _done(store))
        chart = screen.query_one(ChartView)
        await watch.until(watch.shows("log y"))
        await watch.press("L")
        await watch.until(watch.shows("linear y"))
        await watch.press("plus", "right")
        await watch.until(watch.shows("zoom 2x"))
        await watch.press("0", "s", "X")
        await watch.until(watch.shows("smooth 0.6"))
        assert (chart.view.start, chart.view.end) == (0.0, 1.0)
        await watch.press("question_mark")
        await watch.until(watch.shows("A chart (tab goes to it)"))
        await watch.press("escape", "m")
        await watch.until(watch.shows("no other curve"))


async def test_the_charts_file_is_the_commands(
    store: Path, tmp_path: Path, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from click.testing import CliRunner

    from augury.engine.cli.main import main

    async with watching(store) as watch:
        screen = await _open(watch, _done(store))
        await watch.until(lambda: not screen.query_one(ChartView).chart.is_empty)
        await watch.press("s", "minus", "plus")
        for ending, downs in (("svg", 0), ("csv", 2)):
            await watch.press("e")
            await watch.opens(ExportDialog, Input)
            await watch.press(*["j"] * downs)
            ours = tmp_path / f"ours.{ending}"
            watch.app.screen.query_one(Input).value = str(ours)
            command = watch.app.screen._command
            await watch.press("enter")
            await watch.until(ours.exists)
            theirs = tmp_path / f"theirs.{ending}"
            words = [*command.split()[1:], "-o", str(theirs)]
            assert CliRunner().invoke(main, words).exit_code == 0
            assert ours.read_bytes() == theirs.read_bytes()
            assert len(ours.read_bytes()) > 200
            await watch.opens(CellScreen)


async def test_a_chart_in_plain_characters(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        watch.app.ascii_only = True
        screen = await _open(watch, _done(store))
        chart = screen.query_one(ChartView)
        await watch.until(lambda: not chart.chart.is_empty)
        assert all(line.isascii() for line in chart.lines) and "*" in "".join(chart.lines)


def test_config_says_what_is_not_default() -> None:
    cell = {
        "scenario": "testbed", "subject": "ensemble", "cell_id": "abc",
        "config": '{"num_ensemble": 10, "num_hiddens": [50, 50]}', "settings": "{}",
    }  # fmt: skip
    rows = {row[2]: row for row in config_sheet(cell, False).records}
    assert rows["num_ensemble"][:1] == ("●",) and rows["num_ensemble"][3:] == ("10", "100")
    assert rows["cell id"][1] == "record"
    assert [row[2] for row in config_sheet(cell, True).records][:1] == ["num_ensemble"]
    outside = {**cell, "subject": "mine.py:make"}
    assert not any(row[0] for row in config_sheet(outside, False).records)


def test_a_failed_cells_error_and_traceback() -> None:
    cell = {"error_kind": "ValueError", "error_message": "bad", "error_traceback": "a\n  b\n"}
    assert fault(cell) == ["✖ ValueError: bad", "", "a", "  b", ""]
    assert fault({"status": "done"}) == []


def test_a_missing_number_keeps_its_reason() -> None:
    row = {"metric": "kl", "tau": 1, "kappa": 0, "split": "", "value": None, "stderr": None,
           "num_samples": 7, "reason": "diverged"}  # fmt: skip
    sheet = scores_sheet([row])
    assert [c.show(v) for c, v in zip(sheet.columns, sheet.records[0], strict=True)] == [
        "kl", "1", "", "", "-", "-", "7", "diverged",
    ]  # fmt: skip
