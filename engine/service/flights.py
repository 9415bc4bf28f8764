"""Batches in workers, and what is to be recorded of them. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from augury.engine.executors.protocol import Assignment
from augury.engine.types import Cell, CellFinished, Progress

_MOST_POINTS = 400


@dataclass(slots=True)
class Flight:
    """A batch in a worker."""

    batch: Assignment
    slot: str
    cells: Mapping[str, Cell]  # by id, which is a digest: too costly to ask a cell for often
    retried: bool = False
    finished: dict[str, CellFinished] = field(default_factory=dict)
    since: float = 0.0  # on the monotonic clock of whoever handed it out
    device: str = ""  # kind; "" until its worker has said so
    told: list[tuple[int, float]] = field(default_factory=list)  # mean loss by step, so far
    _about: tuple[str, ...] = ()  # the cells that `told` is about

    def left(self) -> list[str]:
        """Cells without numbers."""
        return [i for i in self.cells if i not in self.finished]

    def tell(self, progress: Progress) -> None:
        """Keep the loss: of a cell that fails nothing else is known of its training."""
        if progress.cell_ids != self._about:
            self._about, self.told = progress.cell_ids, []
        if progress.loss is not None and (not self.told or self.told[-1][0] < progress.step):
            self.told.append((progress.step, progress.loss))
            if len(self.told) > _MOST_POINTS:
                del self.told[1:-1:2]


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a batch came to nothing."""

    kind: str
    message: str
    traceback: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is to be recorded of a batch."""

    flight: Flight
    finished: tuple[tuple[Cell, CellFinished], ...] = ()
    failed: tuple[tuple[Cell, Failure], ...] = ()
    resumes: bool = False  # the same batch may be formed again and go on from its checkpoint
