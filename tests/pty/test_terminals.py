"""Kinds and sizes of terminals: nothing overflows, crashes or loses its meaning."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from terminal import Terminal

    Opened = Callable[..., Terminal]

KINDS = [
    ("xterm", {}),
    ("xterm-256color", {"COLORTERM": "truecolor"}),
    ("tmux-256color", {}),
    ("xterm-256color", {"NO_COLOR": "1"}),
    ("linux", {"LC_ALL": "C"}),
]
SIZES = [(24, 80), (40, 120), (16, 60)]


@pytest.mark.parametrize(("kind", "size"), [
    *((kind, SIZES[0]) for kind in KINDS), *((KINDS[2], size) for size in SIZES[1:])
])  # fmt: skip
def test_every_tab(
    store: Path, opened: Opened, kind: tuple[str, dict[str, str]], size: tuple[int, int]
) -> None:
    term, env = kind
    terminal = opened(store, rows=size[0], cols=size[1], term=term, env=env)
    terminal.wait_for("ensemble+")
    failed = "x fail" if env.get("LC_ALL") == "C" else "✖ fail"
    for key, words in (("2", failed), ("3", "Start detached"), ("4", "iris"), ("1", "KL")):
        terminal.send(key)
        terminal.wait_for(words)
    assert not terminal.screen.overflow
    if env.get("LC_ALL") == "C":
        assert bytes(terminal.raw).isascii()
    if env.get("NO_COLOR"):
        colours = re.findall(rb"\x1b\[(?:[0-9;]*;)?[34]8;[25];[0-9;]*m", bytes(terminal.raw))
        assert not colours
    terminal.send("q")
    assert terminal.wait() == 0


def test_resizing(store: Path, opened: Opened) -> None:
    terminal = opened(store)
    terminal.wait_for("ensemble+")
    terminal.settle()  # ties come later: a line on its way is as wide as the terminal was
    for rows, cols in ((40, 120), (16, 60), (24, 80)):
        terminal.resize(rows, cols)
        terminal.wait_for("quit")
        terminal.wait_for("ensemble+")
        terminal.settle()
        assert not terminal.screen.overflow
    terminal.send("q")
    assert terminal.wait() == 0


def test_a_dumb_terminal_gets_the_plain_board(store: Path, opened: Opened) -> None:
    terminal = opened(store, term="dumb")
    terminal.wait_for("ensemble+")
    assert terminal.wait() == 0
    assert b"\x1b" not in terminal.raw
