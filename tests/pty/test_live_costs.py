"""What watching costs: eight runs at one hertz, and nothing at all while nothing happens."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.pty.conftest import Yardstick
from tests.pty.goals import Figures
from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]
SCRIPT = Path(__file__).with_name("scripted_engine.py")


@pytest.fixture
def eight_runs(store: Path) -> Iterator[Path]:
    """A store served by a script: eight runs of 400 cells, progress at one hertz."""
    words = [sys.executable, "-P", str(SCRIPT), str(store), "8", "400", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        yield store
        process.kill()


def _has_curve(text: str) -> bool:
    return any("⠀" < char <= "⣿" for char in text)


@pytest.mark.goal
def test_watching_eight_runs(
    eight_runs: Path, opened: Opened, yardstick: Yardstick, goal: Figures, long_look: bool
) -> None:
    seconds = 10.0 if long_look else 4.0
    for (cols, rows), most in {(80, 24): 4, (120, 40): 8}.items():
        terminal = opened(eight_runs, rows=rows, cols=cols)
        terminal.wait_for("8▶")
        yardstick.look()
        terminal.send("2")
        terminal.wait_for("safe to quit, engine pid")
        # The curve of what is at work, then the engine's log in its place.
        for number, key, what in ((10, "", "chart"), (9, "l", "log")):
            terminal.send(key)
            terminal.wait_until(lambda text, n=number: _has_curve(text) == (n == 10), what)
            terminal.settle(0.5, 3.0)
            sent, cpu, since = len(terminal.raw), terminal.cpu_ms(), time.monotonic()
            terminal.watch(seconds)
            passed = time.monotonic() - since
            rate = (len(terminal.raw) - sent) / passed / 1024
            share = (terminal.cpu_ms() - cpu) / passed / 10
            assert "▶ run" in terminal.screen.text()
            bytes_goal, cpu_goal = (12, 4) if number == 10 else (most, 3)
            said = f"{cols}x{rows} with a {what}, {passed:.0f} s"
            goal.at_most(number, said, rate, bytes_goal, "KiB/s")
            goal.at_most(number, said, share, cpu_goal, "% CPU", yardstick.slowness)
        terminal.send("q")
        assert terminal.wait() == 0


def test_a_pause_sends_nothing(eight_runs: Path, opened: Opened) -> None:
    terminal = opened(eight_runs)
    terminal.wait_for("8▶")
    terminal.send("2p")
    terminal.wait_for("paused")
    terminal.settle(1.5, 6.0)
    sent = len(terminal.raw)
    terminal.watch(4.0)
    assert len(terminal.raw) == sent
    terminal.send("p")
    terminal.wait_for(" done, ")  # the counts of the run, in place of the word
    assert len(terminal.raw) > sent
