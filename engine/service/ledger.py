"""Runs and cells in the engine's memory: who wants what, and how far it is. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from augury.engine.batching import batches, training_key
from augury.engine.types import JSON, Cell

Unit: TypeAlias = tuple[str, str, tuple[Cell, ...]]  # batch key, training key, cells
PENDING, SUSPECT, RUNNING, DONE, FAILED = "pending", "suspect", "running", "done", "failed"


@dataclass(slots=True)
class CellState:
    """A cell that some live run wants."""

    cell: Cell
    key: str  # batching.batch_key
    unit: str  # batching.training_key: cells of one unit share a training
    status: str = PENDING
    tries: int = 0  # failures while it was alone in its batch
    runs: set[str] = field(default_factory=set)


@dataclass(slots=True)
class RunState:
    """A run as `status` shows it, and its queue."""

    run_id: str
    command: str
    created: str
    total: int
    state: str = "running"  # as stored: running | finished | cancelled | paused
    reason: str = ""
    blocked: bool = False  # under way, but what it gave cannot be recorded: shown as paused
    done: int = 0
    failed: int = 0
    priority: int = 0  # runs of a higher one are fed first
    open: set[str] = field(default_factory=set)  # cells that are neither done nor failed
    queue: dict[str, deque[tuple[str, ...]]] = field(default_factory=dict)  # key -> units


# What the store knows of a run.
STORED = (
    "run_id", "command", "created", "total", "state", "reason", "done", "failed", "priority",
)  # fmt: skip


class Ledger:
    """All runs of this engine's life and their cells that are not recorded yet."""

    def __init__(self) -> None:
        """Empty."""
        self.runs: dict[str, RunState] = {}
        self.cells: dict[str, CellState] = {}

    def add_run(self, run: RunState, pending: Iterable[Unit]) -> None:
        """Take a run on, or a known one up again; cells already known keep their state.

        Those that wait are sought where the newest run found their files.
        """
        self.runs[run.run_id] = run
        for key, unit, cells in pending:
            ids = []
            for cell in cells:
                state = self.cells.setdefault(cell.cell_id, CellState(cell, key, unit))
                if state.status != RUNNING:
                    state.cell = cell
                state.runs.add(run.run_id)
                run.open.add(cell.cell_id)
                ids.append(cell.cell_id)
            run.queue.setdefault(key, deque()).append(tuple(ids))

    def requeue(self, ids: Iterable[str]) -> None:
        """Cells that never got their turn go back to the head of their runs' queues."""
        grouped: dict[tuple[str, str], list[str]] = {}
        for cell_id in ids:
            state = self.cells.get(cell_id)
            if state and state.status in (RUNNING, SUSPECT):
                state.status = PENDING
                grouped.setdefault((state.key, state.unit), []).append(cell_id)
        for (key, _), members in grouped.items():
            for run_id in self.wanting(members):
                self.runs[run_id].queue.setdefault(key, deque()).appendleft(tuple(members))
        self.forget_unwanted()

    def runs_of(self, cell_id: str) -> set[str]:
        """All runs, under way or not, that asked for a cell which is not recorded yet."""
        state = self.cells.get(cell_id)
        return state.runs if state else set()

    def wanting(self, ids: Iterable[str]) -> set[str]:
        """Runs under way that want any of the cells."""
        found = {run for i in ids if i in self.cells for run in self.cells[i].runs}
        return {run for run in found if self.runs[run].state == "running"}

    def pending_units(self, run: RunState, key: str) -> int:
        """Units of one program that the run has left; drops those that others took over."""
        queue = run.queue.get(key)
        while queue and not any(self._is_pending(i) for i in queue[0]):
            queue.popleft()
        if not queue:
            run.queue.pop(key, None)
            return 0
        return len(queue)

    def take_unit(self, run: RunState, key: str) -> tuple[str, ...]:
        """The next unit's pending cells; empty when none is left."""
        if not self.pending_units(run, key):
            return ()
        return tuple(i for i in run.queue[key].popleft() if self._is_pending(i))

    def settle(self, done: Iterable[str], failed: Iterable[str]) -> set[str]:
        """Outcomes are recorded; the runs that changed."""
        touched: set[str] = set()
        for ids, status in ((done, DONE), (failed, FAILED)):
            for cell_id in ids:
                state = self.cells.pop(cell_id, None)
                for run_id in state.runs if state else ():
                    run = self.runs[run_id]
                    if cell_id in run.open:
                        run.open.discard(cell_id)
                        run.done += status == DONE
                        run.failed += status == FAILED
                        touched.add(run_id)
        return touched

    def stop_run(self, run: RunState, state: str, reason: str = "") -> None:
        """Pause or cancel: nothing of it is fed any more."""
        run.state, run.reason, run.blocked = state, reason, False
        run.queue.clear()
        self.forget_unwanted()

    def forget_unwanted(self) -> None:
        """Drop waiting cells that no run under way wants; the store has them as pending."""
        live = {r.run_id for r in self.runs.values() if r.state == "running"}
        for cell_id in [i for i, s in self.cells.items() if not (s.runs & live)]:
            if self.cells[cell_id].status != RUNNING:
                del self.cells[cell_id]

    def running(self, run: RunState) -> int:
        """How many of the run's cells are in a worker now."""
        return sum(i in self.cells and self.cells[i].status == RUNNING for i in run.open)

    def _is_pending(self, cell_id: str) -> bool:
        state = self.cells.get(cell_id)
        return state is not None and state.status == PENDING


def units(cells: Sequence[Cell]) -> list[Unit]:
    """(batch key, training key, cells) of each training, in the planner's order."""
    return [(b.key, training_key(b.cells[0]), b.cells) for b in batches(cells, most=1)]


def summary(
    run: RunState,
    running: int = 0,
    seconds_left: float | None = None,
    guessed: int = 0,
    waiting_batches: int = 0,
) -> Mapping[str, JSON]:
    """A run as `status` and events show it.

    `seconds_left` counts `guessed_cells` of it by other kinds of cells: of theirs none was timed.
    """
    going = run.state == "running" and not run.blocked
    left = seconds_left if going else None
    return {
        "run_id": run.run_id,
        "command": run.command,
        "state": "paused" if run.blocked else run.state,
        "reason": run.reason,
        "created": run.created,
        "total": run.total,
        "done": run.done,
        "failed": run.failed,
        "pending": run.total - run.done - run.failed - running,
        "running": running,
        "waiting_batches": waiting_batches if going else 0,
        "seconds_left": None if left is None else round(left, 1),
        "guessed_cells": guessed if going else 0,
        "priority": run.priority,
    }
