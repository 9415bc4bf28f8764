"""What keys cost on a board of ten and of a hundred thousand rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.pty.conftest import Yardstick
from tests.pty.goals import Figures
from tests.pty.terminal import Terminal

SCRIPT = Path(__file__).with_name("many_rows.py")
Shown = Callable[..., Terminal]


@pytest.fixture
def shown(store: Path) -> Iterator[Shown]:
    """`shown(first, rows, lines, cols)`: the application on made-up rows."""
    found: list[Terminal] = []

    def start(first: int, rows: int, lines: int = 40, cols: int = 120) -> Terminal:
        command = [sys.executable, "-P", str(SCRIPT), str(store), str(first), str(rows)]
        terminal = Terminal(command, {}, lines, cols)
        found.append(terminal)
        terminal.wait_for(f" {first:,} rows", 60.0)
        terminal.settle(0.5)
        return terminal

    yield start
    for terminal in found:
        terminal.close()


def _most(costs: list[tuple[float, int]]) -> tuple[float, int]:
    """The 95th percentiles of CPU and bytes: of so few, the largest but one."""
    cpu, sent = zip(*costs, strict=True)
    return sorted(cpu)[-2], sorted(sent)[-2]


@pytest.mark.goal
def test_keys_among_ten_thousand_rows(shown: Shown, yardstick: Yardstick, goal: Figures) -> None:
    terminal = shown(10_000, 10_000)
    down = _most([terminal.cost("j") for _ in range(12)])
    page = _most([terminal.cost("\x1b[6~") for _ in range(6)])
    order = _most([terminal.cost("S", 0.3) for _ in range(5)])
    terminal.cost("/")
    letters = _most([terminal.cost(letter, 0.3) for letter in "ens=1"])
    yardstick.look()
    slow = yardstick.slowness
    goal.at_most(4, "120x40, p95", down[0], 15, "ms CPU", slow)
    goal.at_most(4, "120x40, p95", down[1], 600, "bytes")
    goal.at_most(5, "120x40, p95", page[0], 40, "ms CPU", slow)
    goal.at_most(5, "120x40, p95", page[1], 10_000, "bytes")
    goal.at_most(6, "10,000 rows, sort", order[0], 60, "ms CPU", slow)
    goal.at_most(6, "10,000 rows, letter of a filter", letters[0], 60, "ms CPU", slow)
    seen = f"10,000 rows of 50 columns, {terminal.resident():.0f} MiB resident, own"
    goal.at_most(12, seen, terminal.memory(), 60, "MiB", margin=1.5)


@pytest.mark.slow
@pytest.mark.goal
def test_a_hundred_thousand_rows(shown: Shown, yardstick: Yardstick, goal: Figures) -> None:
    terminal = shown(1_000, 100_000)
    reading, _ = terminal.cost("r", 1.0)  # scenarios and status, and the same few rows again
    before = terminal.memory()
    spent = terminal.cost("r", 1.0)[0] - reading
    terminal.wait_for("100,000 rows")
    grown = terminal.memory() - before
    order = _most([terminal.cost("S", 0.5) for _ in range(4)])
    terminal.cost("/")
    letters = _most([terminal.cost(letter, 0.5) for letter in "ens=1"])
    yardstick.look()
    slow = yardstick.slowness
    goal.at_most(7, "beside the answer itself", spent, 200, "ms CPU", slow, margin=1.25)
    goal.at_most(7, "beside the answer itself", grown, 20, "MiB")
    goal.at_most(6, "100,000 rows, sort", order[0], 200, "ms CPU", slow)
    goal.at_most(6, "100,000 rows, letter of a filter", letters[0], 200, "ms CPU", slow)
