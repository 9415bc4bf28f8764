"""A store made by hand, and the pieces it is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from augury.engine.plan import PlannedCell
from augury.engine.store import connection, write
from augury.engine.store.records import FailedCell, FinishedCell, Provenance, RunRecord
from augury.engine.types import Cell, CellFinished, MetricRow, RowSums, Seconds

WHO = Provenance("cpu", "worker-1", "abc", "0.10")


@pytest.fixture
def con(tmp_path: Path) -> Iterator[Any]:
    """An empty store, open for writing."""
    opened = connection.open_store(tmp_path / "store")
    yield opened
    opened.close()


@pytest.fixture
def add(con: Any) -> Callable[..., Sequence[Cell]]:
    """Plan cells under a run and record what is given for them."""

    def record(
        run: str,
        cells: Sequence[tuple[Cell, Sequence[MetricRow] | str | None]],
        sweep: str = "testbed",
        scale: Any = "full",
        config: str = "default",
    ) -> Sequence[Cell]:
        planned = [PlannedCell(cell, sweep, scale) for cell, _ in cells]
        write.add_run(con, RunRecord(run, f"augury run {sweep}", {"config": config}), planned)
        done = [finished(c, rows) for c, rows in cells if rows is not None and rows != str(rows)]
        bad = [FailedCell(c, "ValueError", w, "trace") for c, w in cells if isinstance(w, str)]
        write.commit_batch(con, done, bad, WHO)
        return [cell for cell, _ in cells]

    return record


def finished(cell: Cell, rows: Any, **fields: Any) -> FinishedCell:
    """A finished cell that took a second and a half."""
    result = CellFinished(cell.cell_id, tuple(rows), Seconds(0.25, 1.0, 0.25), **fields)
    return FinishedCell(cell, result)


def kl(value: float | None, stderr: float | None = 0.1, **fields: Any) -> list[MetricRow]:
    """The three numbers that a testbed board shows, all alike; their errors are a subject's own."""
    places = ((1, 0), (10, 0), (10, 2))
    sums = None if stderr is None else RowSums(stderr, (0.0, 0.0))
    return [
        MetricRow("kl", value, stderr, t, k, num_samples=1000, sums=sums, **fields)
        for t, k in places
    ]
