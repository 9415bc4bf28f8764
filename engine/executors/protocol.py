"""What the engine asks of a place where batches run, and what it hears back."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Protocol, TypeAlias

from augury.engine.types import JSON, Cell, CellFinished, Progress


@dataclass(frozen=True, slots=True)
class Assignment:
    """A batch on its way to a worker. Values only, so that it can travel."""

    batch_id: str
    key: str  # batching.batch_key of all its cells
    cells: tuple[Cell, ...]
    widths: Mapping[str, int] = field(default_factory=dict)  # device kind -> cells in a program
    checkpoints: str = ""  # a directory for the carry of long scans
    waiting: int = 0  # trainings of this program that wait behind the batch


@dataclass(frozen=True, slots=True)
class Slot:
    """A place for one batch. `keys` are the programs it has compiled already."""

    name: str
    device: str  # device kind, as JAX names it; "" until its worker has said so
    keys: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class WorkerState:
    """A worker as `status` shows it."""

    name: str
    pid: int | None
    device: str
    state: str  # starting | idle | busy | stopped
    batch: str = ""
    cells: int = 0
    gpu: str = ""  # its uuid; "" on a CPU

    def to_json(self) -> dict[str, JSON]:
        """A JSON object."""
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Advanced:
    """A batch made progress."""

    batch_id: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class CellDone:
    """One cell of a batch has all its numbers."""

    batch_id: str
    finished: CellFinished


@dataclass(frozen=True, slots=True)
class BatchDone:
    """A batch returned."""

    batch_id: str


@dataclass(frozen=True, slots=True)
class BatchRaised:
    """A batch raised; its worker lives on."""

    batch_id: str
    kind: str
    message: str
    traceback: str
    out_of_memory: bool = False


@dataclass(frozen=True, slots=True)
class BatchLost:
    """The worker of a batch died under it."""

    batch_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class BatchStopped:
    """A batch ended because it was cancelled."""

    batch_id: str


@dataclass(frozen=True, slots=True)
class BatchReturned:
    """A batch never started, because its worker did not come up: no cell is to blame."""

    batch_id: str


@dataclass(frozen=True, slots=True)
class StartsFailed:
    """Workers die before their hello, time after time: somebody must look."""

    reason: str
    stale: bool = False  # they are of other sources: another engine will do


@dataclass(frozen=True, slots=True)
class WorkerChanged:
    """A worker came, went, took or ended a batch."""

    worker: WorkerState


Event: TypeAlias = (
    Advanced
    | CellDone
    | BatchDone
    | BatchRaised
    | BatchLost
    | BatchStopped
    | BatchReturned
    | StartsFailed
    | WorkerChanged
)

Said: TypeAlias = Mapping[str, JSON]


def at(batch: Assignment, checkpoints: Path) -> Assignment:
    """The batch, told where the carry of its scans may be kept."""
    return replace(batch, checkpoints=str(checkpoints))


class Executor(Protocol):
    """A place for batches. All methods are called, and all events reported, in one event loop.

    Every submitted batch ends with exactly one of done, raised, lost, stopped, returned.
    """

    def start(self, report: Callable[[Event], None]) -> None:
        """Get ready; nothing costly before there is work."""
        ...

    def free(self) -> Sequence[Slot]:
        """Slots that would take a batch now, those with a live worker first."""
        ...

    def capacity(self) -> int:
        """How many batches can be under way at once; may change."""
        ...

    def submit(self, batch: Assignment, slot: str) -> None:
        """Run a batch in a free slot."""
        ...

    def cancel(self, batch_ids: Collection[str]) -> None:
        """Stop batches soon."""
        ...

    def retry_starts(self) -> None:
        """Forget earlier failures to start; somebody has looked."""
        ...

    def provenance(self, slot: str) -> Said:
        """What the worker in a slot said of itself, also after its end: device, jax_version."""
        ...

    def workers(self) -> Sequence[WorkerState]:
        """All slots and what they do."""
        ...

    def kill(self) -> None:
        """End every worker at once."""
        ...

    async def close(self) -> None:
        """Kill, and wait until all are gone."""
        ...
