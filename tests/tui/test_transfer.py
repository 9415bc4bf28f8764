"""Testbed against real data: both scores of each agent, what they come to, what is missing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Static

from augury.engine.plan import Selection, expand
from augury.engine.service.reader import Reader
from augury.engine.store import connection, write
from augury.engine.store.records import FinishedCell, Provenance, RunRecord
from augury.engine.types import CellFinished, MetricRow, Seconds
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.palette import Palette
from augury.tui.screens.transfer import TransferScreen
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.score_table import ScoreTable

AGENTS = ("mlp", "ensemble", "dropout", "bbb")


@pytest.fixture
def both(tmp_path: Path) -> Path:
    path = tmp_path / "both"
    con = connection.open_store(path)
    for what in ("testbed-quick", "real-regimes"):
        planned = expand(Selection((what,), AGENTS, (0,), "quick"))
        write.add_run(con, RunRecord(what, "augury run", {}), planned)
        done = []
        for p in planned:
            value = (1 + 0.1 * (len(p.cell.problem) % 3)) * (1 + AGENTS.index(p.cell.subject))
            row = MetricRow("kl", value, 0.01, 10, 2, num_samples=9)
            found = CellFinished(p.cell.cell_id, (row,), Seconds(0.1, 0.1, 0.1))
            done.append(FinishedCell(p.cell, found))
        write.commit_batch(con, done, [], Provenance("cpu", "w", "a", "0.10"))
    con.close()
    return path


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_scores_and_their_chart(both: Path, watching: Any, size: tuple[int, int]) -> None:
    async with watching(both, size=size) as watch:
        await watch.until(watch.shows("ensemble"))
        await watch.press("ctrl+p")
        await watch.opens(Palette)
        await watch.press(*"testbed predict")
        await watch.until(watch.shows("leaderboard.transfer"))
        await watch.press("enter")
        await watch.opens(TransferScreen, ScoreTable)
        screen = watch.app.screen
        table, chart = screen.query_one(ScoreTable), screen.query_one(ChartView)
        stored = Reader(both).query("transfer")
        await watch.until(lambda: [tuple(r) for r in table.sheet.rows] == stored.rows)
        await watch.until(watch.shows("testbed-quick (quick) and real-regimes (quick)"))
        await watch.until(watch.shows("rank correlation of 4 agents 1.00"))
        await watch.until(lambda: [s.name for s in chart.chart.series] == ["mlp", "the others"])
        await watch.press("down")
        await watch.until(lambda: chart.chart.series[0].name == "ensemble")
        assert any("ensemble" in line for line in chart.lines)
        assert not screen.query_one("#lacking", Static).display
        await watch.press("escape")
        await watch.opens(LeaderboardScreen)


async def test_what_is_missing_is_said(store: Path, watching: Any) -> None:
    """This store holds no real data."""
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("T")
        await watch.opens(TransferScreen, ScoreTable)
        await watch.until(watch.shows("nothing of real is evaluated here yet: augury run real"))
        await watch.press("b")
        await watch.until(watch.shows("no config of testbed is tuned in this store"))
        await watch.press("enter")
        await watch.until(watch.shows("nothing of real"))
        assert watch.app.screen.command() == "augury transfer"
