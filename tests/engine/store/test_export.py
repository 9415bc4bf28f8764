"""Files: the same bytes whoever writes them, full precision, total order."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from augury.engine.errors import StoreError, UsageError
from augury.engine.store import connection, export, queries
from augury.engine.types import Cell
from tests.engine.store.conftest import kl

LONG = [
    "cell_id", "run", "scenario", "sweep", "problem", "subject", "config", "seed", "status",
    "metric", "tau", "kappa", "split", "value", "stderr", "num_samples", "scale", "settings",
    "scenario_version", "code_version", "device", "seconds",
]  # fmt: skip


def _fill(add: Callable[..., Any]) -> None:
    draw = np.random.default_rng(0)
    cells = [
        Cell("testbed", f"testbed/d{d}-l10-t0.1/e{e}", subject, seed=seed)
        for subject in ("mlp", "ensemble", "uniform") for d in (2, 10) for e in range(4)
        for seed in range(5)
    ]  # fmt: skip
    add("rone", [(c, kl(draw.normal(), draw.uniform())) for c in cells])
    add("rtwo", [(c, None) for c in cells[:3]]
        + [(Cell("testbed", "testbed/d2-l1-t0.1/e0", "mlp"), 'so "it" goes,\nbadly')])  # fmt: skip


@pytest.mark.parametrize("fmt", ["csv", "json", "table", "markdown", "latex"])
@pytest.mark.parametrize("name", ["board", "cells"])
def test_same_bytes_from_engine_and_reader(
    con: Any, add: Callable[..., Any], tmp_path: Path, fmt: str, name: str
) -> None:
    _fill(add)
    store = tmp_path / "store"
    params: dict[str, Any] = {"scenario": "testbed"}
    if name == "board":
        params |= {"run": "rone", "by": ["setting"]}
    first = export.query(con, name, params, fmt, store).read_bytes()
    assert first == export.query(con, name, params, fmt, store).read_bytes()
    con.close()  # a checkpoint: other physical layout, same bytes
    reader = connection.open_read_only(store)
    assert export.query(reader, name, params, fmt, store).read_bytes() == first
    reader.close()


def test_long_form(con: Any, add: Callable[..., Any], tmp_path: Path) -> None:
    _fill(add)
    path = export.query(con, "cells", {}, "csv", tmp_path / "store")
    rows = list(csv.DictReader(path.read_text().splitlines(keepends=True)))
    assert list(rows[0]) == LONG
    # One row for each cell and metric, though cells are in two runs; a failed cell has one row.
    assert len(rows) == 120 * 3 + 1
    assert len({(r["cell_id"], r["metric"], r["tau"], r["kappa"], r["split"]) for r in rows}) == 361
    assert {r["run"] for r in rows if r["status"] == "done"} == {"rone"}
    failed = next(r for r in rows if r["status"] == "failed")
    assert (failed["run"], failed["metric"], failed["value"]) == ("rtwo", "", "")
    done = next(r for r in rows if r["status"] == "done")
    assert json.loads(done["config"]) and json.loads(done["settings"])["num_test_batches"] == 1000
    stored = con.cursor().execute(
        "SELECT value FROM results WHERE cell_id = ? AND tau = ? AND kappa = ?",
        [done["cell_id"], int(done["tau"]), int(done["kappa"])],
    )
    assert float(done["value"]) == stored.fetchone()[0]  # full precision

    only = queries.run(con, "cells", {"run": "rtwo"})
    assert set(only.column("run")) == {"rtwo"} and len(only.rows) == 3 * 3 + 1
    few = queries.run(con, "cells", {"filter": "agent=mlp tau=10 kappa=0 value<0 seed=0"})
    assert few.rows and all(r["value"] < 0 and r["kappa"] == 0 for r in few.dicts())
    assert len(queries.run(con, "cells", {"filter": "failed"}).rows) == 1
    assert len(queries.run(con, "cells", {"limit": 7, "sort": "-value"}).rows) == 7


def test_parquet_and_json_hold_the_rows(con: Any, add: Callable[..., Any], tmp_path: Path) -> None:
    _fill(add)
    rows = queries.run(con, "cells").rows
    parquet = export.query(con, "cells", {}, "parquet", tmp_path / "store")
    assert duckdb.execute(f"SELECT * FROM '{parquet}'").fetchall() == rows
    text = export.query(con, "cells", {}, "json", tmp_path / "store").read_text()
    assert [tuple(r.values()) for r in json.loads(text)] == rows


def test_a_folder_with_a_quote(tmp_path: Path) -> None:
    con = connection.open_store(tmp_path / "it's")
    assert export.query(con, "runs", {}, "csv", tmp_path / "it's").read_text().startswith("run_id")
    con.close()


def test_errors(con: Any, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Did you mean 'csv'"):
        export.query(con, "runs", {}, "cvs", tmp_path / "store")
    with pytest.raises(StoreError):
        export.query(con, "runs", {}, "csv", tmp_path)  # not where this store may write
    assert list(tmp_path.glob("exports/*")) == []
    with pytest.raises(UsageError, match="Did you mean 'run'"):
        queries.run(con, "runz")
    with pytest.raises(UsageError, match="unknown parameter of query runs"):
        queries.run(con, "runs", {"rum": 1})
    with pytest.raises(UsageError, match="no run starts with 'x'"):
        queries.run(con, "run", {"run": "x"})
    with pytest.raises(UsageError, match="no cell has an id"):
        queries.run(con, "cell", {"cell": "zz"})


def test_run_prefixes(con: Any, add: Callable[..., Any]) -> None:
    _fill(add)
    assert queries.run(con, "run", {"run": "rt"}).column("run_id") == ["rtwo"]
    with pytest.raises(UsageError, match="start of several runs"):
        queries.run(con, "run", {"run": "r"})
