"""What status and events say of runs, workers and progress."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Iterable

from augury.engine.executors.protocol import Executor
from augury.engine.plan import label
from augury.engine.service.flights import Flight
from augury.engine.service.forecast import Forecast, Left
from augury.engine.service.ledger import RunState, summary
from augury.engine.service.scheduler import Failure, Scheduler
from augury.engine.service.subscribers import Hub, event_line
from augury.engine.types import JSON, Cell, Progress

LOG = logging.getLogger("augury.engine")
EVENT_SECONDS = 0.25  # between two events of one run
FORECAST_SECONDS = 1.0  # a look at all cells of all runs is not for every event
AGAIN_SECONDS = 5.0  # time passes also where nothing else happens


class Teller:
    """Turns the state of a scheduler into words, and changes of it into events."""

    def __init__(self, hub: Hub, scheduler: Scheduler, executor: Executor) -> None:
        """Nothing is told yet."""
        self._hub, self._scheduler, self._executor = hub, scheduler, executor
        self._ledger = scheduler.ledger
        self._dirty: set[str] = set()
        self._begun: dict[str, JSON] = {}  # batches whose cells are at work
        self._newest: dict[str, Progress] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._left: dict[str, Left] = {}
        self._looked = self._told_again = -AGAIN_SECONDS

    def describe(self, run: RunState) -> JSON:
        """A run as `status` and events show it."""
        left = self._forecast(run)
        waiting = self._scheduler.waiting_batches(run, max(self._executor.capacity(), 1))
        return summary(run, self._ledger.running(run), left.seconds, left.guessed, waiting)

    def _forecast(self, run: RunState) -> Left:
        now = time.monotonic()
        if now - self._looked > FORECAST_SECONDS or run.run_id not in self._left:
            workers = max(self._executor.capacity(), 1)
            self._left = Forecast(self._scheduler, self._newest, workers, now).runs()
            self._looked = now
        return self._left.get(run.run_id, Left())

    def forget(self) -> None:
        """Runs came, went or changed places: what was foreseen is void."""
        self._left.clear()

    def tick(self) -> None:
        """Called now and then: the time left of runs under way is told again."""
        now = time.monotonic()
        if len(self._hub) and now - self._told_again >= AGAIN_SECONDS:
            self._told_again = now
            self.mark(run.run_id for run in self._scheduler.in_order())

    def snapshot(self) -> bytes:
        """What a new subscriber hears first: runs under way, workers, batches and how far."""
        live = [r for r in self._ledger.runs.values() if r.state in ("running", "paused")]
        lines = [event_line("run", run=self.describe(run)) for run in live]
        lines += [event_line("worker", worker=w.to_json()) for w in self._executor.workers()]
        for batch_id, told in self._begun.items():
            lines.append(event_line("batch", **told))
            newest = self._newest.get(batch_id)
            if newest and batch_id in self._scheduler.flights:
                lines.append(event_line("progress", **self._progress(batch_id, newest)))
        return b"".join(lines)

    def begun(self, flight: Flight) -> None:
        """A batch is handed out: all of its cells are at work from now on."""
        batch_id = flight.batch.batch_id
        self._begun[batch_id] = {
            "batch": batch_id,
            "state": "begun",
            "runs": self._runs_of(flight),
            "worker": flight.slot,
            "cells": list(flight.cells),
        }
        self._hub.publish("batch", **self._begun[batch_id])
        # Which batch a cell was in is known from here only: its lines of the log are found by it.
        cells = " ".join(cell_id[:12] for cell_id in flight.cells)
        LOG.info("batch %s begins on %s: cells %s", batch_id, flight.slot, cells)

    def ended(self, batch_id: str) -> None:
        """What became of a batch is recorded: its cells that did not end wait again."""
        self._newest.pop(batch_id, None)
        told = self._begun.pop(batch_id, None)
        if told:
            self._hub.publish("batch", **told | {"state": "ended"})
            LOG.info("batch %s is recorded", batch_id)

    def mark(self, run_ids: Iterable[str]) -> None:
        """These runs changed: tell within a quarter of a second, once."""
        self._dirty.update(run_ids)
        if self._dirty and self._timer is None:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(EVENT_SECONDS, self._tell_runs)

    def progress(self, batch_id: str, progress: Progress) -> None:
        """Pass a batch's progress on."""
        if batch_id not in self._scheduler.flights:
            return
        self._newest[batch_id] = progress
        self._scheduler.flights[batch_id].tell(progress)
        if len(self._hub):
            told = self._progress(batch_id, progress)
            self._hub.publish("progress", droppable=True, **told)

    def _progress(self, batch_id: str, progress: Progress) -> dict[str, JSON]:
        flight = self._scheduler.flights[batch_id]
        told = [c for c in progress.cell_ids if c in flight.cells] or list(flight.cells)
        cell = flight.cells[told[0]]
        runs = self._runs_of(flight)
        return {
            "run": runs[0] if runs else "",
            "runs": runs,
            "batch": batch_id,
            "worker": flight.slot,
            "cells": list(progress.cell_ids),
            "label": label(cell.subject, cell.config),
            "scenario": cell.scenario,
            "problem": cell.problem,
            "phase": progress.phase,
            "step": progress.step,
            "num_steps": progress.num_steps,
            "loss": progress.loss,
        }

    def _runs_of(self, flight: Flight) -> list[str]:
        return sorted({run for cell_id in flight.cells for run in self._ledger.runs_of(cell_id)})

    def _tell_runs(self) -> None:
        self._timer = None
        dirty, self._dirty = self._dirty, set()
        if len(self._hub):
            for run_id in sorted(dirty & self._ledger.runs.keys()):
                self._hub.publish("run", run=self.describe(self._ledger.runs[run_id]))


def tell_failure(cell: Cell, why: Failure) -> JSON:
    """A failed cell as events show it, in the names of the store's query `failures`."""
    return {
        "cell_id": cell.cell_id,
        "label": label(cell.subject, cell.config),
        "problem": cell.problem,
        "seed": cell.seed,
        "kind": why.kind,
        "message": why.message,
    }
