"""With an engine: what runs is seen at once, and its death is survived."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from augury.engine.errors import AuguryError
from augury.engine.plan import Selection
from augury.engine.service import client
from tests.pty.goals import Figures
from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]


@pytest.fixture
def engine(store: Path) -> Iterator[client.Client]:
    """An engine that works on a small run; ended afterwards."""
    found = client.ensure(store)
    chosen = Selection(("testbed-quick",), ("mlp",), (0,), "smoke")
    found.call("submit", selection=chosen.to_json(), command="augury run testbed-quick")
    yield found
    found.close()
    try:
        with client.connect(store) as last:
            os.kill(last.hello["pid"], signal.SIGKILL)
    except (AuguryError, ProcessLookupError):
        pass  # the test ended it


@pytest.mark.goal
def test_a_run_started_elsewhere_is_seen_and_survives_its_viewers(
    store: Path, opened: Opened, engine: client.Client, goal: Figures
) -> None:
    pid = engine.hello["pid"]
    terminal = opened(store)
    frame = terminal.wait_for("quit")
    seen = terminal.wait_for("engine,")
    goal.at_most(14, "a run that was started elsewhere", seen - frame, 1.0, "s")
    terminal.hang_up()
    assert terminal.wait() is not None
    assert engine.call("status")["engine"]["pid"] == pid

    second = opened(store)
    second.wait_for("engine,")
    os.kill(pid, signal.SIGKILL)
    since = time.monotonic()
    second.wait_for("engine stopped")
    print(f"its death is shown after {time.monotonic() - since:.2f} s")
    second.send("2")
    second.wait_for("R resumes")
    second.send("1")
    second.wait_for("the newest is empty")  # a board with results stays on screen
    second.send("r")
    second.wait_for("5 rows ")

    with client.ensure(store) as successor:
        assert successor.hello["pid"] != pid
        second.wait_for("safe to quit")
        run = next(r for r in successor.call("status")["runs"] if r["state"] == "running")
        successor.call("cancel", run=run["run_id"])
    second.wait_for("engine idle")
    second.send("q")
    assert second.wait() == 0
