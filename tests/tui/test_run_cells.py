"""The cells of a run: the store's word, events over it, and one window of many."""

from __future__ import annotations

import time

from augury.engine.store.table import Table
from augury.tui.live import Live
from augury.tui.run_cells import CELL_ID, STATE, WINDOW, Cells

_NAMES = ("cell_id", "label", "problem", "seed", "status", "seconds", "error_kind", "error_message")


def _cells(number: int, status: str = "pending") -> Cells:
    rows = [(f"c{n}", "mlp", "p", n, status, None, None, None) for n in range(number)]
    return Cells(Table(_NAMES, rows))


def _live(*at_work: str) -> Live:
    live = Live()
    live.take({"event": "batch", "batch": "b", "state": "begun", "runs": ["r"], "worker": "cpu0",
               "cells": list(at_work)})  # fmt: skip
    return live


def _progress(live: Live, *cells: str, step: int = 1, loss: float = 1.0) -> None:
    live.take({"event": "progress", "batch": "b", "cells": list(cells), "phase": "train",
               "step": step, "num_steps": 9, "loss": loss})  # fmt: skip


def test_what_is_at_work_comes_first_and_what_trains_now_before_it() -> None:
    live = _live("c3", "c4", "c5")
    _progress(live, "c5")
    lines = _cells(8).lines(live)
    assert [line[STATE] for line in lines[:4]] == ["running"] * 3 + ["pending"]
    assert lines[0][CELL_ID] == "c5" and {line[CELL_ID] for line in lines[1:3]} == {"c3", "c4"}
    assert lines[0][4] == "1/9" and lines[1][4] == ""
    assert {line[CELL_ID] for line in lines} == {f"c{n}" for n in range(8)}


def test_a_falling_loss_is_drawn() -> None:
    live = _live("c0")
    for step in range(1, 9):
        _progress(live, "c0", step=step, loss=1.0 / step)
    (line, *_) = _cells(2).lines(live)
    assert line[6][0] == "█" and line[6][-1] == "▁" and len(line[6]) == 8


def test_ended_cells_change_places_before_the_store_is_read_again() -> None:
    live = _live("c1", "c2")
    failed = [{"cell_id": "c2", "kind": "ValueError", "message": "bad"}]
    live.take({"event": "cells", "run_ids": ["r"], "done": ["c1"], "failed": failed})
    lines = _cells(4).lines(live)
    assert [line[CELL_ID] for line in lines] == ["c2", "c0", "c3", "c1"]
    assert lines[0][STATE] == "failed" and "ValueError: bad" in lines[0]
    assert lines[-1][STATE] == "done"


def test_a_window_holds_what_is_asked_for() -> None:
    cells, live = _cells(10_000), Live()
    for around, start in ((0, 0), (5_000, 5_000 - WINDOW // 2), (9_999, 10_000 - WINDOW)):
        sheet = cells.sheet(live, around)
        assert (sheet.offset, len(sheet.rows), sheet.total) == (start, WINDOW, 10_000)
    assert len(_cells(3).sheet(live, 2).rows) == 3


def test_ten_thousand_cells_cost_a_look_little() -> None:
    cells, live = _cells(10_000), _live(*(f"c{n}" for n in range(512)))
    for n in range(512, 1_000):
        live.settled[f"c{n}"] = "done"
    best = min(_timed(cells, live) for _ in range(5))
    print(f"\na look at 10,000 cells: {best * 1e3:.1f} ms CPU")
    assert best < 0.02


def _timed(cells: Cells, live: Live) -> float:
    since = time.process_time()
    cells.sheet(live, 0)
    return time.process_time() - since
