"""What goes wrong in a cell, a worker or on the disk stays there."""

from __future__ import annotations

import os
import resource
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from augury.engine.errors import StoreError
from augury.engine.service import lock, log
from augury.engine.service.client import Client, ensure
from augury.engine.service.reader import Reader
from augury.engine.store.connection import open_store

RAISES, KILLS, WAITS, SILENT, TWICE, PRINTS, WIDE = 1001, 1002, 1003, 1004, 1005, 1006, 2000
SAVES_AND_DIES, SAVES_AND_WAITS, INTERRUPTS, EXITS, HANGS = 1007, 1008, 1009, 1010, 1011
Calls = Callable[..., Any]
Until = Callable[..., Any]


@pytest.mark.parametrize(
    ("seed", "kind"),
    [
        (RAISES, "ValueError"),
        (INTERRUPTS, "KeyboardInterrupt"),
        (EXITS, "SystemExit"),
        (KILLS, "WorkerLost"),
        (SILENT, "MissingResult"),
        (TWICE, "ConstraintException"),
    ],
)
def test_a_poison_cell_fails_alone(
    engine: Client, store: Path, submit: Calls, finished: Calls, seed: int, kind: str
) -> None:
    run_id = submit(engine, *range(6), seed)["run_id"]
    run = finished(engine, run_id)
    assert (run["done"], run["failed"], run["pending"]) == (12, 2, 0)
    failures = list(Reader(store).query("failures", run=run_id).dicts())
    assert {f["kind"] for f in failures} == {kind}
    assert {f["seed"] for f in failures} == {seed}


def test_what_a_cell_told_before_it_failed_is_kept_and_the_log_is_found_by_it(
    engine: Client, store: Path, submit: Calls, run_of: Calls, until: Until
) -> None:
    run_id = submit(engine, 0, RAISES)["run_id"]
    until(lambda: run_of(engine, run_id)["state"] == "finished", "end")
    read = Reader(store)
    failed = next(read.query("failures", run=run_id).dicts())["cell_id"]
    points = [(r["name"], r["step"], r["value"]) for r in read.query("curves", cell=failed).dicts()]
    assert points == [("loss", 1, 1.0), ("loss", 2, 0.5), ("loss", 3, 1.0 / 3)]
    lines = list(log.about_cell(log.log_path(store).read_text().splitlines(), failed))
    assert len(lines) >= 4 and "begins on" in lines[0] and failed[:12] in lines[0]
    assert any("raised ValueError: a poisoned cell" in line for line in lines)


def test_retry_makes_failed_cells_pending_again(
    engine: Client, submit: Calls, finished: Calls
) -> None:
    run_id = submit(engine, 0, RAISES)["run_id"]
    finished(engine, run_id)
    answer = engine.call("retry", run=run_id[:4])
    assert answer == {"cells": 2, "runs": [run_id]}
    run = finished(engine, run_id)
    assert (run["done"], run["failed"]) == (2, 2)


def test_out_of_memory_halves_the_width_for_good(
    engine: Client, store: Path, submit: Calls, finished: Calls
) -> None:
    run_id = submit(engine, *range(WIDE, WIDE + 8))["run_id"]
    run = finished(engine, run_id)
    assert (run["done"], run["failed"]) == (16, 0)
    widths = Reader(store).query("sql", sql="SELECT DISTINCT width FROM widths").rows
    assert widths == [(2,)] or widths == [(1,)]


def test_what_a_library_prints_is_no_answer(
    engine: Client, store: Path, submit: Calls, finished: Calls
) -> None:
    run_id = submit(engine, PRINTS)["run_id"]
    run = finished(engine, run_id)
    assert run["done"] == 2
    assert any("done" in log.read_text() for log in (store / "logs").glob("worker-*.log"))


