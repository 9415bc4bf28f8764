"""The engine: feeds an executor from the runs' queues, records outcomes, tells subscribers."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.engine.errors import AuguryError
from augury.engine.executors import protocol as says
from augury.engine.hello import hello
from augury.engine.plain_text import visible
from augury.engine.service import checkpoints, data_place
from augury.engine.service.devices import Devices
from augury.engine.service.environment import positive
from augury.engine.service.flights import Failure, Outcome
from augury.engine.service.ledger import STORED, Ledger, RunState, Unit, units
from augury.engine.service.outcomes import Outcomes
from augury.engine.service.recorder import Recorder
from augury.engine.service.scheduler import TARGET_SECONDS, Scheduler
from augury.engine.service.subscribers import Hub
from augury.engine.service.teller import Teller
from augury.engine.service.timing import Timing
from augury.engine.store import planning, queries, write
from augury.engine.store.connection import SCHEMA_VERSION
from augury.engine.types import Cell

if TYPE_CHECKING:
    from augury.engine.service.writer import Writer

LOG = logging.getLogger("augury.engine")
LAST_SECONDS = 5.0  # to record what killed workers had finished
_RECORDING = ("_record", "stop_run", "keep_width")


class Engine:
    """All that one engine process does; lives in one event loop."""

    def __init__(self, store: Path, writer: Writer, executor: says.Executor) -> None:
        """Nothing is loaded and nothing runs before `start`."""
        self.store, self.writer, self.executor = store, writer, executor
        self.hello = {**hello(), "schema": SCHEMA_VERSION, "data": data_place.own()}
        self.ledger, self.timing, self.hub = Ledger(), Timing(), Hub()
        target = positive("AUGURY_BATCH_SECONDS", TARGET_SECONDS)
        self.scheduler = Scheduler(self.ledger, self.timing, target)
        self.devices = Devices(self.hub, executor)
        self.teller = Teller(self.hub, self.scheduler, executor)
        self.recorder = Recorder(writer, self._store_trouble)
        self.outcomes = Outcomes(
            store, self.scheduler, self.recorder, self.hub, self.teller, self.hello["version"]
        )
        self.submitting = asyncio.Lock()  # the same submission may come twice
        self.draining = False
        self.ended = asyncio.Event()
        self.born = self.busy_at = time.monotonic()
        self._background: set[asyncio.Task[Any]] = set()
        self._answering = 0  # requests under way: an engine that is asked is not idle

    @contextmanager
    def answering(self) -> Iterator[None]:
        """While a request is answered."""
        self._answering += 1
        self.mark()
        try:
            yield
        finally:
            self._answering -= 1
            self.mark()

    async def start(self) -> None:
        """Take up what an earlier engine left, then feed."""
        self.executor.start(self.hear)
        self.scheduler.widths = await self.writer.read(planning.all_widths)
        self.timing.take_up(await self.writer.read(planning.observed_seconds))
        for run in await self.stored_runs():
            if run.state == "running":
                await self.take_up(run.run_id, feed=False)
        # Before anything is fed, for it would cut the same cells into other batches.
        kept = checkpoints.kept(self.store).items()
        wanted = [name for name, ids in kept if self.scheduler.restore(ids)]
        checkpoints.discard_others(self.store, wanted)
        self.pump()

    async def stored_runs(self, run_id: str | None = None) -> list[RunState]:
        """All runs (or one) as the store knows them, newest last."""
        asked = {"run": run_id}
        table = await self.writer.read(lambda cursor: queries.run(cursor, "runs", asked))
        rows = [{name: row[name] for name in STORED} for row in table.dicts()]
        return [RunState(**row) for row in reversed(rows)]

    async def take_up(self, run_id: str, feed: bool = True) -> RunState:
        """Feed a run the cells that the store has as pending; finish it if there are none."""
        async with self.outcomes.counting:
            (run,) = await self.stored_runs(run_id)
            found = await self.writer.read(lambda cursor: write.pending(cursor, run_id))
            run.state, run.reason, run.blocked = "running", "", False
            work, refused = await asyncio.to_thread(_plan, [cell for cell, _, _ in found])
            self.ledger.add_run(run, work)
            self.teller.forget()
        if refused:
            await self.stop_run(run, "paused", f"not of this version's catalog: {refused}")
        elif not run.open:
            await self._finish(run)
        self.mark(run_id)
        if feed:
            self.pump()
        return run

    def pump(self) -> None:
        """Give every free slot something to do."""
        if self.draining or self.recorder.blocked:
            return
        for slot in self.executor.free():
            flight = self.scheduler.next_batch(slot, self.executor.capacity())
            if flight is None:
                break
            flight.since = time.monotonic()
            folder = checkpoints.prepare(self.store, flight.cells)
            self.teller.begun(flight)
            self.executor.submit(says.at(flight.batch, folder), slot.name)
            for cell_id in flight.cells:
                self.mark(*self.ledger.runs_of(cell_id))

    def hear(self, event: says.Event) -> None:
        """What the executor reports."""
        match event:
            case says.Advanced(batch_id, progress):
                self.teller.progress(batch_id, progress)
                return
            case says.CellDone(batch_id, finished):
                if not self.scheduler.cell_done(batch_id, finished):
                    LOG.warning("batch %s told of an unknown cell %s", batch_id, finished.cell_id)
                return
            case says.WorkerChanged(worker):
                self.hub.publish("worker", worker=worker.to_json())
            case says.StartsFailed(reason, stale):
                LOG.error("workers do not start: %s", reason)
                self._pause_all(f"workers do not start: {reason}", for_good=not stale)
            case _:
                self._batch_over(event)
        # Later, so that no batch is handed out while the executor is still telling.
        asyncio.get_running_loop().call_soon(self.pump)

    def _batch_over(self, event: Any) -> None:
        flight = self.scheduler.flights.get(event.batch_id)
        if flight is None:
            return
        said = self.executor.provenance(flight.slot)
        match event:
            case says.BatchDone(batch_id):
                outcome = self.scheduler.ended(batch_id, str(said.get("device", "")))
            case says.BatchRaised(batch_id, kind, message, traceback, exhausted):
                why = Failure(visible(kind), visible(message), visible(traceback))
                LOG.warning("batch %s raised %s: %s", batch_id, why.kind, why.message)
                if exhausted:
                    device = str(said.get("device", ""))
                    outcome = self.scheduler.out_of_memory(batch_id, device, why)
                    self._spawn(self.outcomes.keep_width(flight.batch.key, device))
                else:
                    outcome = self.scheduler.raised(batch_id, why)
            case says.BatchLost(batch_id, reason):
                LOG.warning("batch %s lost its worker: %s", batch_id, reason)
                kept = checkpoints.exists(self.store, flight.cells)
                outcome = self.scheduler.lost(batch_id, reason, kept)
            case _:
                outcome = self.scheduler.put_back(event.batch_id)
        if outcome:
            self._spawn(self._record(outcome, said))

    async def _record(self, outcome: Outcome, said: says.Said) -> None:
        for run_id in await self.outcomes.keep(outcome, said):
            run = self.ledger.runs[run_id]
            if run.state == "running" and not run.open:
                await self._finish(run)
            self.mark(run_id)
        self.pump()

    async def _finish(self, run: RunState) -> None:
        run.state, run.reason, run.blocked = "finished", "", False
        run_id = run.run_id
        LOG.info("run %s finished: %d done, %d failed", run_id, run.done, run.failed)
        await self.recorder.change(lambda con: write.set_run_state(con, run_id, "finished"))

    async def stop_run(
        self, run: RunState, state: str, reason: str = "", told: bool = True
    ) -> None:
        """Pause or cancel, and tell the store; ends the batches that nobody else wants."""
        self.ledger.stop_run(run, state, reason)
        self.teller.forget()
        self.executor.cancel(self.scheduler.unwanted())
        self.mark(run.run_id)
        run_id = run.run_id
        if not told:
            return
        await self.recorder.change(
            lambda con: write.set_run_state(con, run_id, state, reason)  # type: ignore[arg-type]
        )

    def drain(self) -> None:
        """Feed no more; end when what is under way is recorded."""
        if not self.draining:
            self.draining = True
            self.hub.publish("engine", state="draining")
            self._spawn(self._end_when_quiet())

    async def _end_when_quiet(self) -> None:
        while self.scheduler.flights or self._recording():
            await asyncio.sleep(0.02)
        self.ended.set()

    def abandon(self) -> None:
        """End workers now; what they finished is still recorded, the rest stays pending."""
        self.drain()
        self.executor.kill()
        # If the disk is full even now, the next engine computes what could not be recorded.
        asyncio.get_running_loop().call_later(LAST_SECONDS, self.ended.set)
        for batch_id in list(self.scheduler.flights):
            said = self.executor.provenance(self.scheduler.flights[batch_id].slot)
            outcome = self.scheduler.put_back(batch_id)
            if outcome:
                self._spawn(self._record(outcome, said))

    def _recording(self) -> bool:
        return any(task.get_name() == "record" for task in self._background)

    @property
    def busy(self) -> bool:
        """Whether anything is left to do or to record."""
        return bool(self._answering or self.at_work)

    @property
    def at_work(self) -> bool:
        """Whether cells are computed or recorded, or wait for that."""
        return bool(
            self.scheduler.flights
            or self._recording()
            or any(r.state == "running" for r in self.ledger.runs.values())
        )

    def mark(self, *run_ids: str) -> None:
        """Something happened, to these runs if any are named."""
        self.busy_at = time.monotonic()
        self.teller.mark(run_ids)

    def _pause_all(self, reason: str, for_good: bool) -> None:
        """Until somebody says `resume`, or, where the store is not told, until the next engine."""
        for run in list(self.ledger.runs.values()):
            if run.state == "running":
                self._spawn(self.stop_run(run, "paused", reason, told=for_good))

    def _store_trouble(self, message: str) -> None:
        """The recorder cannot write, or can again (""): say it with every run concerned."""
        if message:
            LOG.error("%s", message)
        for run in self.ledger.runs.values():
            if message and run.state == "running":
                # What to do is said by whoever shows the run.
                run.blocked, run.reason = True, message.partition(". ")[0].rstrip(".")
                self.mark(run.run_id)
            elif not message and run.blocked:
                run.blocked, run.reason = False, ""
                self.mark(run.run_id)
        if not message:
            self.pump()

    def _spawn(self, work: Any) -> None:
        name = "record" if work.__name__ in _RECORDING else work.__name__
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._background.add(task)
        task.add_done_callback(self._background_done)

    def _background_done(self, task: asyncio.Task[Any]) -> None:
        self._background.discard(task)
        if not task.cancelled() and (error := task.exception()):
            LOG.error("%s failed", task.get_name(), exc_info=error)


def _plan(cells: Sequence[Cell]) -> tuple[list[Unit], str]:
    """The units of cells, or why this catalog cannot have them: another version stored them."""
    try:
        return units(cells), ""
    except (AuguryError, LookupError, TypeError, ValueError) as error:
        return [], str(error)
