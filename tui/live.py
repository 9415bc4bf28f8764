"""What is known of engine, runs and batches at work: events in, one picture out. No widgets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from augury.engine.unattended import unattended

if TYPE_CHECKING:
    from augury.engine.service.link import LinkState

_MOST_POINTS = 400
JSON = Mapping[str, Any]


@dataclass(slots=True)
class Training:
    """One batch at work: its newest progress and the curve of its loss so far."""

    runs: frozenset[str]
    cells: frozenset[str]  # all that are not recorded yet
    now: frozenset[str] = frozenset()  # those that the newest progress is about
    phase: str = ""
    step: int = 0
    num_steps: int = 0
    loss: float | None = None
    curve: list[tuple[float, float]] = field(default_factory=list)

    @property
    def short(self) -> str:
        """Step, or phase where there is none, as a column has room for it."""
        return self.where.removeprefix("train ")

    @property
    def where(self) -> str:
        """Phase and step as one short text."""
        if self.phase == "train" and self.num_steps:
            return f"{self.phase} {self.step}/{self.num_steps}"
        return self.phase


class Live:
    """The newest status, brought up to date by events."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self.heard = False
        self.link: LinkState | None = None  # to the machine the store is on, if it is another
        self.engine: JSON | None = None
        self.was_there = False
        self.store_gone = False
        self.runs: dict[str, JSON] = {}
        self.batches: dict[str, Training] = {}
        self.uses: dict[str, JSON] = {}  # worker -> what its device is used for
        self.settled: dict[str, str] = {}  # cells that ended since they were last read
        self.failures: dict[str, str] = {}

    @property
    def active(self) -> list[JSON]:
        """Runs that are being worked on."""
        return [run for run in self.runs.values() if run.get("state") == "running"]

    @property
    def stopped(self) -> list[JSON]:
        """Runs that would be worked on if an engine lived."""
        return [run for run in self.runs.values() if run.get("state") == "stopped"]

    @property
    def running_cells(self) -> frozenset[str]:
        """Cells of the batches at work."""
        return frozenset().union(*(b.cells for b in self.batches.values()))

    def batch_of(self, cell_id: str) -> Training | None:
        """The batch that evaluates this cell now."""
        return next((b for b in self.batches.values() if cell_id in b.cells), None)

    def take_status(self, status: JSON) -> None:
        """Start from a whole status; what the engine no longer knows is gone."""
        self.heard, self.store_gone = True, False
        self.engine = status.get("engine")
        self.was_there = self.was_there or self.engine is not None
        self.runs = {run["run_id"]: run for run in status.get("runs") or ()}
        if self.engine is None:
            self._stop_runs()
        workers = (self.engine or {}).get("workers") or ()
        self.uses = {worker["name"]: worker.get("use") or {} for worker in workers}

    def gone(self) -> None:
        """The store was taken away; what is known of it stays on screen."""
        self.engine_gone()
        self.heard = self.store_gone = True

    def take_link(self, link: LinkState) -> bool:
        """Take how the link is; True if it came back, and anything may have happened meanwhile."""
        back = link.kind != "down" and self.link is not None and self.link.kind == "down"
        self.link = link
        if back:
            self.batches.clear()
        return back

    def engine_gone(self) -> None:
        """The connection ended: nothing is at work, runs keep their counts."""
        self.engine = None
        self.uses = {}
        self._stop_runs()

    def _stop_runs(self) -> None:
        self.batches.clear()
        self.runs = {run_id: unattended(run) for run_id, run in self.runs.items()}

    def take(self, event: JSON) -> bool:
        """Apply one event; True if something on screen may differ."""
        kind = event.get("event")
        if kind == "run":
            return self._take_run(event["run"])
        if kind == "batch":
            return self._take_batch(event)
        if kind == "progress":
            return self._take_progress(event)
        if kind == "cells":
            self._settle(event)
            ended = {*event["done"], *(f["cell_id"] for f in event["failed"])}
            for name in [n for n, b in self.batches.items() if b.cells & ended]:
                batch = self.batches[name]
                batch.cells -= ended
                if not batch.cells:
                    del self.batches[name]
            return True
        if kind == "devices":
            changed = self.uses != event["devices"]
            self.uses = dict(event["devices"])
            return changed
        return kind in ("worker", "engine")

    def stored(self, cell_ids: Iterable[str]) -> None:
        """The store's word on these cells is newer than the events about them."""
        for cell_id in cell_ids:
            self.settled.pop(cell_id, None)
            self.failures.pop(cell_id, None)

    def _settle(self, event: JSON) -> None:
        self.settled.update(dict.fromkeys(event["done"], "done"))
        for failed in event["failed"]:
            self.settled[failed["cell_id"]] = "failed"
            self.failures[failed["cell_id"]] = f"{failed['kind']}: {failed['message']}"

    def _take_run(self, run: JSON) -> bool:
        changed = self.runs.get(run["run_id"]) != run
        self.runs[run["run_id"]] = run
        if run.get("state") != "running":
            for name, batch in list(self.batches.items()):
                batch.runs -= {run["run_id"]}
                if not batch.runs:
                    del self.batches[name]
        return changed

    def _take_batch(self, event: JSON) -> bool:
        name = str(event["batch"])
        if event["state"] != "begun":
            return self.batches.pop(name, None) is not None
        cells = frozenset(event["cells"])
        self.batches[name] = Training(frozenset(event["runs"]), cells)
        for cell_id in cells:  # one that failed before is tried again
            self.settled.pop(cell_id, None)
            self.failures.pop(cell_id, None)
        return True

    def _take_progress(self, event: JSON) -> bool:
        batch, cells = self.batches.get(str(event["batch"])), frozenset(event["cells"])
        if batch is None:
            return False  # it ended before this was read
        if not batch.now & cells:
            batch.curve.clear()
        batch.now = cells
        batch.phase, batch.step = event["phase"], event["step"]
        batch.num_steps, batch.loss = event["num_steps"], event["loss"]
        if batch.loss is not None and (not batch.curve or batch.curve[-1][0] < batch.step):
            batch.curve.append((batch.step, batch.loss))
            if len(batch.curve) > _MOST_POINTS:
                del batch.curve[1:-1:2]
        return True
