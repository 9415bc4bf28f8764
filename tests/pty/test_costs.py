"""What it costs to start, to wait and to press keys: CPU and bytes asserted, wall printed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import pytest

from tests.pty.conftest import Yardstick
from tests.pty.goals import Figures
from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]
SIZES = {(80, 24): 20_000, (120, 40): 45_000}  # and how many bytes the first frame may have
TURNS = 3


@pytest.mark.goal
def test_start(store: Path, opened: Opened, yardstick: Yardstick, goal: Figures) -> None:
    frames: dict[tuple[int, int], list[tuple[float, ...]]] = {size: [] for size in SIZES}
    sent: dict[tuple[int, int], int] = {}
    for _ in range(TURNS):  # in turns: other work comes and goes
        for (cols, rows), found in frames.items():
            terminal = opened(store, rows=rows, cols=cols)
            frame = terminal.wait_for("quit")
            frame_cpu = terminal.read_ms
            shown = terminal.wait_for("ensemble+")
            found.append((frame_cpu, terminal.read_ms, frame * 1e3, shown * 1e3))
            terminal.settle()
            sent[cols, rows] = max(sent.get((cols, rows), 0), len(terminal.raw))
            terminal.send("q")
            assert terminal.wait() == 0
        yardstick.look()
    for (cols, rows), found in frames.items():
        frame_cpu, rows_cpu, frame, shown = (median(column) for column in zip(*found, strict=True))
        size, slow = f"{cols}x{rows}, wall {{:.0f}} ms", yardstick.slowness
        goal.at_most(3, f"{cols}x{rows}", sent[cols, rows], SIZES[cols, rows], "bytes")
        # Rows are read by other threads, whom other work on the second core hinders more than it
        # does a bare application, which has one.
        goal.at_most(1, size.format(frame), frame_cpu, 300, "ms CPU", slow)
        goal.at_most(2, size.format(shown), rows_cpu, 450, "ms CPU", slow, margin=1.15)


@pytest.mark.goal
@pytest.mark.parametrize("tab", ["1", *(pytest.param(t, marks=pytest.mark.slow) for t in "234")])
def test_idle_sends_nothing(
    store: Path, opened: Opened, yardstick: Yardstick, goal: Figures, long_look: bool, tab: str
) -> None:
    terminal = opened(store)
    terminal.wait_for("ensemble+")
    if tab != "1":
        terminal.send(tab)
    terminal.settle(1.5, 10.0)
    sent, cpu, since = len(terminal.raw), terminal.cpu_ms(), time.monotonic()
    terminal.watch(30.0 if long_look else 5.0)
    passed = time.monotonic() - since
    spent = (terminal.cpu_ms() - cpu) / passed / 10
    goal.at_most(8, f"tab {tab}, {passed:.0f} s", len(terminal.raw) - sent, 0, "bytes")
    goal.at_most(8, f"tab {tab}, {passed:.0f} s", spent, 0.3, "% CPU", yardstick.slowness)
    seen = f"tab {tab}, 10,000 results, {terminal.resident():.0f} MiB resident, own"
    goal.at_most(12, seen, terminal.memory(), 60, "MiB", margin=1.1)
    if tab == "1":
        terminal.send("/")  # a cursor that blinks would send something twice a second
        terminal.settle(1.0)
        sent = len(terminal.raw)
        terminal.watch(3.0)
        goal.at_most(8, "an open filter line, 3 s", len(terminal.raw) - sent, 0, "bytes")


def test_keys_send_little(store: Path, opened: Opened) -> None:
    terminal = opened(store)
    terminal.wait_for("ensemble+")
    terminal.settle()
    terminal.send("\r")
    terminal.wait_for("180 problems")
    terminal.settle()
    costs = [terminal.cost(key, 0.3)[1] for key in "jjk"]
    print(f"\nkeys down and up among 180 problems with curve and config: {costs} bytes")
    # Two lines of the table, and the curve and record of another cell beside them.
    assert max(costs) <= 4_000
    assert terminal.cost("j" * 40, 0.5)[1] <= 40_000  # a held key
