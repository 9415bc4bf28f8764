"""What goes into the store. Standard library only; no DuckDB here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias

from augury.engine.store.table import PRIORITY as PRIORITY
from augury.engine.store.table import Query as Query
from augury.engine.store.table import Table as Table
from augury.engine.types import JSON, Cell, CellFinished

RunState: TypeAlias = Literal["running", "finished", "cancelled", "paused"]
RUN_STATES: tuple[RunState, ...] = ("running", "finished", "cancelled", "paused")


@dataclass(frozen=True, slots=True)
class RunRecord:
    """What a person launched."""

    run_id: str
    command: str  # the equivalent command line
    selection: Mapping[str, JSON]
    state: RunState = "running"
    reason: str = ""
    code_version: str = ""
    created_at: datetime = field(default_factory=lambda: datetime.now(UTC))


@dataclass(frozen=True, slots=True)
class Provenance:
    """Who computed a batch, with what."""

    device: str
    worker: str = ""
    code_version: str = ""
    jax_version: str = ""


@dataclass(frozen=True, slots=True)
class FinishedCell:
    """A cell and its numbers."""

    cell: Cell
    result: CellFinished


@dataclass(frozen=True, slots=True)
class FailedCell:
    """A cell and why it has no numbers."""

    cell: Cell
    kind: str  # the exception's class, or how the worker was lost
    message: str
    traceback: str = ""
    loss: tuple[tuple[int, float], ...] = ()  # by step, as far as it was told
