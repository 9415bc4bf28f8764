"""Boards of mutual information: the estimate by step of the row under the cursor."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.charts import plots
from augury.engine.estimators.stages import Schedule, rows
from augury.engine.plan import PlannedCell
from augury.engine.service.reader import Reader
from augury.engine.store import connection, write
from augury.engine.store.records import FinishedCell, Provenance, RunRecord
from augury.engine.types import Cell, CellFinished, Seconds
from augury.tui.widgets.chart import ChartView

_PROBLEMS = ("mi/gaussian-ds10-2-4bits", "mi/channel-ds10-2-4bits")
_STEPS = 40


def _finished(cell: Cell) -> CellFinished:
    """An estimate that comes near the truth in each stage, the sooner the larger the seed."""
    schedule = Schedule((2.0, 4.0), _STEPS // 2, 5)
    step = np.arange(_STEPS)
    worth = np.repeat(schedule.bits, schedule.stage_steps) * (1 - 0.5 / (2 + cell.seed + step % 20))
    worth *= {"dv": 1.0, "nwj": 0.9}[cell.subject]
    curve = [(int(at) + 1, float(value)) for at, value in zip(step, worth, strict=True)]
    return CellFinished(cell.cell_id, rows(worth, schedule), Seconds(), curves={"mi": curve})


@pytest.fixture
def estimates(tmp_path: Path) -> Path:
    """Two estimators, two domains, two seeds, two stages."""
    version = SCENARIOS["mi"].version
    cells = [
        Cell("mi", problem, name, seed=seed, scenario_version=version)
        for name in ("dv", "nwj") for problem in _PROBLEMS for seed in (0, 1)
    ]  # fmt: skip
    con = connection.open_store(tmp_path / "store")
    try:
        planned = [PlannedCell(cell, "mi", "full") for cell in cells]
        write.add_run(con, RunRecord("rmi", "augury run mi", {}), planned)
        done = [FinishedCell(cell, _finished(cell)) for cell in cells]
        write.commit_batch(con, done, [], Provenance("cpu", "w0", "0", "0"))
        write.set_run_state(con, "rmi", "finished")
    finally:
        con.close()
    return tmp_path / "store"


async def test_steps_of_the_row_under_the_cursor(estimates: Path, watching: Any) -> None:
    reader = Reader(estimates)
    async with watching(estimates, size=(110, 40)) as watch:
        pane = await _drawn(watch, "1 of 2: ", "seed 0")
        first = pane.title.split()[3]  # 1 of 2: LABEL
        assert [series.name for series in pane.series] == ["estimate", "true", "smoothed"]
        cell = next(iter(reader.query("cell", cell=pane.command.split()[-1]).dicts()))
        own = plots.steps(reader.query, cell["cell_id"])
        assert pane.series == own.series and own.series[1].points[0] == (0.0, 2.0)
        assert own.series[1].points[-1] == (float(_STEPS), 4.0)
        assert all(name in watch.text() for name in ("estimate", "smoothed", "true"))
        await watch.press("m")
        await _drawn(watch, "2 of 2: ", first, cell["problem"], "seed 1")
        await watch.press("m", "j")
        other = await _drawn(watch, "1 of 2: ", "seed 0")
        await watch.until(lambda: watch.app.screen._checks.chart.series != own.series)
        assert cell["problem"] in other.title or other.title.split()[3] != first
        await watch.press("M")
        await watch.until(lambda: not watch.app.screen.table.display)


async def _drawn(watch: Any, *words: str) -> Any:
    def there() -> bool:
        found = watch.app.screen.query("#checks")
        return bool(found) and all(word in found.first(ChartView).chart.title for word in words)

    await watch.until(there)
    return watch.app.screen.query_one("#checks", ChartView).chart


def test_a_row_of_one_domain_has_no_cells_of_another(estimates: Path) -> None:
    ask = Reader(estimates).query
    charts = [plots.stepped(ask, "mi", "nwj", "gaussian", place) for place in range(3)]
    assert [chart.title[:8] for chart in charts] == ["1 of 2: ", "2 of 2: ", "1 of 2: "]
    assert all("gaussian-ds10" in chart.title for chart in charts)
    assert charts[0] == charts[2] != charts[1]
    assert plots.stepped(ask, "mi", "smile-1").nothing == "no cell of this row is here"
    assert plots.stepped(ask, "mi", "nwj", "text").is_empty
