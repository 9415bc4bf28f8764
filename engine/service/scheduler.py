"""Which cells go where next, and what becomes of them when a batch ends badly. Pure."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from math import ceil

from augury.engine.executors.protocol import Assignment, Slot
from augury.engine.service.flights import Failure, Flight, Outcome
from augury.engine.service.ledger import PENDING, RUNNING, SUSPECT, Ledger, RunState
from augury.engine.service.timing import Timing
from augury.engine.types import Cell, CellFinished

TARGET_SECONDS = 120.0  # a batch; so cancel, commit and hand-over stay near
LEAST_SECONDS = 2.0  # below that, handing over costs more than it spreads
FIRST_UNITS = 8  # trainings in a batch of a program whose cost nobody knows
MOST_UNITS = 512
LONE_TRIES = 2


@dataclass(frozen=True, slots=True)
class _Suspects:
    """Cells of a batch that failed: to be tried again as they stand, among themselves."""

    ids: tuple[str, ...]
    retried: bool = False


class Scheduler:
    """Takes batches from a ledger's queues and puts the remains of failed ones back."""

    def __init__(
        self, ledger: Ledger, timing: Timing, target_seconds: float = TARGET_SECONDS
    ) -> None:
        """Nothing is under way."""
        self.ledger, self.timing = ledger, timing
        self._target = target_seconds
        self.flights: dict[str, Flight] = {}
        self.widths: dict[str, dict[str, int]] = {}  # batch key -> device kind -> cells
        self._suspects: deque[_Suspects] = deque()
        self._numbers = count(1)

    def next_batch(self, slot: Slot, capacity: int) -> Flight | None:
        """What a free slot should do: the first run's cells, its doubtful ones last."""
        for run in self.in_order():
            key = self._choose_key(run, slot)
            if key:
                ids = self._cut(run, key, slot, capacity)
                return self._fly(ids, slot, waiting=self.ledger.pending_units(run, key))
            group = self._wanted_suspects(run)
            if group:
                return self._fly(group.ids, slot, group.retried)
        return None

    def in_order(self) -> list[RunState]:
        """Runs under way: those of the highest priority first, among these the oldest."""
        running = [run for run in self.ledger.runs.values() if run.state == "running"]
        return sorted(running, key=lambda run: -run.priority)

    def waiting_batches(self, run: RunState, capacity: int) -> int:
        """About how many batches the run's waiting cells will make."""
        number = 0
        for key in list(run.queue):
            units = self.ledger.pending_units(run, key)
            if units:
                cells = sum(map(len, run.queue[key]))
                number += ceil(units / self.batch_units(key, units, cells, capacity, ""))
        return number + sum(
            any(run.run_id in s.runs for i in group.ids if (s := self.ledger.cells.get(i)))
            for group in self._suspects
        )

    def restore(self, ids: Sequence[str]) -> bool:
        """A batch that left a checkpoint forms again as it was, if all its cells wait."""
        states = [self.ledger.cells.get(i) for i in ids]
        if not states or any(s is None or s.status != PENDING for s in states):
            return False
        self._suspect(ids, retried=False)
        return True

    def cell_done(self, batch_id: str, finished: CellFinished) -> bool:
        """Keep a cell's numbers until its batch ends; False for a cell nobody asked for."""
        flight = self.flights.get(batch_id)
        if flight is None or finished.cell_id not in flight.cells:
            return False
        flight.finished.setdefault(finished.cell_id, finished)
        return True

    def ended(self, batch_id: str, device: str = "") -> Outcome | None:
        """A batch returned, from a device of this kind."""
        flight = self.flights.get(batch_id)
        if flight is None:
            return None
        if flight.left():
            gap = Failure("MissingResult", "run_batch returned without numbers for this cell.")
            return self.raised(batch_id, gap)
        told = [finished.seconds for finished in flight.finished.values()]
        compiling = sum(seconds.compile for seconds in told) / len(told)
        spent = [seconds.train + seconds.evaluate for seconds in told]
        self.timing.learn(flight.batch.key, spent, device or flight.device, compiling)
        return self._close(flight)

    def raised(self, batch_id: str, why: Failure) -> Outcome | None:
        """A batch raised: halve what is left, or convict a cell that was alone twice."""
        flight = self.flights.get(batch_id)
        if flight is None:
            return None
        left = flight.left()
        if len(left) > 1:
            for half in self._halves(left):
                self._suspect(half, retried=False)
            return self._close(flight)
        failed: list[tuple[Cell, Failure]] = []
        for cell_id in left:
            state = self.ledger.cells[cell_id]
            state.tries += len(flight.cells) == 1
            if state.tries >= LONE_TRIES:
                failed.append((state.cell, why))
            else:
                self._suspect([cell_id], retried=False)
        return self._close(flight, failed)

    def out_of_memory(self, batch_id: str, device: str, why: Failure) -> Outcome | None:
        """Halve the program's width on this device and try again; one cell alone has failed."""
        flight = self.flights.get(batch_id)
        if flight is None:
            return None
        width = flight.batch.widths.get(device) or len(flight.cells)
        if width <= 1:
            return self.raised(batch_id, why)
        self.widths.setdefault(flight.batch.key, {})[device] = width // 2
        left = flight.left()
        self._suspect(left, retried=flight.retried)
        return self._close(flight)

    def lost(self, batch_id: str, reason: str, resumable: bool) -> Outcome | None:
        """The worker died. A batch that can go on from a checkpoint does so once, whole."""
        flight = self.flights.get(batch_id)
        if flight is None:
            return None
        if resumable and not flight.retried and not flight.finished:
            self._suspect(list(flight.cells), retried=True)
            return replace(self._close(flight), resumes=True)
        return self.raised(batch_id, Failure("WorkerLost", reason))

    def put_back(self, batch_id: str) -> Outcome | None:
        """A batch was stopped, or never began: nobody is to blame."""
        flight = self.flights.get(batch_id)
        if flight is None:
            return None
        outcome = replace(self._close(flight), resumes=True)
        self.ledger.requeue(flight.left())
        return outcome

    def unwanted(self) -> list[str]:
        """Batches that no run under way wants."""
        return [
            batch_id
            for batch_id, flight in self.flights.items()
            if not self.ledger.wanting(flight.cells)
        ]

    def batch_units(self, key: str, units: int, cells: int, capacity: int, device: str) -> int:
        """Trainings for one batch of a program that has so many units and cells left."""
        each = self.timing.of(key, device)
        if each is None:
            most = FIRST_UNITS
        else:
            per_unit = max(each * cells / max(units, 1), 1e-6)
            share = per_unit * units / (2 * max(capacity, 1))
            seconds = min(self._target, max(share, LEAST_SECONDS))
            most = min(max(int(seconds / per_unit), 1), MOST_UNITS)
        known = self.widths.get(key, {})
        width = known.get(device) or max(known.values(), default=1)
        return max(most - most % width, min(width, MOST_UNITS)) if width > 1 else most

    def _choose_key(self, run: RunState, slot: Slot) -> str | None:
        left = {k: n for k in list(run.queue) if (n := self.ledger.pending_units(run, k))}
        if not left:
            return None
        elsewhere = {f.batch.key for f in self.flights.values()}

        def rank(key: str) -> tuple[bool, bool, bool, float]:
            each = self.timing.of(key, slot.device)
            mine, alone = key in slot.keys, key not in elsewhere
            return mine, alone, each is None, left[key] * (1.0 if each is None else each)

        # A program this worker has; else one that no other worker is at; then those whose cost
        # is unknown, then the longest, so that no long one is left for the end.
        return max(left, key=rank)

    def _cut(self, run: RunState, key: str, slot: Slot, capacity: int) -> tuple[str, ...]:
        units = self.ledger.pending_units(run, key)
        cells = sum(map(len, run.queue[key]))
        most = self.batch_units(key, units, cells, capacity, slot.device)
        idle = max(capacity - len(self.flights), 1)
        if len(run.queue) < idle:  # too few programs to go round: share this one
            most = min(most, ceil(units / idle))
        ids: list[str] = []
        for _ in range(max(most, 1)):
            ids += self.ledger.take_unit(run, key)
        return tuple(ids)

    def _wanted_suspects(self, run: RunState) -> _Suspects | None:
        for _ in range(len(self._suspects)):
            group = self._suspects.popleft()
            states = {i: s for i in group.ids if (s := self.ledger.cells.get(i))}
            waiting = {i: s for i, s in states.items() if s.status == SUSPECT}
            if not waiting:
                continue
            if any(run.run_id in s.runs for s in waiting.values()):
                return _Suspects(tuple(waiting), group.retried)
            self._suspects.append(group)
        return None

    def _fly(
        self, ids: Sequence[str], slot: Slot, retried: bool = False, waiting: int = 0
    ) -> Flight:
        states = [self.ledger.cells[i] for i in ids]
        for state in states:
            state.status = RUNNING
        key, cells = states[0].key, tuple(s.cell for s in states)
        widths = dict(self.widths.get(key, {}))
        batch = Assignment(f"b{next(self._numbers)}", key, cells, widths, waiting=waiting)
        held = dict(zip(ids, cells, strict=True))
        flight = Flight(batch, slot.name, held, retried, device=slot.device)
        self.flights[batch.batch_id] = flight
        return flight

    def _suspect(self, ids: Sequence[str], retried: bool) -> None:
        for cell_id in ids:
            self.ledger.cells[cell_id].status = SUSPECT
        self._suspects.append(_Suspects(tuple(ids), retried))

    def _halves(self, ids: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
        grouped: dict[str, list[str]] = {}
        for cell_id in ids:
            grouped.setdefault(self.ledger.cells[cell_id].unit, []).append(cell_id)
        if len(grouped) == 1:
            return ids[: len(ids) // 2], ids[len(ids) // 2 :]
        groups = list(grouped.values())
        middle = len(groups) // 2
        return sum(groups[:middle], []), sum(groups[middle:], [])

    def _close(self, flight: Flight, failed: Sequence[tuple[Cell, Failure]] = ()) -> Outcome:
        del self.flights[flight.batch.batch_id]
        if not self.ledger.wanting(flight.cells):
            self.ledger.forget_unwanted()
        done = tuple((flight.cells[i], finished) for i, finished in flight.finished.items())
        return Outcome(flight, done, tuple(failed))


def batch_name(ids: Iterable[str]) -> str:
    """The same for the same cells, in this engine and the next: where their checkpoints lie."""
    text = "\n".join(sorted(ids))
    return hashlib.blake2b(text.encode(), digest_size=12).hexdigest()


def count_batches(units: Mapping[str, int], most: int = 16) -> int:
    """About how many batches so many units (by batch key) make."""
    return sum(ceil(n / most) for n in units.values())
