"""Runs of a higher priority are fed first, whoever asks and whichever engine feeds them."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from augury.engine.cli.main import main
from augury.engine.errors import EngineError, UsageError
from augury.engine.service import lock
from augury.engine.service.client import Client, ensure
from augury.engine.service.reader import Reader

Calls = Callable[..., Any]
WAITS = 1003  # of the toy scenario: goes on until it is cancelled


def _priorities(status: Any) -> dict[str, int]:
    return {run["run_id"]: run["priority"] for run in status["runs"]}


def test_the_next_batches_are_those_of_the_first_run(
    store: Path, engine: Client, submit: Calls, run_of: Calls, until: Calls
) -> None:
    holder = submit(engine, WAITS)["run_id"]
    until(lambda: run_of(engine, holder)["running"] == 2, "both workers taken")
    older, newer = submit(engine, 1)["run_id"], submit(engine, 2)["run_id"]
    assert run_of(engine, newer)["waiting_batches"] == 2  # two shapes
    asked = CliRunner().invoke(main, ["priority", newer, "5", "--store", str(store)])
    assert (asked.exit_code, asked.stdout) == (0, ""), asked.stderr
    assert f"run {newer} has priority 5" in asked.stderr
    assert _priorities(engine.call("status")) == {holder: 0, older: 0, newer: 5}
    fed: list[str] = []
    with engine.subscribe() as events:
        engine.call("cancel", run=holder)
        for event in events:
            if event["event"] == "batch" and event["state"] == "begun":
                fed += [run for run in event["runs"] if run in (older, newer)]
            if {older, newer} <= set(fed):
                break
    assert fed[0] == newer and fed.index(older) == fed.count(newer)


def test_a_priority_outlives_its_engine(
    store: Path, engine: Client, submit: Calls, until: Calls
) -> None:
    run_id = submit(engine, WAITS)["run_id"]
    for number in (7, -3):
        assert engine.call("prioritise", run=run_id[:4], priority=number)["priority"] == number
    os.kill(engine.hello["pid"], signal.SIGKILL)
    until(lambda: not lock.held(store), "its end")
    with ensure(store) as successor:
        assert _priorities(successor.call("status")) == {run_id: -3}
        successor.call("cancel", run=run_id)
        successor.call("drain", now=True)
    assert _priorities(Reader(store).status()) == {run_id: -3}


def test_what_cannot_be_is_refused(
    engine: Client, submit: Calls, run_of: Calls, until: Calls
) -> None:
    run_id = submit(engine, 0)["run_id"]
    for wrong in (1.5, "high", None, True, 100):
        with pytest.raises(UsageError, match="priority is"):
            engine.call("prioritise", run=run_id, priority=wrong)
    with pytest.raises(UsageError, match="no run starts with"):
        engine.call("prioritise", run="zzz", priority=1)
    until(lambda: run_of(engine, run_id)["state"] == "finished", "end")
    with pytest.raises(EngineError, match="finished already"):
        engine.call("prioritise", run=run_id, priority=1)
