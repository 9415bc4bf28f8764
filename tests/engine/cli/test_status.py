"""The status as text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from augury.engine.cli.status import lines, page

RUN = {
    "run_id": "r1a2b3", "command": "augury run quick " + "--set a.b=1 " * 20, "state": "running",
    "reason": "", "created": "2026-01-01T00:00:00Z", "total": 1200, "done": 700, "failed": 1,
    "pending": 490, "running": 9, "seconds_left": 125.0,
}  # fmt: skip
ENGINE = {
    "pid": 7, "version": "0.1.0", "uptime_seconds": 65.0, "store": "/s",
    "workers": [{"pid": 8, "device": "cpu", "state": "busy", "batch": "b", "cells": 9}],
}  # fmt: skip


def shown(engine: Any, *runs: Any, width: int | None = None) -> list[str]:
    return lines({"engine": engine, "runs": list(runs)}, Path("/s"), width)


def test_engine_workers_and_runs() -> None:
    text = shown(ENGINE, RUN)
    assert text[0] == "engine 7, version 0.1.0, up 1:05 (store /s)"
    assert text[1] == "  worker 8 on cpu: busy, 9 cells"
    assert text[3].startswith("r1a2b3  running  701/1,200  1       2:05  augury run quick --set")


def test_workers_without_a_process_are_counted() -> None:
    """A place has no process before its first batch, and none after one that died."""
    none = {"pid": None, "device": "", "state": "stopped", "batch": "", "cells": 0}
    fresh = {**none, "pid": 9, "state": "starting", "cells": 1}
    text = shown({**ENGINE, "workers": [none, none]})
    assert text[1:-1] == ["  2 workers can start when there is work"]
    text = shown({**ENGINE, "workers": [*ENGINE["workers"], fresh, none]})
    assert text[2:-1] == [
        "  worker 9: starting, 1 cell",
        "  1 more worker can start when there is work",
    ]


def test_nothing_at_all_says_how_to_start() -> None:
    assert shown(None) == [
        "no engine is running (store /s)",
        "no runs yet. Start one: augury run quick",
    ]


def test_a_long_command_is_cut_at_the_terminal_and_nowhere_else() -> None:
    assert max(map(len, shown(None, RUN, width=80))) == 80
    assert shown(None, RUN)[-1].endswith("--set a.b=1")


def test_a_paused_run_says_why() -> None:
    paused = {**RUN, "state": "paused", "reason": "the disk is full", "seconds_left": None}
    text = shown(None, paused)
    assert text[-1] == "r1a2b3 is paused: the disk is full"
    assert "  -     augury" in text[-2]


def test_a_run_that_no_engine_works_on_says_how_to_go_on() -> None:
    stopped = {**RUN, "state": "stopped", "seconds_left": None}
    text = shown(None, stopped)
    assert text[-1] == "r1a2b3 is stopped with 499 cells left. Go on: augury resume"
    text = shown(None, stopped, {**stopped, "run_id": "r2"}, {**RUN, "state": "finished"})
    assert text[-1] == "2 runs are stopped with 998 cells left. Go on: augury resume"


def test_a_watched_status_never_scrolls() -> None:
    text = page(shown(ENGINE, *[RUN] * 50), 60, 12)
    assert len(text) == 11 and max(map(len, text)) < 60
    assert text[-1] == "... 43 more lines" and text[0].startswith("engine 7")
    assert page(["one", "two"], 60, 12) == ["one", "two"]


def test_what_is_a_guess_is_said() -> None:
    text = shown(None, {**RUN, "guessed_cells": 12, "priority": 2})
    assert text[1].startswith("run     state    cells      failed  left   first  command")
    assert "~2:05  +2" in text[2]
    assert text[-1] == (
        "r1a2b3: 12 of 499 cells left are of kinds never timed here: they count as the nearest kind"
    )
    unknown = shown(None, {**RUN, "guessed_cells": 499, "seconds_left": None})
    assert "  -     augury" in unknown[2] and unknown[-1].endswith("is not known yet")


def test_what_a_worker_uses_is_said() -> None:
    gpu = {"percent": 71, "memory": 38912, "total": 143771, "celsius": 54}
    cpu = {"percent": None, "memory": 812, "total": None, "celsius": None}
    busy = ENGINE["workers"][0]
    workers = [{**busy, "use": gpu}, {**busy, "use": cpu}, {**busy, "use": None}]
    text = shown({**ENGINE, "workers": workers}, RUN)
    assert text[1] == "  worker 8 on cpu: busy, 9 cells, 71 % busy, 38.0 of 140.4 GiB, 54 °C"
    assert text[2:4] == [
        "  worker 8 on cpu: busy, 9 cells, 0.8 GiB",
        "  worker 8 on cpu: busy, 9 cells",
    ]