def test_a_killed_worker_costs_no_cell(
    engine: Client, submit: Calls, run_of: Calls, until: Until, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_id = submit(engine, WAITS)["run_id"]
    worker = until(lambda: _busy(engine), "busy worker")
    until(lambda: run_of(engine, run_id)["running"] == 2, "two running cells")
    os.kill(worker["pid"], signal.SIGKILL)
    again = until(lambda: (w := _busy(engine)) and w["pid"] != worker["pid"] and w, "new worker")
    assert again["state"] == "busy"
    assert run_of(engine, run_id)["failed"] == 0


def test_a_long_cell_goes_on_from_its_checkpoint(
    engine: Client, store: Path, submit: Calls, finished: Calls, until: Until
) -> None:
    run_id = submit(engine, SAVES_AND_DIES)["run_id"]
    run = finished(engine, run_id)
    assert (run["done"], run["failed"]) == (2, 0)
    until(lambda: not list((store / "checkpoints").iterdir()), "clean checkpoints")


def test_the_next_engine_goes_on_from_a_checkpoint(
    engine: Client, store: Path, submit: Calls, finished: Calls, until: Until
) -> None:
    run_id = submit(engine, *range(5), SAVES_AND_WAITS)["run_id"]
    carries = until(lambda: len(c := [*store.glob("checkpoints/*/carry")]) == 2 and c, "both")
    os.kill(engine.hello["pid"], signal.SIGKILL)
    (store / "checkpoints" / "left").mkdir()  # of a batch that came to nothing
    until(lambda: not lock.held(store), "end of the engine")
    assert all(carry.exists() for carry in carries)
    with ensure(store) as engine:
        run = finished(engine, run_id)
        assert (run["done"], run["failed"]) == (12, 0)
    until(lambda: not list((store / "checkpoints").iterdir()), "clean checkpoints")


def test_a_run_of_another_catalog_is_paused_and_the_engine_lives(
    engine: Client, store: Path, submit: Calls, finished: Calls, run_of: Calls, until: Until
) -> None:
    waiting = submit(engine, WAITS)["run_id"]
    os.kill(engine.hello["pid"], signal.SIGKILL)
    until(lambda: not lock.held(store), "end of the engine")
    con = open_store(store)
    con.execute("UPDATE cells SET spec = replace(CAST(spec AS VARCHAR), 'uniform', 'gone')")
    con.close()
    with ensure(store) as engine:
        run = run_of(engine, waiting)
        assert run["state"] == "paused" and "'gone'" in run["reason"]
        other = submit(engine, 5)["run_id"]
        finished(engine, other)


def test_cancel_ends_what_nobody_else_wants(
    engine: Client, submit: Calls, finished: Calls, run_of: Calls, until: Until
) -> None:
    first = submit(engine, 0, WAITS)["run_id"]
    until(lambda: _busy(engine), "busy worker")
    pids = [w["pid"] for w in engine.call("status")["engine"]["workers"]]
    engine.call("cancel", run=first)
    until(lambda: not engine.call("status")["engine"]["workers"][0]["batch"], "idle worker")
    assert run_of(engine, first)["state"] == "cancelled"
    second = submit(engine, 1)["run_id"]
    finished(engine, second)
    # A batch that stops when it is asked does not cost its worker.
    assert [w["pid"] for w in engine.call("status")["engine"]["workers"]] == pids
    assert engine.call("resume", run=first)["runs"] == [first]
    until(lambda: run_of(engine, first)["running"] > 0, "running cells")
    engine.call("cancel", run=first)


def test_two_runs_share_a_cell(
    engine: Client, submit: Calls, finished: Calls, run_of: Calls
) -> None:
    first = submit(engine, *range(8))["run_id"]
    second = submit(engine, *range(4, 12))["run_id"]
    for run_id in (first, second):
        run = finished(engine, run_id)
        assert (run["done"], run["total"]) == (16, 16)
    done = engine.call(
        "query",
        name="sql",
        params={"sql": "SELECT count(*), count(DISTINCT cell_id) FROM attempts"},
    )
    assert done["rows"] == [[24, 24]]
    third = submit(engine, *range(12))
    assert (third["new"], third["stored"], third["batches"]) == (0, 24, 0)
    assert run_of(engine, third["run_id"])["state"] == "finished"


def test_workers_that_never_say_hello_cost_nothing(
    store: Path,
    toy: None,
    submit: Calls,
    finished: Calls,
    run_of: Calls,
    until: Until,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TOY_JAX", "broken")
    with ensure(store) as engine:
        run_id = submit(engine, 0, 1)["run_id"]
        run = until(lambda: (r := run_of(engine, run_id))["state"] == "paused" and r, "pause")
        assert (run["done"], run["failed"], run["pending"]) == (0, 0, 4)
        assert "workers do not start" in run["reason"]
        assert "libtoy.so" in run["reason"]
        with engine.subscribe() as events:
            engine.call("drain")
            assert {"draining", "stopping"} <= {e.get("state") for e in events}
    monkeypatch.delenv("TOY_JAX")
    until(lambda: Reader(store).status()["engine"] is None, "end of the engine")
    with ensure(store) as engine:
        assert run_of(engine, run_id)["state"] == "paused"
        assert engine.call("resume", run=None)["cells"] == 4
        run = finished(engine, run_id)
        assert (run["done"], run["failed"]) == (4, 0)


def test_a_full_disk_pauses_and_loses_nothing(
    engine: Client, store: Path, submit: Calls, finished: Calls, run_of: Calls, until: Until
) -> None:
    pid = engine.hello["pid"]
    run_id = submit(engine, 0, WAITS)["run_id"]
    until(lambda: _busy(engine), "busy worker")
    engine.call("cancel", run=run_id)
    limit = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    slow = submit(engine, *range(10, 40))["run_id"]
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, limit[1]))
    run = until(lambda: (r := run_of(engine, slow))["state"] == "paused" and r, "pause")
    assert run["reason"].count("written") == 1 and "resume" not in run["reason"]
    with pytest.raises(StoreError, match="disk is full"):
        engine.call("resume", run=None)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, limit)
    assert engine.call("resume", run=None)["runs"] == [slow]
    run = finished(engine, slow)
    assert (run["done"], run["failed"]) == (60, 0)


