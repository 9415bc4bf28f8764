"""Events in, one picture out."""

from __future__ import annotations

from typing import Any

from augury.tui.live import Live
from augury.tui.messages import EngineSpoke


def _run(done: int = 0, state: str = "running") -> dict[str, Any]:
    return {"run_id": "r1", "command": "augury run quick", "state": state, "created": "2026",
            "total": 4, "done": done, "failed": 0, "pending": 4 - done, "running": 0,
            "seconds_left": None}  # fmt: skip


def _progress(step: int, loss: float, cells: tuple[str, ...] = ("a", "b")) -> dict[str, Any]:
    return {
        "event": "progress", "run": "r1", "batch": "b1", "cells": list(cells), "label": "mlp",
        "problem": "p", "phase": "train", "step": step, "num_steps": 100, "loss": loss,
    }  # fmt: skip


def _batch(
    state: str = "begun", cells: tuple[str, ...] = ("a", "b"), runs: tuple[str, ...] = ("r1",)
) -> dict[str, Any]:
    return {"event": "batch", "batch": "b1", "state": state, "runs": list(runs),
            "cells": list(cells), "worker": "cpu0"}  # fmt: skip


def _live(**batch: Any) -> Live:
    live = Live()
    live.take_status({"engine": {"pid": 1}, "runs": [_run()]})
    assert live.take(_batch(**batch))
    return live


def test_progress_grows_a_curve() -> None:
    live = _live()
    for step in (10, 20, 30):
        assert live.take(_progress(step, 1 / step))
    batch = live.batch_of("a")
    assert batch is not None and batch.curve == [(10, 0.1), (20, 0.05), (30, 1 / 30)]
    assert batch.where == "train 30/100" and live.running_cells == {"a", "b"}


def test_a_curve_stays_short() -> None:
    live = _live()
    for step in range(5_000):
        live.take(_progress(step, 1.0))
    batch = live.batch_of("a")
    assert batch is not None and len(batch.curve) <= 400
    assert batch.curve[0][0] == 0 and batch.curve[-1][0] == 4_999


def test_ended_cells_leave_their_batch() -> None:
    live = _live()
    live.take(_progress(10, 0.1))
    failed = [{"cell_id": "b", "kind": "ValueError", "message": "no"}]
    live.take({"event": "cells", "run_ids": ["r1"], "done": ["a"], "failed": failed})
    assert live.batch_of("a") is None and not live.batches
    assert live.settled == {"a": "done", "b": "failed"} and live.failures["b"] == "ValueError: no"
    live.stored(("a", "b"))
    assert not live.settled and not live.failures


def test_cells_of_a_batch_are_at_work_while_it_trains_others() -> None:
    live = _live(cells=("a", "b", "c", "d"))
    assert live.running_cells == {"a", "b", "c", "d"}
    live.take(_progress(10, 0.1))
    live.take(_progress(10, 0.5, ("c", "d")))
    batch = live.batch_of("a")
    assert batch is not None and batch.now == {"c", "d"} and batch.curve == [(10, 0.5)]
    assert live.running_cells == {"a", "b", "c", "d"}


def test_a_batch_that_ends_gives_its_cells_back() -> None:
    live = _live()
    live.take(_progress(10, 0.1))
    assert live.take(_batch("ended")) and not live.running_cells
    assert not live.take(_progress(20, 0.1)) and not live.running_cells  # told before, read late


def test_a_cell_that_is_tried_again_has_not_failed() -> None:
    live = _live()
    failed = [{"cell_id": "b", "kind": "ValueError", "message": "no"}]
    live.take({"event": "cells", "run_ids": ["r1"], "done": [], "failed": failed})
    live.take(_batch(cells=("b",)))
    assert not live.settled and not live.failures and live.running_cells == {"b"}


def test_a_batch_of_two_runs_outlives_one() -> None:
    live = _live(runs=("r1", "r2"))
    live.take({"event": "run", "run": _run(1, "cancelled")})
    assert live.running_cells == {"a", "b"}


def test_the_same_news_twice_changes_nothing() -> None:
    live = _live()
    assert live.take({"event": "run", "run": _run(1)})
    assert not live.take({"event": "run", "run": _run(1)})


def test_a_cancelled_run_has_nothing_at_work() -> None:
    live = _live()
    live.take(_progress(10, 0.1))
    live.take({"event": "run", "run": _run(1, "cancelled")})
    assert not live.running_cells and not live.active


def test_engine_gone_keeps_counts() -> None:
    live = _live()
    live.take(_progress(10, 0.1))
    live.engine_gone()
    assert live.engine is None and live.was_there and not live.batches
    assert live.runs["r1"]["total"] == 4


def test_only_progress_of_one_batch_coalesces() -> None:
    new, old = EngineSpoke(_progress(20, 0.1)), EngineSpoke(_progress(10, 0.2))
    other = EngineSpoke({**_progress(10, 0.2), "batch": "b2"})
    result = EngineSpoke({"event": "cells", "run_ids": [], "done": [], "failed": []})
    assert new.can_replace(old) and not new.can_replace(other)
    assert not new.can_replace(result) and not result.can_replace(new)
