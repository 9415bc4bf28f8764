from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from augury.engine.executors import wire
from augury.engine.executors.protocol import Assignment, at
from augury.engine.types import BatchContext, Cell, CellFinished, MetricRow, Progress, Seconds


def _travel(value: object) -> dict[str, object]:
    return json.loads(json.dumps(value, allow_nan=False))


def test_a_batch_round_trips() -> None:
    cells = (
        Cell("testbed", "testbed/d2-l10-t0.1/e0", "mlp", {"num_steps": 5}, {"max_steps": 3}, 1),
        Cell("mi", "mi/gaussian-ds10-4bits", "dv", resources={"problem": "/a b"}),
    )
    batch = at(Assignment("b1", "key", cells, {"cpu": 8}), Path("/c"))
    value = _travel(wire.assignment_to_json(batch))
    assert tuple(wire.cells_from_json(value)) == cells
    assert [c.cell_id for c in wire.cells_from_json(value)] == [c.cell_id for c in cells]
    assert wire.context_from_json(value, "cpu") == BatchContext("cpu", 8, Path("/c"))
    assert wire.context_from_json(value, "NVIDIA H200").width is None


def test_numbers_of_any_kind_round_trip() -> None:
    finished = CellFinished(
        "id",
        (MetricRow("kl", float(np.float32(0.1)), 0.25, 10, 2, "", 7),),
        Seconds(1.0, 2.0, 0.5),
        4,
        {"loss": [(1, 0.5), (2, 0.25)]},
    )
    odd = CellFinished(
        "id",
        (MetricRow("kl", np.float32(0.1), np.float64(0.25), np.int64(10), 2, "", np.int32(7)),),  # type: ignore[arg-type]
        Seconds(np.float32(1.0), 2.0, 0.5),  # type: ignore[arg-type]
        np.int64(4),  # type: ignore[arg-type]
        {"loss": [(np.int64(1), np.float32(0.5)), (2, 0.25)]},  # type: ignore[dict-item]
    )
    for each in (finished, odd):
        assert wire.finished_from_json(_travel(wire.finished_to_json(each))) == finished


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_becomes_null_with_a_reason(bad: float) -> None:
    rows = (
        MetricRow("kl", bad, 0.1),
        MetricRow("nll", 1.0, bad),
        MetricRow("ece10", None, None, reason="no data"),
    )
    finished = CellFinished("id", rows, Seconds(), curves={"loss": [(1, bad)]})
    back = wire.finished_from_json(_travel(wire.finished_to_json(finished)))
    assert [r.value for r in back.rows] == [None, 1.0, None]
    assert [r.reason for r in back.rows] == [f"value is {bad}", f"stderr is {bad}", "no data"]
    assert back.curves == {"loss": [(1, None)]}


def test_progress_round_trips() -> None:
    for loss in (None, 0.5):
        progress = Progress(("a", "b"), "train", 3, 10, loss)
        assert wire.progress_from_json(_travel(wire.progress_to_json(progress))) == progress
    lost = _travel(wire.progress_to_json(Progress(("a",), "train", 1, 2, math.nan)))
    assert lost["loss"] is None
