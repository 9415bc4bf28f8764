"""Kinds and sizes of terminals: nothing overflows, crashes or loses its meaning."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.pty.goals import Figures
from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]
KINDS: dict[str, tuple[str, dict[str, str]]] = {
    "xterm": ("xterm", {}),
    "screen": ("screen-256color", {}),
    "tmux": ("tmux-256color", {}),
    "256 colours": ("xterm-256color", {}),
    "truecolor": ("xterm-256color", {"COLORTERM": "truecolor"}),
    "linux": ("linux", {}),
    "no colour": ("xterm-256color", {"NO_COLOR": "1"}),
    "LANG=C": ("xterm-256color", {"LANG": "C", "LC_ALL": "C"}),
}
SIZES = [(16, 60), (24, 80), (40, 120), (60, 200)]
# What is pressed, and words that say what colours say too: they must be there without any.
TABS = [("2", "✖ fail"), ("3", "Start detached"), ("4", "iris"), ("1", "5 rows")]
DEEPER = [("\r", "180 problems"), ("\r", "✔ done"), ("\r", "[Curves]"), ("\x1b", "✔ done"),
          ("\x1b", "180 problems"), ("\x1b", "5 rows"), ("=", "Compare"), ("\r", "B-A"),
          ("\x1b", "5 rows"), ("H", "input_dim"), ("\x1b", "5 rows")]  # fmt: skip
RICH = re.compile(rb"\x1b\[(?:[0-9;]*;)?[34]8;[25];[0-9;]*m")  # more than 16 colours
TRUE = re.compile(rb"\x1b\[(?:[0-9;]*;)?[34]8;2;[0-9;]*m")
ANY = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:[349][0-7]|10[0-7])(?:;[0-9;]*)?m")


def _plain(words: str) -> str:
    """As it is where there are no other signs than those of ASCII."""
    return words.replace("✖", "x").replace("✔", "+")


@pytest.mark.goal
@pytest.mark.parametrize("kind", KINDS)
def test_every_screen_at_every_size(
    store: Path, opened: Opened, goal: Figures, long_look: bool, kind: str
) -> None:
    term, env = KINDS[kind]
    terminal = opened(store, rows=24, cols=80, term=term, env=env)
    terminal.wait_for("ensemble+")
    count = 0
    # All of it where goals are measured; in the suite the extremes, and for two kinds all sizes.
    sizes = SIZES if long_look or kind in ("tmux", "truecolor") else [SIZES[0], SIZES[-1]]
    words_of = _plain if kind in ("LANG=C", "linux") else str
    for rows, cols in sizes:
        deep = long_look or (kind == "tmux" and cols in (60, 120))
        terminal.settle(0.1)
        terminal.resize(rows, cols)
        terminal.wait_for("5 rows")
        terminal.settle(0.1)
        terminal.screen.overflow = False  # a line on its way was as wide as the terminal was
        for keys, words in [*TABS, *DEEPER] if deep else TABS:
            terminal.send(keys)
            terminal.wait_for(words_of(words))
            terminal.settle(0.25 if keys == "\x1b" else 0.05)  # esc is told from alt by time
            count += 1
            assert not terminal.screen.overflow, f"{cols}x{rows}\n{terminal.screen.text()}"
    sent = bytes(terminal.raw)
    assert kind == "truecolor" or not TRUE.search(sent)
    assert kind not in ("xterm", "linux", "no colour") or not RICH.search(sent)
    assert kind != "no colour" or not ANY.search(sent)
    assert kind not in ("LANG=C", "linux") or sent.isascii()
    terminal.send("q")
    assert terminal.wait() == 0
    goal.holds(15, f"{kind}: {count} screens at {len(sizes)} sizes")


@pytest.mark.goal
def test_a_dumb_terminal_gets_the_plain_board(store: Path, opened: Opened, goal: Figures) -> None:
    terminal = opened(store, term="dumb")
    terminal.wait_for("ensemble+")
    assert terminal.wait() == 0
    goal.holds(15, "dumb: the plain board", b"\x1b" not in terminal.raw)
