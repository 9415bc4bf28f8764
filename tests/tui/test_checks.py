"""Boards of posterior predictive checks: the replicates of the row under the cursor."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from textual.widgets import Input

from augury.engine.charts import plots
from augury.engine.charts.chart import Chart, Series
from augury.engine.cli.main import main
from augury.engine.preferences import THEMES, Preferences
from augury.engine.service.reader import Reader
from augury.tui.cell_page import plots as plots_of
from augury.tui.screens.cell import CellScreen
from augury.tui.screens.export import ExportDialog
from augury.tui.screens.heat import HeatScreen
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.row import RowScreen
from augury.tui.widgets.chart import ChartView
from augury.tui.widgets.heat_map import HeatMap
from augury.tui.widgets.score_table import ScoreTable

SEEDED = Path(__file__).resolve().parents[1] / "bench" / "seeded_checks.py"
_CLEAN = "fashion_mnist-n1000-m100-s1"


@pytest.fixture(scope="session")
def _checked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("checked")
    subprocess.run([sys.executable, "-P", str(SEEDED), str(path)], check=True)
    return path


@pytest.fixture
def checks(_checked: Path, tmp_path: Path) -> Path:
    """Two agents on two corruptions in five severities, and an older board of the quadratic."""
    return Path(shutil.copytree(_checked, tmp_path / "store"))


def _pane(watch: Any) -> ChartView:
    return watch.app.screen.query_one("#checks", ChartView)


def _row(watch: Any, **wanted: str) -> int:
    """The line of the board with these values."""
    board = watch.app.screen
    places = board.page.places
    rows = board.query_one(ScoreTable).sheet.records
    return next(n for n, row in enumerate(rows)
                if all(row[places[name].place] == v for name, v in wanted.items()))  # fmt: skip


async def _drawn(watch: Any, *words: str) -> Any:
    await watch.until(lambda: all(word in _pane(watch).chart.title for word in words))
    return _pane(watch).chart


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_severities_of_the_row_under_the_cursor(
    checks: Path, watching: Any, size: tuple[int, int]
) -> None:
    reader = Reader(checks)
    async with watching(checks, size=size) as watch:
        await _drawn(watch, "mlp-dropout")
        to = _row(watch, agent="mlp-ensemble", setting=_CLEAN, statistic="ece",
                  mode="independent", recalibration="temperature")  # fmt: skip
        await watch.press(*["j"] * to)
        chart = await _drawn(watch, "1 of 2: ", "mlp-ensemble")
        cells = reader.query("row", scenario="ppc", label="mlp-ensemble", setting=_CLEAN)
        stored = {row["problem"].rpartition("/")[2]: row["cell_id"] for row in cells.dicts()}
        split = "independent/ece/temperature"
        own = plots.severities(reader.query, stored["brightness"], split)
        await watch.until(lambda: _pane(watch).chart.panels == own.panels)
        assert chart.title.endswith(own.title) and len(own.panels) == 5
        await watch.until(watch.shows(own.note))
        text = watch.text()
        assert all(panel.title in text for panel in own.panels) and "┃ observed" in text
        await watch.press("m")
        chart = await _drawn(watch, "2 of 2: ", "mlp-ensemble")
        other = plots.severities(reader.query, stored["zoom_blur"], split)
        assert chart.panels == other.panels != own.panels
        await watch.press("m")
        await _drawn(watch, "1 of 2: ", "mlp-ensemble")


@pytest.mark.parametrize("size", [(80, 24), (60, 16)])
async def test_large_and_back(checks: Path, watching: Any, size: tuple[int, int]) -> None:
    async with watching(checks, size=size) as watch:
        await watch.until(watch.shows("mlp-dropout"))
        small = size[1] < 20
        if not small:
            await _drawn(watch, "mlp-dropout")
        else:
            assert not watch.app.screen.query_one(ScoreTable).size.height < 5
        await watch.press("M")
        await _drawn(watch, "1 of 2: ", "mlp-dropout")
        await watch.until(lambda: not watch.app.screen.table.display)
        await watch.until(lambda: _pane(watch).size.height > size[1] - 8)
        assert _pane(watch).has_focus
        assert all(f"s{n} " in watch.text() for n in range(1, 6))
        assert all(len(line) == size[0] for line in _pane(watch).lines)
        await watch.press("+")
        await watch.until(watch.shows("zoom 2x"))
        await watch.press("escape")
        await watch.until(lambda: watch.app.screen.table.has_focus)
        assert (_pane(watch).view.start, _pane(watch).view.end) == (0.0, 1.0)  # in sight again
        assert watch.app.screen.table.display
        await watch.press("M", "M")
        await watch.until(lambda: watch.app.screen.table.has_focus)


async def test_other_boards_have_none(store: Path, watching: Any) -> None:
    async with watching(store) as watch:
        await watch.until(watch.shows("ensemble+"))
        await watch.press("m")
        await watch.until(watch.shows("are no checks"))
        assert not watch.app.screen.query("#checks")
        assert "next problem" not in watch.text()


async def test_a_problem_without_severities(checks: Path, watching: Any) -> None:
    async with watching(checks, size=(100, 30)) as watch:
        await _drawn(watch, "mlp-dropout")
        await watch.press("o")
        await watch.until(watch.shows("ppc-quadratic"))
        await watch.press("j", "j", "enter")
        chart = await _drawn(watch, "quadratic-")
        await watch.until(watch.shows("calibration"))  # of a split that names a mode alone
        assert not chart.panels and len(chart.series) == 1
        await watch.until(watch.shows("sharpness"))


async def test_down_to_the_cell(checks: Path, watching: Any) -> None:
    async with watching(checks, size=(100, 30)) as watch:
        await _drawn(watch, "mlp-dropout")
        split = "bayesian/accuracy/none"
        await watch.press("j", "k", "enter")
        await watch.opens(RowScreen, ChartView)
        curve = watch.app.screen.query_one(ChartView)
        await watch.until(lambda: curve.chart.panels)
        assert curve.chart.command.endswith(f"--mode {split}")
        await watch.until(watch.shows("plot 1 of"))
        await watch.press("enter")
        await watch.until(watch.shows("✔ done"))
        await watch.until(lambda: "replicates" in curve.chart.command)
        assert curve.chart.note.startswith(("pass", "FAIL"))
        assert curve.chart.command.endswith(f"--mode {split}")  # of the row one came from
        await watch.press("m")
        await watch.until(lambda: len(curve.chart.panels) == 5)
        await watch.press("enter")
        await watch.opens(CellScreen, ChartView)
        await watch.until(watch.shows("m: 1 of 16"))
        await watch.until(watch.shows("sharpness"))


def test_only_problems_with_severities_have_them_side_by_side() -> None:
    names = ["histogram/bayesian", "histogram/bayesian/edges", "loss"]
    cell = {"problem": "ppc/quadratic-gap/e0", "curves": names}
    assert [kind for kind, _ in plots_of(cell)] == ["replicates", "cell"]
    cell = {"problem": f"ppc/{_CLEAN}/fog", "curves": names}
    assert [kind for kind, _ in plots_of(cell)] == ["replicates", "severities", "cell"]


async def test_the_file_is_the_commands(checks: Path, tmp_path: Path, watching: Any) -> None:
    async with watching(checks) as watch:
        await _drawn(watch, "mlp-dropout")
        await watch.press("M")
        commands = {}
        for ending, downs in (("svg", 0), ("csv", 2)):
            await watch.press("e")
            await watch.opens(ExportDialog, Input)
            await watch.press(*["j"] * downs)
            ours = tmp_path / f"ours.{ending}"
            watch.app.screen.query_one(Input).value = str(ours)
            commands[ending] = watch.app.screen._command
            await watch.press("enter")
            await watch.until(ours.exists)
            await watch.opens(LeaderboardScreen)
    for ending, command in commands.items():
        theirs = tmp_path / f"theirs.{ending}"
        result = CliRunner().invoke(main, [*command.split()[1:], "-o", str(theirs)])
        assert result.exit_code == 0, result.output
        ours = (tmp_path / f"ours.{ending}").read_text()
        assert "s5 " in ours and ours.replace("1 of 2: ", "") == theirs.read_text()


async def test_in_every_theme_and_in_ascii(checks: Path, watching: Any) -> None:
    async with watching(checks, preferences=Preferences(ascii=True)) as watch:
        seen = set()
        for _ in THEMES:
            await watch.until(watch.shows("s5 "))
            text = watch.text()
            assert text.isascii() and "| observed" in text and "##" in text
            assert "FAIL p" in text and "pass p" in text
            seen.add(watch.app.theme)
            await watch.press("t")
        assert len(seen) == len(THEMES) == 4


async def test_a_map_of_passes_by_severity(checks: Path, watching: Any) -> None:
    async with watching(checks, size=(110, 40)) as watch:
        await _drawn(watch, "mlp-dropout")
        await watch.press("H")
        await watch.opens(HeatScreen, HeatMap)
        await watch.until(lambda: watch.app.screen.query_one(HeatMap).heat)
        await watch.press("n")
        shown = watch.app.screen.query_one(HeatMap)
        await watch.until(lambda: shown.heat.title == "passed, count")
        assert shown.heat.columns == ("1", "2", "3", "4", "5") and len(shown.heat.rows) == 16
        board = Reader(checks).query("board", scenario="ppc", by=["severity"], intervals=False)
        stored = {
            (r["agent"], r["mode"], r["statistic"], r["recalibration"], r["severity"]): r["passed"]
            for r in board.dicts()
        }
        place = shown.heat.rows.index("mlp-ensemble ece bayesian temperature")
        assert [cell.value for cell in shown.heat.cells[place]] == [
            stored["mlp-ensemble", "bayesian", "ece", "temperature", n] for n in range(1, 6)
        ]
        assert "mlp-ensemble ece bayesian temperature" in watch.text()


async def test_a_filter_that_keeps_nothing_leaves_no_chart(checks: Path, watching: Any) -> None:
    async with watching(checks, size=(120, 40)) as watch:
        await _drawn(watch, "mlp-dropout")
        await watch.press("slash", *"recalibration=none", "enter")
        await watch.until(lambda: watch.app.view.board("ppc").filter == "recalibration=none")
        assert watch.app.screen.query_one(ScoreTable).sheet.count  # the word, as it is shown
        await _drawn(watch, "mlp-dropout")
        await watch.press("slash", *" agent=nobody", "enter")
        await watch.until(lambda: not watch.app.screen.query_one(ScoreTable).sheet.count)
        await watch.until(lambda: _pane(watch).chart.is_empty)
        await watch.press("M")
        assert _pane(watch).chart.is_empty
        await watch.press("escape", "escape")
        await _drawn(watch, "mlp-dropout")


async def test_the_large_chart_offers_what_it_can_do(checks: Path, watching: Any) -> None:
    async with watching(checks, size=(120, 40)) as watch:
        await _drawn(watch, "mlp-dropout")

        def last() -> str:
            return watch.text().rstrip().splitlines()[-1]

        await watch.until(lambda: "enter open" in last())
        await watch.until(watch.shows("M large"))
        await watch.press("M")
        await watch.until(watch.shows("M small"))
        await watch.until(lambda: "e export" in last() and "+ zoom" in last())
        assert "enter open" not in last() and "s smooth" not in last()
        await watch.press("s")  # bars: nothing to smooth
        await watch.until(watch.shows("Only lines can be smoothed"))
        assert _pane(watch).view.smooth == 0
        lines = Chart(series=(Series("loss", ((0.0, 1.0), (1.0, 0.5))),), x=_pane(watch).chart.x,
                      y=_pane(watch).chart.y)  # fmt: skip
        bars = _pane(watch).chart
        _pane(watch).show(lines)
        await watch.until(lambda: "s smooth" in last())
        await watch.press("s")
        assert _pane(watch).view.smooth == 0.6
        _pane(watch).show(bars)
        assert _pane(watch).view.smooth == 0
        await watch.until(lambda: "s smooth" not in last())
        await watch.press("M")
        await watch.until(watch.shows("M large"))
        await watch.until(lambda: "enter open" in last())