def test_a_submission_to_a_full_disk_is_to_be_made_again(
    engine: Client, store: Path, submit: Calls, finished: Calls
) -> None:
    pid = engine.hello["pid"]
    limit = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, limit[1]))
    for _ in range(2):
        with pytest.raises(StoreError, match="then run it again") as caught:
            submit(engine, *range(40))
        assert "resume" not in caught.value.message
    assert engine.call("status")["runs"] == []
    resource.prlimit(pid, resource.RLIMIT_FSIZE, limit)
    run = finished(engine, submit(engine, *range(40))["run_id"])
    assert (run["done"], run["failed"]) == (80, 0)


def test_an_export_to_a_full_disk_fails_in_one_line_and_leaves_nothing(
    engine: Client, store: Path, submit: Calls, finished: Calls, tmp_path: Path
) -> None:
    run_id = submit(engine, *range(40))["run_id"]
    finished(engine, run_id)
    mine = tmp_path / "mine.csv"
    mine.write_text("older")
    pid = engine.hello["pid"]
    limit = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1024, limit[1]))
    with pytest.raises(StoreError, match="the disk is full") as caught:
        Reader(store).export("cells", {}, "csv", mine)
    assert "resume" not in caught.value.message
    assert mine.read_text() == "older" and not list((store / "exports").iterdir())
    resource.prlimit(pid, resource.RLIMIT_FSIZE, limit)
    assert Reader(store).export("cells", {}, "csv", mine).read_text().count("\n") == 81
    assert engine.call("status")["engine"]["pid"] == pid


def test_a_full_disk_at_the_place_of_an_export_is_named(engine: Client, store: Path) -> None:
    with pytest.raises(StoreError, match="cannot write /dev/full: No space left on device"):
        Reader(store).export("runs", {}, "csv", Path("/dev/full"))


def _busy(engine: Client) -> dict[str, Any] | None:
    workers = engine.call("status")["engine"]["workers"]
    return next((w for w in workers if w["state"] == "busy"), None)


def test_a_cell_that_hangs_fails_alone(
    store: Path,
    toy: None,
    submit: Calls,
    finished: Calls,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AUGURY_SILENCE_SECONDS", "1")
    with ensure(store) as engine:
        run_id = submit(engine, 0, HANGS)["run_id"]
        run = finished(engine, run_id)
        assert (run["done"], run["failed"]) == (2, 2)
        failures = list(Reader(store).query("failures", run=run_id).dicts())
    assert {f["seed"] for f in failures} == {HANGS}
    assert {f["message"] for f in failures} == {"the worker said nothing for 1 s and was killed"}
