"""Writes: all or nothing, and twice is once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from augury.engine.errors import StoreError
from augury.engine.plan import PlannedCell, Selection, expand
from augury.engine.store import queries, write
from augury.engine.store.records import FailedCell, RunRecord
from augury.engine.types import Cell, MetricRow
from tests.engine.store.conftest import WHO, finished, kl

CELL = Cell("testbed", "testbed/d2-l10-t0.1/e0", "mlp", {"num_steps": 10}, {"max_steps": 5}, 3)
OTHER = Cell("testbed", "testbed/d2-l10-t0.1/e1", "mlp")


def _count(con: Any, table: str) -> int:
    return con.cursor().execute(f"SELECT count(*) FROM {table}").fetchone()[0]


def _plan(con: Any, run: str = "rone", *cells: Cell) -> None:
    planned = [PlannedCell(cell, "testbed", "full") for cell in cells]
    write.add_run(con, RunRecord(run, "augury run testbed", {"what": ["testbed"]}), planned)


def test_pending_restores_the_cell(con: Any) -> None:
    _plan(con, "rone", CELL, OTHER)
    assert write.pending(con, "rone") == [
        (CELL, "testbed", "full"),
        (OTHER, "testbed", "full"),
    ]
    row = next(queries.run(con, "cell", {"cell": CELL.cell_id}).dicts())
    assert row["label"] == "mlp[num_steps=10]" and row["setting"] == "d2-l10-t0.1"
    assert json.loads(row["config"])["learning_rate"] == 0.001  # every field, not the differences
    assert json.loads(row["settings"])["max_steps"] == 5


def test_cells_of_another_sweep_are_told_apart(con: Any) -> None:
    """Done they are, but a board shows what a run of its own sweep asked for."""
    _plan(con, "rone", CELL)
    write.commit_batch(con, [finished(CELL, kl(1.0))], [], WHO)
    asked = [PlannedCell(cell, "testbed-2d", "full") for cell in (CELL, OTHER)]
    assert write.elsewhere(con, asked[:1]) == 1
    assert write.elsewhere(con, [PlannedCell(CELL, "testbed", "full")]) == 0
    assert write.elsewhere(con, [PlannedCell(CELL, "testbed", "quick")]) == 1
    write.add_run(con, RunRecord("rtwo", "augury run testbed-2d", {}), asked[:1])
    assert write.elsewhere(con, asked) == 1  # the other one
    board = queries.run(con, "board", {"scenario": "testbed", "sweep": "testbed-2d"})
    assert [row["coverage"] for row in board.dicts()] == ["1/1"]


def test_every_planned_cell_of_quick_comes_back(con: Any) -> None:
    planned = expand(Selection(("quick",)))
    write.add_run(con, RunRecord("rquick", "augury run quick", {}), planned)
    assert [cell for cell, _, _ in write.pending(con, "rquick")] == [p.cell for p in planned]


def test_a_second_result_is_a_no_op(con: Any) -> None:
    _plan(con, "rone", CELL, OTHER)
    curves = {"loss": [(0, 1.0), (5, float("nan"))]}
    assert write.commit_batch(con, [finished(CELL, kl(1.0), curves=curves)], [], WHO) == [
        CELL.cell_id
    ]
    assert write.commit_batch(con, [finished(CELL, kl(2.0), curves=curves)], [], WHO) == []
    late = FailedCell(CELL, "Lost", "the worker went away")
    assert write.commit_batch(con, [], [late], WHO) == []
    assert {row[4] for row in queries.run(con, "results", {"cell": CELL.cell_id}).rows} == {1.0}
    assert queries.run(con, "curves", {"cell": CELL.cell_id}).rows == [
        (CELL.cell_id, "loss", 0, 1.0),
        (CELL.cell_id, "loss", 5, None),
    ]
    assert _count(con, "attempts") == 3
    assert write.states(con, [CELL.cell_id, OTHER.cell_id, "no"]) == {
        CELL.cell_id: "done",
        OTHER.cell_id: "pending",
    }
    assert [cell for cell, _, _ in write.pending(con, "rone")] == [OTHER]


def test_two_runs_share_their_cells(con: Any) -> None:
    _plan(con, "rone", CELL)
    write.commit_batch(con, [finished(CELL, kl(1.0))], [], WHO)
    _plan(con, "rtwo", CELL, OTHER)
    assert [cell for cell, _, _ in write.pending(con, "rtwo")] == [OTHER]
    runs = {r["run_id"]: (r["total"], r["done"], r["pending"])
            for r in queries.run(con, "runs").dicts()}  # fmt: skip
    assert runs == {"rone": (1, 1, 0), "rtwo": (2, 1, 1)}


def test_failure_retry_success(con: Any) -> None:
    _plan(con, "rone", CELL, OTHER)
    bad = FailedCell(CELL, "ValueError", "bad number", "Traceback ...", ((5, 2.0), (9, 1.5)))
    write.commit_batch(con, [finished(OTHER, kl(1.0))], [bad], WHO)
    curve = {"cell": CELL.cell_id, "name": "loss"}
    assert [row[2:] for row in queries.run(con, "curves", curve).rows] == [(5, 2.0), (9, 1.5)]
    failure = next(queries.run(con, "failures", {"run": "ro"}).dicts())
    assert (failure["kind"], failure["message"], failure["attempts"]) == (
        "ValueError", "bad number", 1,
    )  # fmt: skip
    assert write.pending(con, "rone") == []
    assert write.reset_failed(con, "rtwo") == 0
    assert write.reset_failed(con, "rone") == 1
    assert [cell for cell, _, _ in write.pending(con, "rone")] == [CELL]
    result = finished(CELL, kl(3.0), curves={"loss": [(5, 1.0)]})
    assert write.commit_batch(con, [result], [], WHO) == [CELL.cell_id]
    assert [row[2:] for row in queries.run(con, "curves", curve).rows] == [(5, 1.0)]
    row = next(queries.run(con, "cell", {"cell": CELL.cell_id}).dicts())
    assert (row["status"], row["attempts"], row["error_kind"]) == ("done", 2, None)
    assert queries.run(con, "failures").rows == []


def test_a_file_that_was_moved_is_sought_where_the_newest_run_found_it(con: Any) -> None:
    def lies(place: str, seed: int) -> Cell:
        problem = "real/table-own-y-0123456789abcdef/n32"
        return Cell("real", problem, "mlp", seed=seed, resources={"table": place, "recipe": "{}"})

    lost, scored = lies("/old/own.csv", 0), lies("/old/own.csv", 1)
    _plan(con, "rone", lost, scored)
    bad = FailedCell(lost, "UsageError", "/old/own.csv: No such file or directory.", "")
    write.commit_batch(con, [finished(scored, kl(1.0))], [bad], WHO)
    _plan(con, "rtwo", lies("/new/own.csv", 0), lies("/new/own.csv", 1))
    assert write.reset_failed(con, "rone") == 1
    for run in ("rone", "rtwo"):
        ((cell, _, _),) = write.pending(con, run)
        assert cell.cell_id == lost.cell_id and cell.resources["table"] == "/new/own.csv"
    row = next(queries.run(con, "cell", {"cell": lost.cell_id}).dicts())
    assert (row["status"], row["attempts"]) == ("pending", 1)  # all else is as it was


def test_a_number_that_is_not_finite_keeps_a_reason(con: Any) -> None:
    rows = [
        MetricRow("kl", float("inf"), 1.0, 1),
        MetricRow("kl", None, None, 10, reason="diverged at step 3"),
        MetricRow("nll", 0.5, float("nan")),
    ]
    write.commit_batch(con, [finished(CELL, rows)], [], WHO)  # and is recorded without a run
    stored = queries.run(con, "results", {"cell": CELL.cell_id}).rows
    assert [(r[0], r[4], r[5], r[7]) for r in stored] == [
        ("kl", None, 1.0, "the value was inf"),
        ("kl", None, None, "diverged at step 3"),
        ("nll", 0.5, None, ""),
    ]


def test_a_bad_row_leaves_nothing_behind(con: Any) -> None:
    _plan(con, "rone", CELL, OTHER)
    twice = [MetricRow("kl", 1.0), MetricRow("kl", 2.0)]  # one key, two values
    with pytest.raises(StoreError):
        write.commit_batch(con, [finished(OTHER, kl(1.0)), finished(CELL, twice)], [], WHO)
    assert [_count(con, t) for t in ("results", "attempts")] == [0, 0]
    assert len(write.pending(con, "rone")) == 2
    assert write.commit_batch(con, [finished(OTHER, kl(1.0))], [], WHO) == [OTHER.cell_id]


def test_states_and_widths(con: Any) -> None:
    _plan(con, "rone", CELL)
    write.set_run_state(con, "rone", "paused", "no worker starts")
    run = next(queries.run(con, "run", {"run": "rone"}).dicts())
    assert (run["state"], run["reason"]) == ("paused", "no worker starts")
    with pytest.raises(StoreError, match="unknown run state"):
        write.set_run_state(con, "rone", "asleep")  # type: ignore[arg-type]
    assert run["priority"] == 0
    for priority in (5, -2):
        write.set_priority(con, "rone", priority)
        assert next(queries.run(con, "runs").dicts())["priority"] == priority
    for width in (16, 8):
        write.remember_width(con, "key", "cpu", width)
    assert write.widths(con, "cpu") == {"key": 8} and write.widths(con, "gpu") == {}


_FULL = """
import resource, signal, sys
from pathlib import Path
from augury.engine.errors import StoreError
from augury.engine.plan import PlannedCell
from augury.engine.store import connection, write
from augury.engine.store.records import RunRecord
from augury.engine.types import Cell
from tests.engine.store.conftest import WHO, finished, kl
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
con = connection.open_store(Path(sys.argv[1]))
cells = [Cell("testbed", f"testbed/d2-l10-t0.1/e{e}", "mlp") for e in range(400)]
write.add_run(con, RunRecord("rone", "x", {}), [PlannedCell(c, "testbed", "full") for c in cells])
write.commit_batch(con, [finished(cells[0], kl(1.0))], [], WHO)
con.execute("CHECKPOINT")
size = (Path(sys.argv[1]) / connection.FILE_NAME).stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
curves = {"loss": [(s, 1.0 / (1 + s)) for s in range(200)]}
try:
    write.commit_batch(con, [finished(c, kl(2.0), curves=curves) for c in cells[1:]], [], WHO)
except StoreError as error:
    print(error.message)
sys.stdout.flush()
import os
os._exit(0)
"""


def test_a_full_disk_is_an_error_and_nothing_is_half_written(tmp_path: Path) -> None:
    store = tmp_path / "store"
    root = Path(__file__).parents[3]
    path = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", _FULL, str(store)],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert done.stdout.count("\n") == 1 and "the disk is full" in done.stdout, done.stdout
    from augury.engine.store import connection

    con = connection.open_store(store)
    assert (_count(con, "results"), _count(con, "curves"), _count(con, "attempts")) == (3, 0, 1)
    assert len(write.pending(con, "rone")) == 399
    con.close()
