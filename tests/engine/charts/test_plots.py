"""Charts made from a store's own numbers, and the commands that draw them again."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

import pytest

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.charts import plots
from augury.engine.errors import UsageError
from augury.engine.plan import PlannedCell
from augury.engine.store import queries, write
from augury.engine.store.records import RunRecord, Table
from augury.engine.types import Cell, MetricRow
from tests.engine.store.conftest import WHO, add, con, finished, kl

__all__ = ["add", "con"]  # fixtures


def _ask(con: Any) -> Callable[..., Table]:
    return lambda query, **params: queries.run(con, query, params)


def _store(con: Any, cell: Cell, rows: list[MetricRow], **curves: Any) -> str:
    planned = [PlannedCell(cell, cell.scenario, "full")]
    write.add_run(con, RunRecord(f"r{cell.cell_id[:6]}", "augury run", {}), planned)
    write.commit_batch(con, [finished(cell, rows, curves=curves)], [], WHO)
    return cell.cell_id


def test_a_board_along_the_ratio(con: Any, add: Callable[..., Any]) -> None:
    add("rone", [
        (Cell("testbed", f"testbed/d10-l{ratio}-t0.1/e0", agent, seed=0), kl(level / ratio, 0.01))
        for agent, level in (("mlp", 2.0), ("ensemble", 1.0)) for ratio in (1, 10, 100)
    ])  # fmt: skip
    chart = plots.along(_ask(con), "testbed", "ratio")
    assert [s.name for s in chart.series] == ["ensemble", "mlp"]  # the best first
    assert chart.series[1].points == ((1.0, 2.0), (10.0, 0.2), (100.0, 0.02))
    assert chart.series[1].high[0] == pytest.approx(2.01) and chart.x.log
    assert (chart.y.unit, chart.x.words) == ("nats", "ratio")
    one = plots.along(_ask(con), "testbed", "ratio", ["mlp"], column="kl_t1", over="input_dim")
    assert [s.name for s in one.series] == ["mlp, input_dim 10"]
    assert shlex.split(one.command) == [
        "augury", "plot", "along", "testbed", "--by", "ratio", "--agent", "mlp",
        "--column", "kl_t1", "--over", "input_dim",
    ]  # fmt: skip
    with pytest.raises(UsageError, match="unknown agent 'bbb'"):
        plots.along(_ask(con), "testbed", "ratio", ["bbb"])
    with pytest.raises(UsageError, match="unknown column of this board"):
        plots.along(_ask(con), "testbed", "ratio", column="loss")


def test_curves_of_a_cell(con: Any) -> None:
    cell = Cell("testbed", "testbed/d2-l1-t0.1/e0", "mlp")
    cell_id = _store(con, cell, kl(1.0), loss=[(1, 2.0), (2, 1.0)], other=[(1, 5.0)])
    chart = plots.cell(_ask(con), cell_id[:8])
    assert chart.series[0].points == ((1.0, 2.0), (2.0, 1.0)) and chart.y.log
    assert plots.cell(_ask(con), cell_id, "other").series[0].points == ((1.0, 5.0),)
    with pytest.raises(UsageError, match="unknown curve of this cell 'lost'"):
        plots.cell(_ask(con), cell_id, "lost")
    assert plots.replicates(_ask(con), cell_id).is_empty
    with pytest.raises(UsageError, match="no true value"):
        plots.steps(_ask(con), cell_id)


def test_replicates_about_what_was_observed(con: Any) -> None:
    cell = Cell("ppc", "ppc/quadratic-gap/e0", "ensemble", scenario_version=1)
    rows = [MetricRow("observed", 1.5, split="bayesian", num_samples=4)]
    curves = {"histogram/bayesian": [(0, 1.0), (1, 3.0)],
              "histogram/bayesian/edges": [(0, 0.0), (1, 1.0), (2, 2.0)]}  # fmt: skip
    cell_id = _store(con, cell, rows, **curves)
    chart = plots.replicates(_ask(con), cell_id)
    assert chart.series[0].kind == "bars" and chart.series[0].points == ((0.5, 1.0), (1.5, 3.0))
    assert [(mark.x, mark.name) for mark in chart.marks] == [(1.5, "observed")]
    assert plots.cell(_ask(con), cell_id).is_empty  # counts are no curve by step
    with pytest.raises(UsageError, match="unknown mode"):
        plots.replicates(_ask(con), cell_id, "neither")


def test_an_estimate_beside_the_true_value_of_each_stage(con: Any) -> None:
    version = SCENARIOS["mi"].version
    cell = Cell("mi", "mi/gaussian-ds10-2-4bits", "infonce", scenario_version=version)
    cell_id = _store(con, cell, [], mi=[(50, 1.5), (100, 1.9), (150, 3.0), (200, 3.7)])
    chart = plots.steps(_ask(con), cell_id)
    assert chart.series[0].points[-1] == (200.0, 3.7)
    assert chart.series[1].points == ((0.0, 2.0), (100.0, 2.0), (100.0, 4.0), (200.0, 4.0))
    assert [series.name for series in chart.series] == ["estimate", "true", "smoothed"]
    assert chart.series[2].points[1] == (100.0, pytest.approx((0.24 * 1.5 + 0.4 * 1.9) / 0.64))
    assert chart.y.words == "mutual information, bits"
