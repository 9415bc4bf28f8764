"""How long runs will take, from past cells of the same kind and from how far batches are. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from augury.engine.service.flights import Flight
from augury.engine.service.ledger import RUNNING, RunState
from augury.engine.service.scheduler import Scheduler
from augury.engine.types import Progress

LEAST_FRACTION = 0.05  # of a batch done before its own pace says anything
LEAST_SECONDS = 1.0
EVALUATING = 0.9  # how far a cell is that only has to be evaluated


@dataclass(frozen=True, slots=True)
class Left:
    """Seconds until a run ends, None where nothing is known; cells of it that are a guess."""

    seconds: float | None = None
    guessed: int = 0


@dataclass(slots=True)
class Forecast:
    """One look at all runs under way; `now` is on the clock of `Flight.since`."""

    scheduler: Scheduler
    newest: Mapping[str, Progress]  # batch -> its newest progress
    workers: int
    now: float
    _pace: dict[str, float] = field(default_factory=dict)  # key -> seconds, from batches at work
    _flights: dict[str, tuple[float, float]] = field(default_factory=dict)  # cells left, seconds

    def runs(self) -> dict[str, Left]:
        """Every run that is worked on; one waits for those that come before it."""
        device = next((f.device for f in self.scheduler.flights.values() if f.device), "")
        self._look_at_flights(device)
        ahead, seen = sum(seconds for _, seconds in self._flights.values()), set[str]()
        found: dict[str, Left] = {}
        for run in self.scheduler.in_order():
            waiting, guessed, unknown = 0.0, 0, False
            longest = self._own_flights(run)
            for key, (number, new) in self._open(run, seen).items():
                each, known = self._each(key, device)
                guessed += 0 if known else number
                unknown = unknown or each is None
                waiting += new * (each or 0.0)
                longest = max(longest, each or 0.0)
            ahead += waiting
            share = ahead / max(self.workers, 1) if waiting else 0.0
            found[run.run_id] = Left(None if unknown else max(share, longest), guessed)
        return found

    def _open(self, run: RunState, seen: set[str]) -> dict[str, tuple[int, int]]:
        """Batch key -> cells that are open, and those that wait and no run before has."""
        ledger = self.scheduler.ledger
        number, new = Counter[str](), Counter[str]()
        for cell_id in run.open:
            state = ledger.cells.get(cell_id)
            if state is None:
                continue
            number[state.key] += 1
            if state.status != RUNNING and cell_id not in seen:
                new[state.key] += 1
                seen.add(cell_id)
        return {key: (count, new[key]) for key, count in number.items()}

    def _own_flights(self, run: RunState) -> float:
        flights = self.scheduler.flights.values()
        own = [f for f in flights if not run.open.isdisjoint(f.cells)]
        return max((self._flights[f.batch.batch_id][1] for f in own), default=0.0)

    def _look_at_flights(self, device: str) -> None:
        done = {name: self._done(f) for name, f in self.scheduler.flights.items()}
        for name, flight in self.scheduler.flights.items():
            spent, cells = self.now - flight.since, done[name]
            if cells >= LEAST_FRACTION * len(flight.cells) and spent >= LEAST_SECONDS:
                self._pace[flight.batch.key] = spent / cells
        for name, flight in self.scheduler.flights.items():
            left = max(len(flight.cells) - done[name], 0.0)
            # What a batch shows of itself is surer than what others took, once it shows any.
            each = self._pace.get(flight.batch.key) or self._each(flight.batch.key, device)[0]
            self._flights[name] = left, left * (each or 0.0)

    def _done(self, flight: Flight) -> float:
        """Cells of a batch that are done, parts of cells included."""
        progress = self.newest.get(flight.batch.batch_id)
        if progress is None:
            return float(len(flight.finished))
        now = [i for i in progress.cell_ids if i in flight.cells and i not in flight.finished]
        part = {"evaluate": EVALUATING}.get(progress.phase, 0.0)
        if progress.phase == "train" and progress.num_steps:
            part = EVALUATING * progress.step / progress.num_steps
        return len(flight.finished) + part * len(now)

    def _each(self, key: str, device: str) -> tuple[float | None, bool]:
        """Seconds of one cell, and whether cells of its kind were timed before."""
        timing = self.scheduler.timing
        known = timing.whole(key, device)
        if known is not None:
            return known, True
        guess = self._pace.get(key)
        if guess is None:
            guess = timing.alike(key)
        if guess is None and self._pace:
            guess = sum(self._pace.values()) / len(self._pace)
        return guess, False
