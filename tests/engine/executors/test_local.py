from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from augury.engine.batching import batch_key
from augury.engine.executors.local import MAX_STARTS, LocalExecutor
from augury.engine.executors.places import Place
from augury.engine.executors.protocol import (
    Advanced,
    Assignment,
    BatchDone,
    BatchLost,
    BatchRaised,
    BatchReturned,
    BatchStopped,
    CellDone,
    Event,
    StartsFailed,
    WorkerChanged,
)
from augury.engine.hello import source_hash
from augury.engine.plan import Selection, expand

TOY = Path(__file__).parents[1] / "service" / "toy"
RAISES, KILLS, WAITS, HANGS = 1001, 1002, 1003, 1011
PLACES = (Place("cpu0"), Place("cpu1"))
Build = Callable[..., tuple[LocalExecutor, "_Ear"]]


class _Ear:
    """Hears an executor's events and waits for one of a kind."""

    def __init__(self) -> None:
        self.events: list[Event] = []

    def __call__(self, event: Event) -> None:
        self.events.append(event)

    async def hear(self, kind: type, seconds: float = 30.0) -> Event:
        for _ in range(int(seconds / 0.01)):
            for event in self.events:
                if isinstance(event, kind):
                    self.events.remove(event)
                    return event
            await asyncio.sleep(0.01)
        raise AssertionError(f"no {kind.__name__}, but {self.events}")


@pytest.fixture
async def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Build]:
    path = os.pathsep.join(filter(None, (str(TOY), os.environ.get("PYTHONPATH"))))
    monkeypatch.setenv("PYTHONPATH", path)
    made: list[LocalExecutor] = []

    def start(sources: str = source_hash(), **options: float) -> tuple[LocalExecutor, _Ear]:
        executor, ear = LocalExecutor(tmp_path / "logs", sources, PLACES, **options), _Ear()
        executor.start(ear)
        made.append(executor)
        return executor, ear

    yield start
    for executor in made:
        await executor.close()


def _batch(name: str, *seeds: int) -> Assignment:
    found = expand(Selection(("testbed-quick",), ("uniform",), seeds, "smoke"))
    cells = tuple(p.cell for p in found if "/d2-" in p.cell.problem)
    return Assignment(name, batch_key(cells[0]), cells)


async def test_workers_start_with_work_compute_and_leave(build: Build) -> None:
    executor, ear = build(idle_seconds=0.3)
    assert [w.state for w in executor.workers()] == ["stopped", "stopped"]
    batch = _batch("b1", 0, 1)
    executor.submit(batch, "cpu0")
    assert [slot.name for slot in executor.free()] == ["cpu1"]
    done = [await ear.hear(CellDone) for _ in range(2)]
    assert [e.finished.cell_id for e in done] == [c.cell_id for c in batch.cells]  # type: ignore[union-attr]
    assert await ear.hear(Advanced)
    assert await ear.hear(BatchDone) == BatchDone("b1")
    first = executor.free()[0]
    assert (first.name, first.device, first.keys) == ("cpu0", "toy", frozenset([batch.key]))
    assert executor.provenance("cpu0") == {"device": "toy", "jax_version": "0.toy"}
    for _ in range(300):
        if executor.workers()[0].state == "stopped":
            break
        await asyncio.sleep(0.02)
    assert executor.workers()[0].pid is None
    assert executor.provenance("cpu0")["device"] == "toy"
    executor.submit(_batch("b2", 2), "cpu0")
    assert await ear.hear(BatchDone) == BatchDone("b2")


async def test_a_batch_that_raises_leaves_its_worker(build: Build) -> None:
    executor, ear = build()
    executor.submit(_batch("b1", 0, RAISES), "cpu0")
    raised = await ear.hear(BatchRaised)
    assert isinstance(raised, BatchRaised)
    assert (raised.batch_id, raised.kind, raised.message) == ("b1", "ValueError", "a poisoned cell")
    assert "toy_scenario.py" in raised.traceback and not raised.out_of_memory
    pid = executor.workers()[0].pid
    executor.submit(_batch("b2", 0), "cpu0")
    await ear.hear(BatchDone)
    assert executor.workers()[0].pid == pid


