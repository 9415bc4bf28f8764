"""A whole session in one real terminal, and the ways that take three keys at most.

Each row of a script is what a person presses and what is then on screen. A key that is neither an
arrow, enter, esc nor typed text must be on screen when it is pressed: in the footer, as a tab or as
a scenario.
"""

from __future__ import annotations

import csv
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from augury.engine.service import lock
from augury.engine.service.reader import Reader
from tests import engines
from tests.pty.goals import Figures
from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]
Script = tuple[tuple[str, str], ...]
CODES = {"enter": "\r", "esc": "\x1b", "down": "\x1b[B", "up": "\x1b[A", "tab": "\t",
         "space": " ", "ctrl+s": "\x13"}  # fmt: skip
FREE = ("enter", "esc", "down", "up")

# Keys are separated by spaces; what is in quotes is typed. ~ begins a pattern.
LAUNCH: Script = (
    ("", "No results in this store yet"),
    ("3", "Start detached"),
    ("tab enter", "full"),  # the scale's choices
    ("down enter", "--scale smoke"),  # the command that does the same
    ("ctrl+s", "safe to quit"),
    ("enter", "state   problem"),
    ("", r"~[1-9]\d* done, "),
)
BACK: Script = (
    ("", "1 running"),
    ("2", "engine pid"),
    ("l", "following"),  # the engine's log
    ("1", "ensemble+"),
    ("", "engine idle"),
    ("", "5 rows"),
    ("s", "Sort by"),
    ("down down enter", "KL τ=1▲"),
    ("/ 'mlp'", "(1 of 5 rows"),
    ("esc", " 5 rows"),
    ("/ 'ensemble' enter", "(2 of 5 rows"),
    ("enter", "testbed › ensemble"),  # its problems
    ("enter", "✔ done"),  # one problem's cells
    ("enter", "[Curves]"),
    ("tab tab", "accuracy"),  # its scores
    ("esc", "1 cell "),
    ("esc", "2 problems"),
    ("esc", "(2 of 5 rows"),
    ("up space space", "2 marked"),
    ("=", "B-A"),
    ("s", "A ensemble+"),
    ("esc", "(2 of 5 rows"),
    ("e", "Export testbed"),
    ("enter", "Written"),
)


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """No store yet; files are written beside it."""
    monkeypatch.chdir(tmp_path)
    yield tmp_path / "empty"
    engines.end(tmp_path / "empty")


def _play(terminal: Terminal, script: Script, patience: float = 120.0) -> None:
    for keys, then in script:
        for key in re.findall(r"'[^']*'|\S+", keys):
            if key not in FREE and key[0] != "'":
                offered = partial(_is_offered, key)
                terminal.wait_until(offered, f"an offer of {key}", 5.0)
            terminal.send(CODES.get(key, key.strip("'")))
            terminal.settle(0.1, 2.0)
        if then.startswith("~"):
            pattern = re.compile(then[1:])
            terminal.wait_until(lambda text, p=pattern: bool(p.search(text)), then, patience)
        else:
            terminal.wait_for(then, patience)


def _is_offered(key: str, text: str) -> bool:
    """Whether the tabs, the scenarios or the footer name it."""
    lines = [line for line in text.split("\n") if line.strip()]
    offers = (*lines[:2], lines[-1])
    return any(re.search(rf"(^|[\s\[]){re.escape(key)} \w", line) for line in offers)


@pytest.mark.slow
def test_from_an_empty_store_to_a_file(empty: Path, opened: Opened, goal: Figures) -> None:
    terminal = opened(empty)
    _play(terminal, LAUNCH)
    terminal.send("q")
    assert terminal.wait() == 0
    assert b"1 run goes on without this window" in terminal.raw and lock.held(empty)

    terminal = opened(empty)
    frame = terminal.wait_for("quit")
    seen = terminal.wait_for("1 running") - frame
    goal.at_most(14, "after a quit during a run", seen, 1.0, "s")
    _play(terminal, BACK)
    terminal.send("q")
    assert terminal.wait() == 0
    rows = list(csv.DictReader(Path("testbed.csv").read_text("utf-8").splitlines()))
    stored = Reader(empty).query("board", scenario="testbed", sort=["kl_t1"], filter="ensemble")
    assert [row["agent"] for row in rows] == stored.column("agent")
    assert [float(row["kl_t1"]) for row in rows] == stored.column("kl_t1")


@pytest.mark.goal
def test_three_keys_at_most(
    store: Path, opened: Opened, goal: Figures, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ways: dict[str, Script] = {
        "the best agent of a scenario": (("", "›"), ("", "ensemble+")),
        "the curve of a failed cell": (("2", "✖ 9"), ("enter", "✖ fail"), ("enter", "[Curves]"),
                                       ("", "┤")),
        "a CSV file": (("1", "5 rows"), ("e", "Export testbed"), ("enter", "Written")),
    }  # fmt: skip
    terminal = opened(store)
    for what, script in ways.items():
        _play(terminal, script)
        count = sum(len(keys.split()) for keys, _ in script)
        goal.at_most(19, what, count, 3, "keys")
    command = [sys.executable, "-P", "-m", "augury", "leaderboard", "testbed", "--format", "csv"]
    printed = subprocess.run([*command, "--store", str(store)], capture_output=True, check=True)
    same = printed.stdout == (tmp_path / "testbed.csv").read_bytes() != b""
    goal.holds(18, f"{len(printed.stdout)} bytes, those of the application's file", same)
