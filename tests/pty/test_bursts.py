"""Keys that come in one piece, as over a slow link, mean what they mean one by one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]
BACK = "\x7f"


@pytest.mark.parametrize(
    ("keys", "shows"),
    [
        ("/quiens" + BACK * 6 + "ens\r", "filter: ens"),
        ("/mlp\r\r", "testbed › mlp"),  # the second enter opens the row that is left
        ("/kl<6\rs\x1b", "filter: kl<6"),
        (":leave" + BACK * 5 + "Heat map\r", "shades: "),
        ("ejjj\x15four.csv\x1b", "ranked by"),
        ("3\t\t0,2" + BACK + "1", "--seeds 0-1"),
        ("?" + "j" * 10 + "\x1b2", "Runs"),
        ("2341/mlp\r", "filter: mlp"),
    ],
)
def test_a_burst(store: Path, opened: Opened, keys: str, shows: str) -> None:
    terminal = opened(store, rows=40, cols=120)
    terminal.wait_for("ensemble+")
    terminal.settle()
    terminal.send(keys)
    terminal.wait_for(shows, 20)
    assert not list(store.glob("*.csv"))


def test_many_keys_of_one_kind_all_count(store: Path, opened: Opened) -> None:
    terminal = opened(store, rows=40, cols=120)
    terminal.wait_for("ensemble+")
    terminal.settle()
    terminal.send("\r")
    terminal.wait_for("180 problems")
    terminal.settle()
    terminal.send("j" * 25)
    terminal.wait_for("›2  testbed/d10-l10-t0.5/e0", 20)