async def test_a_dead_worker_is_told_apart_from_a_failure(build: Build) -> None:
    executor, ear = build()
    executor.submit(_batch("b1", KILLS), "cpu0")
    lost = await ear.hear(BatchLost)
    assert lost == BatchLost("b1", "the worker was killed by SIGKILL")
    executor.submit(_batch("b2", 0), "cpu0")
    await ear.hear(BatchDone)


async def test_a_cancelled_batch_stops_and_its_worker_stays(build: Build) -> None:
    executor, ear = build()
    executor.submit(_batch("b1", WAITS), "cpu0")
    await ear.hear(Advanced)
    pid = executor.workers()[0].pid
    executor.cancel(["b1", "b7"])
    assert await ear.hear(BatchStopped) == BatchStopped("b1")
    executor.submit(_batch("b2", 0), "cpu0")
    await ear.hear(BatchDone)
    assert executor.workers()[0].pid == pid


async def test_a_batch_is_cancelled_before_its_worker_is_up(build: Build) -> None:
    executor, ear = build()
    executor.submit(_batch("b1", WAITS), "cpu0")
    executor.cancel(["b1"])
    assert await ear.hear(BatchStopped) == BatchStopped("b1")
    executor.submit(_batch("b2", 0), "cpu0")
    assert await ear.hear(BatchDone) == BatchDone("b2")


async def test_a_worker_that_does_not_stop_is_killed(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_SECONDS", "60")
    executor, ear = build(stop_seconds=0.2)
    executor.submit(_batch("b1", 0), "cpu0")
    while executor.workers()[0].state != "busy":
        await ear.hear(WorkerChanged)
    executor.cancel(["b1"])
    assert await ear.hear(BatchStopped) == BatchStopped("b1")


@pytest.mark.parametrize("how", ["broken", "silent"])
async def test_five_failed_starts_in_a_row_are_enough(
    build: Build, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setenv("TOY_JAX", how)
    seconds = 30.0 if how == "broken" else 0.2
    executor, ear = build(hello_seconds=seconds, backoff_seconds=0.001)
    for number in range(MAX_STARTS):
        while not executor.free():
            await ear.hear(WorkerChanged)
        executor.submit(_batch(f"b{number}", 0), executor.free()[0].name)
        assert await ear.hear(BatchReturned) == BatchReturned(f"b{number}")
    failed = await ear.hear(StartsFailed)
    assert isinstance(failed, StartsFailed)
    assert ("ImportError" in failed.reason) == (how == "broken")
    assert executor.free() == ()
    executor.retry_starts()
    assert len(executor.free()) == 2
    monkeypatch.delenv("TOY_JAX")
    if how == "broken":
        executor.submit(_batch("b9", 0), "cpu0")
        await ear.hear(BatchDone)


async def test_a_worker_of_other_sources_is_refused(build: Build) -> None:
    executor, ear = build("another")
    executor.submit(_batch("b1", 0), "cpu0")
    failed = await ear.hear(StartsFailed)
    assert isinstance(failed, StartsFailed) and "augury engine restart" in failed.reason
    assert await ear.hear(BatchReturned) == BatchReturned("b1")


async def test_a_worker_that_falls_silent_is_killed(build: Build) -> None:
    executor, ear = build(silence_seconds=0.5)
    executor.submit(_batch("b1", HANGS), "cpu0")
    lost = await ear.hear(BatchLost)
    assert isinstance(lost, BatchLost)
    assert lost.reason == "the worker said nothing for 0.5 s and was killed"


async def test_a_batch_that_tells_of_progress_may_take_long(build: Build) -> None:
    executor, ear = build(silence_seconds=1.0)
    executor.submit(_batch("b1", WAITS), "cpu0")
    await ear.hear(Advanced)
    since = asyncio.get_running_loop().time()
    while asyncio.get_running_loop().time() < since + 2.5:
        await ear.hear(Advanced)
    assert executor.workers()[0].state == "busy"
    executor.cancel(["b1"])
    await ear.hear(BatchStopped)
