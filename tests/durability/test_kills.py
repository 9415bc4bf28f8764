"""A real run survives whatever is killed: it loses nothing, and doubles nothing.

AUGURY_KILLS sets another number of kills than 10, AUGURY_KILL_SEED other moments.
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

from augury.engine.batching import batch_key
from augury.engine.plan import Selection, expand
from augury.engine.service import liveness, lock
from augury.engine.service.client import Client, ensure
from augury.engine.service.reader import Reader
from augury.engine.store import write
from augury.engine.store.connection import open_store
from tests.engines import end, until

KILLS = int(os.environ.get("AUGURY_KILLS", "10"))
SEED = int(os.environ.get("AUGURY_KILL_SEED", "0"))
WIDTH = 8  # known beforehand, for to measure it takes longer than the run
PORTION = 40  # seeds of one run; another is submitted before the work runs out
KINDS = (
    "mlp.hidden=[8]",
    "mlp.num_steps=2000",
    "testbed.max_steps=2000",
    "testbed.num_test_batches=20",
)


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("AUGURY_CPU", "1")
    monkeypatch.setenv("AUGURY_WORKERS", "2")
    monkeypatch.setenv("AUGURY_BATCH_SECONDS", "0.3")
    path = tmp_path / "store"
    yield path
    end(path)


@pytest.mark.timeout(900)
def test_kills_at_random_moments_lose_and_double_nothing(store: Path) -> None:
    chance = random.Random(SEED)
    planned = {p.cell.cell_id: p.cell for p in expand(_selection(0))}
    con = open_store(store)
    write.remember_width(con, batch_key(next(iter(planned.values()))), "cpu", WIDTH)
    con.close()
    acknowledged: set[str] = set()
    portions = 0
    for number in range(KILLS):
        with ensure(store) as engine:
            if len(planned) * portions - len(acknowledged) < PORTION:
                _submit(engine, portions)
                portions += 1
            before = acknowledged
            acknowledged = until(lambda e=engine, b=before: len(d := _done(e)) > len(b) and d)
            assert before < acknowledged  # what was committed stays
            workers = engine.call("status")["engine"]["workers"]
            pids = [worker["pid"] for worker in workers if worker["pid"]]
            victims = [engine.hello["pid"]] if number % 2 else pids
            time.sleep(chance.uniform(0.0, 0.4))
            os.kill(chance.choice(victims), signal.SIGKILL)
        if number % 2:
            until(lambda p=pids: not any(liveness.start_time(pid) for pid in p))
            until(lambda: not lock.held(store))
    cells = {p.cell.cell_id for n in range(portions) for p in expand(_selection(n))}
    with ensure(store) as engine:
        engine.call("resume", run=None)
        runs = until(lambda: _finished(engine))
    assert [(r["failed"], r["pending"]) for r in runs] == [(0, 0)] * portions
    assert sum(r["done"] for r in runs) == len(cells)
    _check_store(store, cells)


def _selection(portion: int) -> Selection:
    seeds = range(portion * PORTION, (portion + 1) * PORTION)
    return Selection(("testbed-2d",), ("mlp",), tuple(seeds), "smoke", KINDS)


def _submit(engine: Client, portion: int) -> None:
    selection = _selection(portion).to_json()
    told = engine.call("submit", selection=selection, command=f"augury run portion {portion}")
    assert told["new"] == told["total"] == 2 * PORTION


def _finished(engine: Client) -> list[dict[str, Any]]:
    runs = engine.call("status")["runs"]
    return runs if all(run["state"] == "finished" for run in runs) else []


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
