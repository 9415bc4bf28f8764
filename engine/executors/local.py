"""Workers on this machine: started when there is work, ended when there is none."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from augury.engine.executors import gpu_lock, wire
from augury.engine.executors.pipe import WorkerPipe
from augury.engine.executors.places import Place, find_places
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
    Said,
    Slot,
    StartsFailed,
    WorkerChanged,
    WorkerState,
)
from augury.engine.executors.tail import last_line
from augury.engine.types import JSON

MAX_STARTS = 5  # failures in a row before somebody must look
SILENCE_SECONDS = 6 * 3600.0


@dataclass(slots=True)
class _Worker:
    """A place and the process in it, if there is one."""

    place: Place
    pipe: WorkerPipe | None = None
    said: dict[str, JSON] = field(default_factory=dict)  # its hello; empty while it starts
    before: dict[str, JSON] = field(default_factory=dict)  # the newest hello, also of a dead one
    batch: Assignment | None = None
    keys: set[str] = field(default_factory=set)
    stopping: bool = False
    leaving: bool = False
    not_before: float = 0.0
    timer: asyncio.TimerHandle | None = None
    heard: float = 0.0  # when its batch last said anything
    fault: str = ""  # why it was killed, where its end alone does not say

    def state(self) -> WorkerState:
        """As `status` shows it."""
        word = "stopped" if self.pipe is None else "starting" if not self.said else "idle"
        if self.said and self.batch:
            word = "busy"
        return WorkerState(
            self.place.name,
            self.pipe.pid if self.pipe else None,
            self.said.get("device", ""),
            word,
            self.batch.batch_id if self.batch else "",
            len(self.batch.cells) if self.batch else 0,
            self.place.gpu,
        )


class LocalExecutor:
    """See `augury.engine.executors.protocol.Executor`."""

    def __init__(
        self,
        logs: Path,
        source_hash: str,
        places: Sequence[Place] | None = None,
        *,
        hello_seconds: float = 120.0,
        silence_seconds: float = SILENCE_SECONDS,
        idle_seconds: float = 30.0,
        stop_seconds: float = 5.0,
        backoff_seconds: float = 0.1,
    ) -> None:
        """Workers log under `logs` and must be made of the sources with this hash.

        One whose batch says nothing for `silence_seconds` is killed, and its batch is lost.
        Progress and numbers come from the thread that computes, between two steps of a training:
        a sign of life from any other thread would prove nothing. Compilation says nothing, and
        a subject from outside may say nothing until it has learnt: hence the long default.
        """
        self._logs, self._source_hash = logs, source_hash
        found = find_places() if places is None else places
        self._workers = {place.name: _Worker(place) for place in found}
        self._hello_seconds, self._idle_seconds = hello_seconds, idle_seconds
        self._silence_seconds = silence_seconds
        self._stop_seconds, self._backoff_seconds = stop_seconds, backoff_seconds
        self._failures = self._living = 0
        self._given_up = False
        self._report: Callable[[Event], None] = lambda event: None

    def start(self, report: Callable[[Event], None]) -> None:
        """Remember whom to tell; processes start with the first batch."""
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._logs.mkdir(mode=0o700, parents=True, exist_ok=True)

    def free(self) -> Sequence[Slot]:
        """Places without a batch; those with a live worker first."""
        if self._given_up:
            return ()
        now = self._loop.time()
        idle = [
            w
            for w in self._workers.values()
            if w.batch is None and not w.leaving and (w.pipe or w.not_before <= now)
        ]
        idle.sort(key=lambda worker: worker.pipe is None)
        return [Slot(w.place.name, w.before.get("device", ""), frozenset(w.keys)) for w in idle]

    def capacity(self) -> int:
        """One batch in each place."""
        return len(self._workers)

    def submit(self, batch: Assignment, slot: str) -> None:
        """Run a batch, in a process that is started if there is none."""
        worker = self._workers[slot]
        worker.batch, worker.stopping = batch, False
        if worker.pipe is None:
            self._start(worker)
        elif worker.said:
            self._hand_over(worker)
        self._changed(worker)

    def cancel(self, batch_ids: Collection[str]) -> None:
        """Ask kindly; a worker that does not stop in time is killed."""
        for worker in self._workers.values():
            batch = worker.batch
            if batch is None or batch.batch_id not in batch_ids or worker.stopping:
                continue
            if not worker.said:  # it was never handed over
                worker.batch = None
                self._report(BatchStopped(batch.batch_id))
                continue
            worker.stopping = True
            if worker.pipe:
                worker.pipe.send({"stop": batch.batch_id})
                self._set_timer(worker, self._stop_seconds, worker.pipe.kill)

    def retry_starts(self) -> None:
        """Somebody has looked: try again, at once."""
        self._failures, self._given_up = 0, False
        for worker in self._workers.values():
            worker.not_before = 0.0

    def provenance(self, slot: str) -> Said:
        """Device kind and version of JAX, as the worker said."""
        said = self._workers[slot].before
        return {key: said[key] for key in ("device", "jax_version") if key in said}

    def workers(self) -> Sequence[WorkerState]:
        """All places and what happens there."""
        return [worker.state() for worker in self._workers.values()]

    def kill(self) -> None:
        """End every worker at once; nothing is reported any more."""
        self._report = lambda event: None
        for worker in self._workers.values():
            self._set_timer(worker, 0, None)
            worker.leaving = True
            if worker.pipe:
                worker.pipe.kill()

    async def close(self) -> None:
        """Kill, and wait until all are gone."""
        self.kill()
        while self._living:
            await asyncio.sleep(0.005)

    def _start(self, worker: _Worker) -> None:
        place = worker.place
        fd = None
        if place.gpu:
            fd = gpu_lock.take(place.gpu)
            if fd is None:  # another engine of this machine has it
                self._give_back(worker, self._idle_seconds / 10)
                return
        try:
            worker.pipe = WorkerPipe(
                self._log(worker),
                place.environment,
                place.core,
                () if fd is None else (fd,),
                lambda message: self._hear(worker, message),
                lambda reason: self._ended(worker, reason),
            )
            self._living += 1
        except OSError as error:
            self._failed_start(worker, f"no process could be started: {error.strerror}")
            return
        finally:
            if fd is not None:
                os.close(fd)
        self._set_timer(worker, self._hello_seconds, worker.pipe.kill)

    def _hear(self, worker: _Worker, message: dict[str, JSON]) -> None:
        batch = worker.batch
        if "hello" in message:
            self._greet(worker, message["hello"])
            return
        if batch is None or message.get("batch") != batch.batch_id:
            return
        worker.heard = self._loop.time()
        if "progress" in message:
            self._report(Advanced(batch.batch_id, wire.progress_from_json(message["progress"])))
        elif "finished" in message:
            self._report(CellDone(batch.batch_id, wire.finished_from_json(message["finished"])))
        else:
            self._free(worker)
            if "raised" in message:
                self._report(BatchRaised(batch.batch_id, **message["raised"]))
            elif "stopped" in message:
                self._report(BatchStopped(batch.batch_id))
            else:
                worker.keys.add(batch.key)
                self._report(BatchDone(batch.batch_id))

    def _greet(self, worker: _Worker, said: dict[str, JSON]) -> None:
        if said.get("source_hash") != self._source_hash:
            self._refuse(worker)
            return
        self._failures = 0
        worker.said = worker.before = said
        if worker.batch:
            self._set_timer(worker, 0, None)
            self._hand_over(worker)
            self._changed(worker)
        else:
            self._free(worker)

    def _refuse(self, worker: _Worker) -> None:
        """Trying again is useless: only another engine is of these sources."""
        pipe, worker.pipe = worker.pipe, None
        if not self._given_up:
            self._given_up = True
            reason = "the sources changed since the engine started; run `augury engine restart`"
            self._report(StartsFailed(reason, stale=True))
        self._give_back(worker, 0.0)
        if pipe:
            pipe.kill()

    def _hand_over(self, worker: _Worker) -> None:
        assert worker.pipe is not None and worker.batch is not None
        self._set_timer(worker, 0, None)
        worker.pipe.send(wire.assignment_to_json(worker.batch))
        worker.heard = self._loop.time()
        self._watch(worker)

    def _watch(self, worker: _Worker) -> None:
        """Look again when its batch has been silent for too long; then end it."""
        left = worker.heard + self._silence_seconds - self._loop.time()
        if left > 0:
            self._set_timer(worker, left, lambda: self._watch(worker))
        elif worker.pipe:
            worker.fault = f"the worker said nothing for {self._silence_seconds:g} s and was killed"
            worker.pipe.kill()

    def _free(self, worker: _Worker) -> None:
        worker.batch, worker.stopping = None, False
        self._set_timer(worker, self._idle_seconds, lambda: self._leave(worker))
        self._changed(worker)

    def _leave(self, worker: _Worker) -> None:
        if worker.pipe and worker.batch is None:
            worker.leaving = True
            worker.pipe.leave()

    def _ended(self, worker: _Worker, reason: str) -> None:
        self._living -= 1
        if worker.pipe is None:  # refused, and told so already
            return
        batch, stopping, greeted = worker.batch, worker.stopping, bool(worker.said)
        leaving = worker.leaving
        self._set_timer(worker, 0, None)
        worker.pipe, worker.said, worker.keys = None, {}, set()
        worker.leaving = worker.stopping = False
        reason, worker.fault = worker.fault or reason, ""
        if not greeted and not leaving:
            told = last_line(self._log(worker))
            self._failed_start(worker, f"{reason} before its hello: {told}")
            return
        worker.batch = None
        self._changed(worker)
        if batch and greeted:
            stop = BatchStopped(batch.batch_id)
            self._report(stop if stopping else BatchLost(batch.batch_id, reason))
        elif batch:
            self._report(BatchReturned(batch.batch_id))

    def _failed_start(self, worker: _Worker, reason: str) -> None:
        self._failures += 1
        if self._failures >= MAX_STARTS and not self._given_up:
            self._given_up = True
            self._report(StartsFailed(reason))
        self._give_back(worker, min(self._backoff_seconds * 2**self._failures, 30.0))

    def _give_back(self, worker: _Worker, seconds: float) -> None:
        worker.not_before = self._loop.time() + seconds
        batch, worker.batch = worker.batch, None
        if batch:
            self._report(BatchReturned(batch.batch_id))
        self._set_timer(worker, seconds + 0.01, lambda: self._changed(worker))

    def _changed(self, worker: _Worker) -> None:
        self._report(WorkerChanged(worker.state()))

    def _log(self, worker: _Worker) -> Path:
        return self._logs / f"worker-{worker.place.name}.log"

    def _set_timer(self, worker: _Worker, seconds: float, then: Callable[[], None] | None) -> None:
        if worker.timer:
            worker.timer.cancel()
        worker.timer = self._loop.call_later(seconds, then) if then else None
