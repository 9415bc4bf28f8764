"""Agent, config, problem, seed, and boards along columns of problems, against NumPy."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.store import export, queries
from augury.engine.store.records import Table
from augury.engine.types import Cell
from tests.engine.store import oracle
from tests.engine.store.conftest import kl
from tests.engine.store.oracle import Number

SETTINGS = {"d2-l10-t0.1": 4, "d10-l10-t0.1": 3, "d10-l1-t0.5": 1}
# label -> (agent, config, mean)
LABELS: dict[str, tuple[str, dict[str, Any], float]] = {
    "mlp": ("mlp", {}, 0.5),
    "ensemble": ("ensemble", {}, 0.4),
    "ensemble[num_ensemble=3]": ("ensemble", {"num_ensemble": 3}, 0.45),
}


@pytest.fixture
def numbers(add: Callable[..., Any]) -> list[Number]:
    """Two agent seeds on each problem, three configs of two agents."""
    draw = np.random.default_rng(0)
    found, cells = [], []
    for label, (agent, config, level) in LABELS.items():
        for setting, count in SETTINGS.items():
            for e in range(count):
                for seed in (0, 1):
                    n = Number(label, setting, e, seed, draw.normal(level, 0.05),
                               draw.uniform(0.01, 0.04))  # fmt: skip
                    cell = Cell("testbed", f"testbed/{setting}/e{e}", agent, config, seed=seed)
                    found.append(n)
                    cells.append((cell, kl(n.value, n.stderr)))
    add("rone", cells)
    return found


def _ask(con: Any, query: str = "levels", **params: Any) -> Table:
    return queries.run(con, query, {"scenario": "testbed", **params})


def _pair(row: dict[str, Any]) -> tuple[float, float]:
    return (row["kl_t10_k2"], row["kl_t10_k2_stderr"])


def _of(numbers: list[Number], *labels: str, **where: Any) -> list[Number]:
    kept = [n for n in numbers if not labels or n.label in labels]
    return [n for n in kept if all(getattr(n, k) == v for k, v in where.items())]


def test_all_configs_of_an_agent_are_one_row(con: Any, numbers: list[Number]) -> None:
    rows = {row["agent"]: row for row in _ask(con).dicts()}
    assert list(rows) == ["ensemble", "mlp"]
    for agent, row in rows.items():
        mine = [n for n in numbers if LABELS[n.label][0] == agent]
        assert _pair(row) == pytest.approx(oracle.mean(mine))
        assert (row["problems"], row["seeds"]) == (8, 2)
    assert rows["ensemble"]["done"] == 32


def test_configs_are_the_boards_rows(con: Any, numbers: list[Number]) -> None:
    found = list(_ask(con, subject="ensemble").dicts())
    board = {row["agent"]: row for row in _ask(con, "board", intervals=False).dicts()}
    assert [row["agent"] for row in found] == ["ensemble", "ensemble[num_ensemble=3]"]
    assert all(row == board[row["agent"]] for row in found)
    for row in found:
        assert _pair(row) == pytest.approx(oracle.mean(_of(numbers, row["agent"])))
    assert _ask(con, subject="bbb").rows == []


def test_problems_and_seeds(con: Any, numbers: list[Number]) -> None:
    rows = list(_ask(con, label="ensemble").dicts())
    assert len(rows) == 8 and [row["problem"] for row in rows] == sorted(r["problem"] for r in rows)
    ranks = {row["problem"]: row["rank"] for row in rows}
    for row in rows:
        _, setting, environment = row["problem"].split("/")
        where = {"setting": setting, "unit": int(environment[1:])}
        mine = _of(numbers, "ensemble", **where)
        assert row["kl_t10_k2"] == pytest.approx(np.mean([n.value for n in mine]))
        assert row["kl_t10_k2_stderr"] == pytest.approx(np.mean([n.stderr for n in mine]))
        means = {x: np.mean([n.value for n in _of(numbers, x, **where)]) for x in LABELS}
        assert ranks[row["problem"]] == 1 + sum(v < means["ensemble"] for v in means.values())
        seeds = list(_ask(con, label="ensemble", problem=row["problem"]).dicts())
        assert [(s["seed"], *_pair(s)) for s in seeds] == [
            (n.seed, pytest.approx(n.value), pytest.approx(n.stderr)) for n in mine
        ]


def test_a_level_that_cannot_be_meant(con: Any, numbers: list[Number]) -> None:
    with pytest.raises(UsageError, match="unknown level 'sed'"):
        _ask(con, level="sed")
    with pytest.raises(UsageError, match="level seed is of one problem"):
        _ask(con, level="seed", label="mlp")
    assert _ask(con, label="no such").rows == []
    assert _ask(con, label="mlp", problem="no such").rows == []


@pytest.mark.parametrize(
    ("dimension", "read"),
    [
        ("input_dim", lambda s: float(s.split("-")[0][1:])),
        ("ratio", lambda s: float(s.split("-")[1][1:])),
        ("temperature", lambda s: float(s.split("-")[2][1:])),
    ],
)
def test_a_board_along_a_column_of_problems(
    con: Any, numbers: list[Number], tmp_path: Path, dimension: str, read: Callable[[str], float]
) -> None:
    params = {"by": [dimension], "columns": ["kl_t10_k2"], "intervals": False}
    rows = list(_ask(con, "board", **params).dicts())
    assert {(r["agent"], r[dimension]) for r in rows} == {
        (label, read(s)) for label in LABELS for s in SETTINGS
    }
    for row in rows:
        mine = [n for n in _of(numbers, row["agent"]) if read(n.setting) == row[dimension]]
        assert _pair(row) == pytest.approx(oracle.mean(mine))
    asked = {"scenario": "testbed", **params}
    written = export.query(con, "board", asked, "csv", tmp_path / "store")
    lines = list(csv.DictReader(written.read_text().splitlines()))
    assert [float(line["kl_t10_k2"]) for line in lines] == [row["kl_t10_k2"] for row in rows]


def test_columns_that_tell_problems_apart(con: Any, numbers: list[Number]) -> None:
    found = dict(_ask(con, "dimensions").rows)
    assert found == {"input_dim": 2, "ratio": 2, "temperature": 2, "num_train": 3}
    assert _ask(con, "dimensions", sweep="testbed-2d").rows == []


def test_mean_curves(con: Any, add: Callable[..., Any]) -> None:
    from augury.engine.plan import PlannedCell
    from augury.engine.store import write
    from augury.engine.store.records import RunRecord
    from tests.engine.store.conftest import WHO, finished

    cells = [Cell("testbed", f"testbed/d2-l1-t0.1/e{e}", "mlp", seed=s)
             for e in (0, 1) for s in (0, 1)]  # fmt: skip
    write.add_run(con, RunRecord("r1", "augury run", {}), [PlannedCell(c, "testbed", "full")
                                                           for c in cells])  # fmt: skip
    draw = np.random.default_rng(1)
    values = draw.normal(size=(4, 3))
    write.commit_batch(
        con,
        [finished(c, kl(1.0), curves={"loss": list(zip((10, 20, 30), v, strict=True))})
         for c, v in zip(cells, values, strict=True)],
        [], WHO,
    )  # fmt: skip
    rows = _ask(con, "mean_curves", labels=["mlp"]).rows
    error = values.std(axis=0, ddof=1) / 2
    assert rows == [
        ("mlp", step, pytest.approx(m), pytest.approx(e), 4)
        for step, m, e in zip((10, 20, 30), values.mean(axis=0), error, strict=True)
    ]
    one = _ask(con, "mean_curves", labels=["mlp"], problem="testbed/d2-l1-t0.1/e1").rows
    assert [row[2] for row in one] == pytest.approx(list(values[2:].mean(axis=0)))
    assert {row[4] for row in one} == {2}
    with pytest.raises(UsageError, match="unknown agent in this store 'bbb'"):
        _ask(con, "mean_curves", labels=["bbb"])
