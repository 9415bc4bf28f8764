"""A real run survives whatever is killed: it loses nothing, and doubles nothing.

AUGURY_KILLS sets another number of kills than 20, AUGURY_KILL_SEED other moments.
"""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from augury.engine.plan import Selection, batch_key, expand
from augury.engine.service import liveness, lock
from augury.engine.service.client import Client, ensure
from augury.engine.service.reader import Reader
from augury.engine.store import write
from augury.engine.store.connection import open_store

KILLS = int(os.environ.get("AUGURY_KILLS", "20"))
SEED = int(os.environ.get("AUGURY_KILL_SEED", "0"))
WIDTH = 8  # known beforehand, for to measure it takes longer than the run
SELECTION = Selection(
    ("testbed-2d",),
    ("mlp",),
    tuple(range(40 * KILLS // 2)),
    "smoke",
    (
        "mlp.hidden=[8]",
        "mlp.num_steps=5000",
        "testbed.max_steps=5000",
        "testbed.num_test_batches=20",
    ),
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("AUGURY_CPU", "1")
    monkeypatch.setenv("AUGURY_WORKERS", "2")
    monkeypatch.setenv("AUGURY_BATCH_SECONDS", "0.3")
    path = tmp_path / "store"
    yield path
    liveness.kill(path, signal.SIGKILL)
    _until(lambda: not lock.held(path))


@pytest.mark.timeout(600)
def test_kills_at_random_moments_lose_and_double_nothing(store: Path) -> None:
    chance = random.Random(SEED)
    cells = [planned.cell for planned in expand(SELECTION)]
    con = open_store(store)
    write.remember_width(con, batch_key(cells[0]), "cpu", WIDTH)
    con.close()
    with ensure(store) as engine:
        told = engine.call("submit", selection=SELECTION.to_json(), command="augury run kills")
    assert told["new"] == len(cells)
    acknowledged: set[str] = set()
    for number in range(KILLS):
        with ensure(store) as engine:
            before = acknowledged
            acknowledged = _until(lambda e=engine, b=before: len(d := _done(e)) > len(b) and d)
            assert before < acknowledged  # what was committed stays
            workers = engine.call("status")["engine"]["workers"]
            pids = [worker["pid"] for worker in workers if worker["pid"]]
            victims = [engine.hello["pid"]] if number % 2 else pids
            time.sleep(chance.uniform(0.0, 0.4))
            os.kill(chance.choice(victims), signal.SIGKILL)
            acknowledged = acknowledged | (set() if number % 2 else _done(engine))
        if number % 2:
            _until(lambda p=pids: not any(liveness.start_time(pid) for pid in p))
            _until(lambda: not lock.held(store))
    with ensure(store) as engine:
        engine.call("resume", run=None)
        run = _until(lambda: (r := engine.call("status")["runs"][0])["state"] == "finished" and r)
    assert (run["done"], run["failed"], run["pending"]) == (len(cells), 0, 0)
    _check_store(store, {cell.cell_id for cell in cells})


def _check_store(store: Path, planned: set[str]) -> None:
    reader = Reader(store)

    def rows(sql: str) -> list[tuple[Any, ...]]:
        return reader.query("sql", sql=sql).rows

    assert {row[0] for row in rows("SELECT cell_id FROM cells WHERE status = 'done'")} == planned
    per_cell = rows(
        "SELECT count(*), count(DISTINCT (metric, tau, kappa, split)) FROM results GROUP BY cell_id"
    )
    assert len(per_cell) == len(planned)
    assert len(set(per_cell)) == 1 and per_cell[0][0] == per_cell[0][1] > 0
    done = rows("SELECT count(*), count(DISTINCT cell_id) FROM attempts WHERE outcome = 'done'")
    assert done == [(len(planned), len(planned))]


def _done(engine: Client) -> set[str]:
    sql = "SELECT cell_id FROM cells WHERE status = 'done'"
    return {row[0] for row in engine.call("query", name="sql", params={"sql": sql})["rows"]}


def _until(condition: Any, seconds: float = 120.0) -> Any:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        value = condition()
        if value:
            return value
        time.sleep(0.02)
    raise AssertionError(f"nothing within {seconds:g} s")
