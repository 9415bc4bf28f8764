"""What it costs to start, to wait and to press keys: CPU and bytes asserted, wall printed."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from terminal import Terminal

    Opened = Callable[..., Terminal]

# CPU on the idle machine that they were set on, where a bare Textual application takes the third.
# On a slower one, or beside other work, they grow as the bare application does. No other margin.
FIRST_FRAME_MS, ROWS_MS, BARE_MS = 300.0, 450.0, 180.0


@pytest.mark.parametrize(("cols", "rows", "most"), [(80, 24, 20_000), (120, 40, 45_000)])
def test_start(
    store: Path,
    opened: Opened,
    bare_start: Callable[[], float],
    cols: int,
    rows: int,
    most: int,
) -> None:
    figures, bare = [], []
    for _ in range(4):  # in turns: other work comes and goes
        bare.append(bare_start())
        terminal = opened(store, rows=rows, cols=cols)
        frame = terminal.wait_for("quit")
        frame_cpu = terminal.read_ms
        shown = terminal.wait_for("ensemble+")
        rows_cpu = terminal.read_ms
        terminal.settle()
        figures.append((frame_cpu, rows_cpu, len(terminal.raw), frame, shown))
        terminal.send("q")
        assert terminal.wait() == 0
    frame_cpu, rows_cpu = min(f[0] for f in figures), min(f[1] for f in figures)
    size = max(f[2] for f in figures)
    slowness = max(min(bare) / BARE_MS, 1.0)
    print(
        f"\n{cols}x{rows}, 10,000 results: first frame {frame_cpu:.0f} ms CPU "
        f"({min(f[3] for f in figures) * 1e3:.0f} wall), rows {rows_cpu:.0f} ms CPU "
        f"({min(f[4] for f in figures) * 1e3:.0f} wall), {size} bytes; "
        f"this machine is {slowness:.2f} times slower than an idle one"
    )
    assert frame_cpu <= FIRST_FRAME_MS * slowness
    assert rows_cpu <= ROWS_MS * slowness
    assert size <= most


def test_idle_sends_nothing(store: Path, opened: Opened) -> None:
    terminal = opened(store)
    terminal.wait_for("ensemble+")
    terminal.settle(1.0)
    sent, cpu, since = len(terminal.raw), terminal.cpu_ms(), time.monotonic()
    terminal.pump(6.0)
    spent = (terminal.cpu_ms() - cpu) / (time.monotonic() - since) / 10
    print(f"\nidle: {len(terminal.raw) - sent} bytes, {spent:.2f} % CPU")
    assert len(terminal.raw) == sent
    assert spent <= 1.5
    terminal.send("/")  # a cursor that blinks would send something twice a second
    terminal.settle(1.0)
    sent = len(terminal.raw)
    terminal.pump(3.0)
    assert len(terminal.raw) == sent


def test_keys_send_little(store: Path, opened: Opened) -> None:
    terminal = opened(store)
    terminal.wait_for("ensemble+")
    terminal.settle()
    terminal.send("\r")
    terminal.wait_for("180 problems")
    terminal.settle()
    costs = []
    for key in ("j", "j", "j", "k"):
        sent, cpu = len(terminal.raw), terminal.cpu_ms()
        terminal.send(key)
        terminal.settle(0.4)
        costs.append((len(terminal.raw) - sent, terminal.cpu_ms() - cpu))
    print(f"\nkeys down and up among 180 problems with curve and config: {costs}")
    # Two lines of the table, and the curve and record of another cell beside them.
    assert max(cost[0] for cost in costs) <= 4_000
    sent = len(terminal.raw)
    terminal.send("j" * 40)  # a held key
    terminal.settle(0.5)
    print(f"forty at once: {len(terminal.raw) - sent} bytes")
    assert len(terminal.raw) - sent <= 40_000
