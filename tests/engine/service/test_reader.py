from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from augury.engine.errors import StoreError, UsageError
from augury.engine.plan import Selection
from augury.engine.service import lock
from augury.engine.service.client import Client, ensure
from augury.engine.service.reader import Reader

Calls = Callable[..., Any]
SELECTION = Selection(("testbed-quick",), ("uniform",), (0, 1, 2), "smoke")


def _counts(reader: Reader) -> dict[str, Any]:
    told = reader.preview(SELECTION)
    return {name: told[name] for name in ("total", "stored", "new", "batches")}


def test_a_store_that_does_not_exist_reads_as_empty(tmp_path: Path) -> None:
    reader = Reader(tmp_path / "none")
    assert reader.query("runs").rows == []
    assert reader.status() == {"engine": None, "runs": []}
    assert _counts(reader) == {"total": 6, "stored": 0, "new": 6, "batches": 2}


def test_both_ways_give_the_same(
    engine: Client, store: Path, submit: Calls, finished: Calls, until: Calls, tmp_path: Path
) -> None:
    run_id = submit(engine, 0, 1)["run_id"]
    finished(engine, run_id)
    reader = Reader(store)

    def ask(name: str) -> tuple[Any, ...]:
        file = reader.export("cells", {"run": run_id}, "csv", tmp_path / f"{name}.csv")
        status = reader.status()
        return (
            reader.query("cells", run=run_id),
            reader.query("runs"),
            reader.query("board", scenario="testbed"),
            _counts(reader),
            {k: v for k, v in status["runs"][0].items() if k != "seconds_left"},
            file.read_bytes(),
        )

    alive = ask("alive")
    assert alive[3] == {"total": 6, "stored": 4, "new": 2, "batches": 2}
    os.kill(engine.hello["pid"], signal.SIGKILL)
    until(lambda: not lock.held(store), "end of the engine")
    assert ask("dead") == alive
    assert not list((store / "exports").iterdir())


def test_questions_that_cannot_be_meant(engine: Client, store: Path, tmp_path: Path) -> None:
    reader = Reader(store)
    with pytest.raises(UsageError, match="unknown query"):
        reader.query("fortune")
    with pytest.raises(UsageError):
        reader.query("sql", sql="DELETE FROM runs")
    with pytest.raises(UsageError, match="format"):
        reader.export("cells", {}, "exe", tmp_path / "x")
    with pytest.raises(StoreError, match="cannot write"):
        reader.export("cells", {}, "csv", tmp_path / "no" / "such" / "place.csv")
    assert not list((store / "exports").iterdir())


def test_an_export_replaces_a_file_whole_and_may_be_read_by_others(
    engine: Client, store: Path, tmp_path: Path
) -> None:
    target = tmp_path / "out.csv"
    target.write_text("old")
    mask = os.umask(0o022)
    try:
        Reader(store).export("runs", {}, "csv", target)
    finally:
        os.umask(mask)
    assert target.read_text().startswith("run_id,")
    assert target.stat().st_mode & 0o777 == 0o644
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".augury")] == []


def test_it_reads_while_an_engine_comes_up(store: Path, toy: None, until: Calls) -> None:
    with ensure(store):
        pass
    reader = Reader(store)
    for _ in range(3):
        with ensure(store) as engine:
            os.kill(engine.hello["pid"], signal.SIGKILL)
        assert reader.query("runs").rows == []
