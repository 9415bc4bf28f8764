"""What watching costs: eight runs at one hertz, and nothing at all while nothing happens."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from terminal import Terminal

    Opened = Callable[..., Terminal]

SCRIPT = Path(__file__).with_name("scripted_engine.py")
SECONDS = 10.0
BARE_MS = 180.0  # as in test_costs: CPU limits grow as a bare application's start does


@pytest.fixture
def eight_runs(store: Path) -> Iterator[Path]:
    """A store served by a script: eight runs of 400 cells, progress at one hertz."""
    words = [sys.executable, "-P", str(SCRIPT), str(store), "8", "400", "1"]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        yield store
        process.kill()


@pytest.mark.parametrize(("cols", "rows", "most"), [(80, 24, 4096), (120, 40, 8192)])
def test_watching_eight_runs(
    eight_runs: Path,
    opened: Opened,
    bare_start: Callable[[], float],
    cols: int,
    rows: int,
    most: int,
) -> None:
    bare = min(bare_start() for _ in range(2))
    terminal = opened(eight_runs, rows=rows, cols=cols)
    terminal.wait_for("8▶")
    terminal.send("2")
    terminal.wait_for("safe to quit, engine pid")
    terminal.settle(0.5, 4.0)
    sent, cpu, since = len(terminal.raw), terminal.cpu_ms(), time.monotonic()
    terminal.watch(SECONDS)
    passed = time.monotonic() - since
    rate = (len(terminal.raw) - sent) / passed
    bare = min(bare, bare_start())
    share = (terminal.cpu_ms() - cpu) / passed / 10
    slowness = max(bare / BARE_MS, 1.0)
    print(f"\n{cols}x{rows}, eight runs at 1 Hz: {rate / 1024:.2f} KiB/s, {share:.1f} % CPU; "
          f"this machine is {slowness:.2f} times slower than an idle one")  # fmt: skip
    assert "▶ run" in terminal.screen.text()
    assert rate <= most
    assert share <= 3.0 * slowness


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


@pytest.mark.slow
@pytest.mark.parametrize("tab", "1234")
def test_thirty_idle_seconds_send_nothing(store: Path, opened: Opened, tab: str) -> None:
    terminal = opened(store)
    terminal.wait_for("ensemble+")
    terminal.send(tab)
    terminal.settle(1.5, 10.0)
    sent, cpu = len(terminal.raw), terminal.cpu_ms()
    terminal.watch(30.0)
    print(f"\ntab {tab}, 30 s idle: {len(terminal.raw) - sent} bytes, "
          f"{(terminal.cpu_ms() - cpu) / 300:.2f} % CPU")  # fmt: skip
    assert len(terminal.raw) == sent
