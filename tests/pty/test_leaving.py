"""Leaving, by key, by signal or by a lost terminal: state saved, gone within a second."""

from __future__ import annotations

import json
import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from augury.tui import state
from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]

SECONDS = 1.0


def _sorted(store: Path, opened: Opened) -> Terminal:
    terminal = opened(store)
    terminal.wait_for("ensemble+")
    terminal.settle()
    terminal.send("S")
    terminal.wait_for("#▼")
    return terminal


def _remembered(store: Path) -> bool:
    saved = json.loads(state.path_for(store).read_text())
    return saved["boards"]["testbed"]["descending"]


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGTERM])
def test_signals(store: Path, opened: Opened, number: signal.Signals) -> None:
    terminal = _sorted(store, opened)
    since = time.monotonic()
    os.kill(terminal.pid, number)
    assert terminal.wait() == 128 + number
    took = time.monotonic() - since
    print(f"\n{number.name}: gone after {took:.2f} s")
    assert took <= SECONDS and _remembered(store)


IGNORING = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh")


@pytest.mark.parametrize("before", [(), IGNORING], ids=["signalled", "ignored"])
def test_a_closed_terminal(store: Path, opened: Opened, before: tuple[str, ...]) -> None:
    terminal = opened(store, before=before)
    terminal.wait_for("ensemble+")
    terminal.settle()
    terminal.send("S")
    terminal.wait_for("#▼")
    since = time.monotonic()
    terminal.hang_up()
    assert terminal.wait() is not None
    took = time.monotonic() - since
    print(f"\nclosed terminal: gone after {took:.2f} s")
    assert took <= SECONDS and _remembered(store)


def test_quit(store: Path, opened: Opened) -> None:
    terminal = _sorted(store, opened)
    terminal.send("q")
    assert terminal.wait() == 0 and _remembered(store)
    assert b"\x1b[?1049l" in terminal.raw and b"\x1b[?25h" in terminal.raw
