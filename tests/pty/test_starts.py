"""Starts that end at once: of a store that cannot be shown, and of a person who thinks again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from augury.engine.store.connection import FILE_NAME
from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]


def _newer(path: Path) -> None:
    with duckdb.connect(str(path)) as con:
        con.execute("UPDATE meta SET value = '99' WHERE name = 'schema'")


def _strange(path: Path) -> None:
    path.unlink()
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE something (x INTEGER)")


def _garbage(path: Path) -> None:
    path.write_bytes(b"garbage" * 1000)


@pytest.mark.parametrize(
    ("spoil", "words"),
    [
        (_newer, "has schema 99, this version knows"),
        (_strange, "but not Augury's. Choose another --store."),
        (_garbage, "is no DuckDB file. Move it away"),
    ],
)
def test_a_store_that_cannot_be_shown_is_one_line(
    store: Path, opened: Opened, spoil: Callable[[Path], None], words: str
) -> None:
    spoil(store / FILE_NAME)
    terminal = opened(store, cols=200)
    assert terminal.wait(30) == 1
    after = terminal.raw.split(b"\x1b[?1049l")[-1].decode()
    (line,) = [text for text in after.splitlines() if "augury: " in text]
    assert words in line and "Traceback" not in after


def test_a_store_that_somebody_holds_ends_with_its_own_code(store: Path, opened: Opened) -> None:
    with duckdb.connect(str(store / FILE_NAME)):
        terminal = opened(store, cols=200)
        assert terminal.wait(30) == 4
    assert b"is held by process" in terminal.raw


@pytest.mark.parametrize("seconds", [0.1, 0.3, 0.7])
def test_quitting_while_it_starts(store: Path, opened: Opened, seconds: float) -> None:
    """The key is typed at some moment before or after the first frame; threads read meanwhile."""
    terminal = opened(store)
    terminal.pump(seconds)
    terminal.send("q")
    assert terminal.wait() == 0
    assert b"Traceback" not in terminal.raw


@pytest.mark.parametrize(("keys", "back"), [("rrrr", ""), ("2", "1"), ("?", ""), ("SSr", "")])
def test_keys_from_the_first_moment_do_not_keep_the_board_away(
    store: Path, opened: Opened, keys: str, back: str
) -> None:
    terminal = opened(store)
    terminal.send(keys)  # before anything is painted
    terminal.wait_for("quit")
    terminal.send(keys)  # and while the board is being read
    terminal.settle()
    if back:
        terminal.send(back)
    terminal.wait_for("ensemble+")
    terminal.send("q")
    assert terminal.wait() == 0


@pytest.mark.parametrize("first", ["", "\x1b[?1049h", "ensemble+"])
def test_a_filter_that_comes_in_one_piece(store: Path, opened: Opened, first: str) -> None:
    """Before the terminal is the application's, before a board, and as a slow link brings it."""
    terminal = opened(store)
    if first:
        terminal.wait_until(lambda text: first in text or first.encode() in terminal.raw, first)
    terminal.send("/quiens" + "\x7f" * 6 + "ens\r")  # q would leave, were it a command
    terminal.wait_for("filter: ens")
    terminal.settle()
    terminal.send("q")
    assert terminal.wait() == 0


def test_bytes_that_are_no_text_are_left_out(store: Path, opened: Opened) -> None:
    terminal = opened(store)
    terminal.wait_for("ensemble+")
    terminal.send("\udce9\udcff\udc80")
    terminal.send("?")
    terminal.wait_for("Write rows to a file")
    terminal.send("\x1b")
    terminal.settle()
    terminal.send("q")
    assert terminal.wait() == 0
