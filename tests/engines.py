"""Waiting for engines of tests, and ending them."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from augury.engine.service import liveness, lock


def until(condition: Callable[[], Any], what: str = "condition", seconds: float = 120) -> Any:
    """The value of `condition` once it is true; fails after a time.

    What another process does can only be looked at again and again.
    """
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if value := condition():
            return value
        time.sleep(0.02)
    raise AssertionError(f"no {what} within {seconds:g} s")


def end(store: Path) -> None:
    """Kill the engine of a store, if one lives, and wait until it is gone."""
    liveness.kill(store, signal.SIGKILL)
    until(lambda: not lock.held(store), "end of the engine", 20)
