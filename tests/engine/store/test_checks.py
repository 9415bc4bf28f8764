"""The query of a cell's checks: verdict, replicates, and which cells are its other severities."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.errors import UsageError
from augury.engine.evaluation.label_checks import LabelPrediction, evaluate_labels
from augury.engine.plan import PlannedCell
from augury.engine.store import queries, write
from augury.engine.store.records import FinishedCell, RunRecord
from augury.engine.types import Cell, MetricRow
from tests.engine.store.conftest import WHO, kl

_SPLIT = "bayesian/accuracy/none"


def _cell(
    severity: int, corruption: str = "fog", agent: str = "mlp-ensemble", **fields: Any
) -> Cell:
    problem = f"ppc/fashion_mnist-n1000-m50-s{severity}/{corruption}"
    fields.setdefault("settings", {"num_replicates": 40})
    return Cell("ppc", problem, agent, scenario_version=SCENARIOS["ppc"].version, **fields)


def _add(con: Any, *cells: Cell) -> dict[str, Any]:
    """Record them with predictions of random numbers; by cell id, what was evaluated."""
    draw = np.random.default_rng(0)
    found = {}
    for cell in cells:
        logits, labels = draw.normal(0, 2, (4, 50, 10)), draw.integers(10, size=50)
        found[cell.cell_id] = evaluate_labels(LabelPrediction(cell, logits, labels))
    write.add_run(con, RunRecord("rone", "augury run", {}),
                  [PlannedCell(cell, "ppc-corruptions", "full") for cell in cells])  # fmt: skip
    write.commit_batch(con, [FinishedCell(c, found[c.cell_id]) for c in cells], [], WHO)
    return found


def test_one_row_for_each_split_with_what_was_stored(con: Any) -> None:
    cell = _cell(1)
    stored = _add(con, cell)[cell.cell_id]
    rows = list(queries.run(con, "checks", {"cell": cell.cell_id[:9]}).dicts())
    assert len(rows) == 8 == len({row["split"] for row in rows})
    for row in rows:
        numbers = {r.metric: r for r in stored.rows if r.split == row["split"]}
        for name in ("observed", "p_value", "sharpness", "passes", "num_members"):
            assert row[name] == numbers[name].value, name
        assert row["p_value_stderr"] == numbers["p_value"].stderr
        assert (row["num_replicates"], row["num_members"], row["reason"]) == (40, 4, "")
        name = f"histogram/{row['split']}"
        assert row["counts"] == [y for _, y in stored.curves[name]]
        assert row["edges"] == [y for _, y in stored.curves[f"{name}/edges"]]
        assert sum(row["counts"]) == 40 and len(row["edges"]) == len(row["counts"]) + 1
    one = queries.run(con, "checks", {"cell": cell.cell_id, "split": _SPLIT})
    assert one.column("split") == [_SPLIT]
    assert one.column("problem") == [cell.problem]


def test_severities_are_of_the_same_corruption_subject_seed_and_settings(con: Any) -> None:
    wanted = [_cell(severity) for severity in (3, 1, 5, 2, 4)]
    other = [
        _cell(2, "zoom_blur"), _cell(3, agent="mlp-dropout"), _cell(4, seed=1),
        _cell(5, settings={"num_replicates": 30}), _cell(1, config={"num_ensemble": 3}),
        replace(_cell(1), problem="ppc/fashion_mnist-n1000-m60-s1/fog"),
        replace(_cell(1), problem="ppc/cifar10-n1000-m50-s1/fog"),
    ]  # fmt: skip
    _add(con, *wanted, *other)
    ask = {"cell": wanted[0].cell_id, "split": _SPLIT, "severities": True}
    table = queries.run(con, "checks", ask)
    assert table.column("severity") == [1, 2, 3, 4, 5]
    ids = {cell.problem: cell.cell_id for cell in wanted}
    assert table.column("cell_id") == [ids[p] for p in sorted(ids)]
    assert len(queries.run(con, "checks", {**ask, "split": ""}).rows) == 40


def test_what_is_no_check_has_none(con: Any, add: Callable[..., Any]) -> None:
    testbed = Cell("testbed", "testbed/d2-l10-t0.1/e0", "mlp")
    add("rtwo", [(testbed, kl(1.0))])
    assert queries.run(con, "checks", {"cell": testbed.cell_id, "severities": True}).rows == []
    with pytest.raises(UsageError, match="no cell has an id"):
        queries.run(con, "checks", {"cell": "zz"})


def test_a_check_that_means_nothing_says_why(con: Any, add: Callable[..., Any]) -> None:
    cell = Cell("ppc", "ppc/quadratic-gap/e0", "ensemble",
                scenario_version=SCENARIOS["ppc"].version)  # fmt: skip
    rows = [MetricRow(name, None, split="bayesian", num_samples=9, reason="the loss was not finite")
            for name in ("observed", "p_value", "sharpness", "passes")]  # fmt: skip
    add("rone", [(cell, rows)], sweep="ppc-quadratic")
    row = next(queries.run(con, "checks", {"cell": cell.cell_id}).dicts())
    assert (row["p_value"], row["reason"]) == (None, "the loss was not finite")
    assert row["counts"] == [] == row["edges"] and row["severity"] is None
