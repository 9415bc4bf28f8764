"""Batches and results as JSON, between an executor and its workers."""

from __future__ import annotations

import base64
import math
import struct
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from augury.engine.executors.protocol import Assignment
from augury.engine.types import (
    JSON,
    BatchContext,
    Cell,
    CellFinished,
    MetricRow,
    Progress,
    RowSums,
    Seconds,
)


def assignment_to_json(batch: Assignment) -> dict[str, JSON]:
    """A batch as it travels to a worker."""
    return {
        "batch": batch.batch_id,
        "cells": [cell.to_json() for cell in batch.cells],
        "widths": dict(batch.widths),
        "checkpoints": batch.checkpoints,
        "waiting": batch.waiting,
    }


def cells_from_json(value: Mapping[str, JSON]) -> list[Cell]:
    """The cells of a batch that travelled."""
    return [Cell.from_json(cell) for cell in value["cells"]]


def context_from_json(value: Mapping[str, JSON], device: str) -> BatchContext:
    """What `run_batch` is told, on a device of this kind."""
    checkpoints = Path(value["checkpoints"]) if value["checkpoints"] else None
    return BatchContext(device, value["widths"].get(device), checkpoints, value["waiting"])


def progress_to_json(progress: Progress) -> dict[str, JSON]:
    """Progress as it travels; a loss that is no number is null."""
    return {
        "cell_ids": list(progress.cell_ids),
        "phase": progress.phase,
        "step": int(progress.step),
        "num_steps": int(progress.num_steps),
        "loss": _finite(progress.loss),
    }


def progress_from_json(value: Mapping[str, JSON]) -> Progress:
    """The inverse of `progress_to_json`."""
    return Progress(**{**value, "cell_ids": tuple(value["cell_ids"])})


def finished_to_json(finished: CellFinished) -> dict[str, JSON]:
    """A cell's numbers as they travel; one that is not finite becomes null with a reason."""
    return {
        "cell_id": finished.cell_id,
        "rows": [_row_to_json(row) for row in finished.rows],
        "seconds": {name: float(value) for name, value in asdict(finished.seconds).items()},
        "width": int(finished.width),
        "curves": {name: _points(points) for name, points in finished.curves.items()},
    }


def finished_from_json(value: Mapping[str, JSON]) -> CellFinished:
    """The inverse of `finished_to_json`."""
    return CellFinished(
        value["cell_id"],
        tuple(_row_from_json(row) for row in value["rows"]),
        Seconds(**value["seconds"]),
        value["width"],
        {name: [(s, v) for s, v in points] for name, points in value["curves"].items()},
    )


def _row_to_json(row: MetricRow) -> dict[str, JSON]:
    value, stderr, reason = _finite(row.value), _finite(row.stderr), row.reason
    if not reason and value is None:
        reason = f"value is {row.value}"
    elif not reason and stderr is None and row.stderr is not None:
        reason = f"stderr is {row.stderr}"
    return {
        "metric": row.metric,
        "value": value,
        "stderr": stderr,
        "tau": int(row.tau),
        "kappa": int(row.kappa),
        "split": row.split,
        "num_samples": int(row.num_samples),
        "reason": reason,
        **({"sums": _sums_to_json(row.sums)} if row.sums else {}),
    }


def _row_from_json(value: Mapping[str, JSON]) -> MetricRow:
    sums = value.get("sums")
    if sums is None:
        return MetricRow(**value)
    raw = base64.b64decode(sums["groups"])
    groups = struct.unpack(f"<{len(raw) // 4}f", raw)
    return MetricRow(**{**value, "sums": RowSums(sums["own"], groups)})


def _sums_to_json(sums: RowSums) -> dict[str, JSON]:
    raw = struct.pack(f"<{len(sums.groups)}f", *sums.groups)
    return {"own": float(sums.own), "groups": base64.b64encode(raw).decode()}


def _points(points: Sequence[tuple[Any, Any]]) -> list[tuple[int, float | None]]:
    return [(int(step), _finite(value)) for step, value in points]


def _finite(value: Any) -> float | None:
    number = None if value is None else float(value)
    return number if number is not None and math.isfinite(number) else None
