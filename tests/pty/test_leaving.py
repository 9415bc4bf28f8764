"""Leaving, by key, by signal, by a lost terminal or a crash: state saved, engines untouched."""

from __future__ import annotations

import json
import os
import shutil
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from augury.engine.paths import state_directory
from augury.engine.service import client
from augury.tui import state
from tests import engines
from tests.pty.goals import Figures
from tests.pty.terminal import Terminal

Opened = Callable[..., Terminal]
IGNORING = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh")
BROKEN = ("-c", "from augury.tui.app import AuguryApp; from augury.engine.cli.main import main; "
          "AuguryApp.action_refresh = lambda self: 1 / 0; main(prog_name='augury')")  # fmt: skip


@pytest.fixture(scope="module")
def served(
    seeded: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Path, client.Client]]:
    """A store, and a connection to the engine that serves it."""
    store = tmp_path_factory.mktemp("served") / "store"
    shutil.copytree(seeded, store)
    with client.ensure(store) as engine:
        yield store, engine
    engines.end(store)


def _in_session(leader: int) -> list[int]:
    """Processes that the terminal's session still has."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rsplit(") ", 1)[1].split()
        except OSError:
            continue  # it ended meanwhile
        if int(fields[3]) == leader and fields[0] != "Z":
            found.append(int(path.parent.name))
    return found


WAYS: dict[str, tuple[Callable[[Terminal], object], int | None]] = {
    "q": (lambda terminal: terminal.send("q"), 0),
    "SIGHUP": (lambda terminal: os.kill(terminal.pid, signal.SIGHUP), 128 + signal.SIGHUP),
    "SIGTERM": (lambda terminal: os.kill(terminal.pid, signal.SIGTERM), 128 + signal.SIGTERM),
    "closed pty": (lambda terminal: terminal.hang_up(), None),
    "closed pty, SIGHUP ignored": (lambda terminal: terminal.hang_up(), None),
    "a crash": (lambda terminal: terminal.send("r"), 1),
}


@pytest.mark.goal
@pytest.mark.parametrize("way", WAYS)
def test_leaving(
    served: tuple[Path, client.Client], opened: Opened, goal: Figures, way: str
) -> None:
    store, engine = served
    leave, code = WAYS[way]
    terminal = opened(
        store,
        before=IGNORING if "ignored" in way else (),
        program=BROKEN if way == "a crash" else ("-m", "augury"),
    )
    terminal.wait_for("engine idle")
    terminal.settle()
    terminal.send("S")
    terminal.wait_for("#▼")
    since = time.monotonic()
    leave(terminal)
    ended = terminal.wait()
    took = time.monotonic() - since
    assert ended == code or (code is None and ended is not None)
    saved = json.loads(state.path_for(store).read_text())
    assert saved["boards"]["testbed"]["descending"]
    assert engine.call("status")["engine"]["pid"] == engine.hello["pid"]
    assert not _in_session(terminal.pid)
    if "closed" not in way:  # the terminal is as it was
        assert b"\x1b[?1049l" in terminal.raw and b"\x1b[?25h" in terminal.raw
    # With a margin, for others may have the processor in that second.
    goal.at_most(13, f"{way}: state saved, engine lives, gone after", took, 1.0, "s", margin=2.0)


def test_a_crash_is_explained_on_one_screen(
    served: tuple[Path, client.Client], opened: Opened
) -> None:
    terminal = opened(served[0], program=BROKEN)
    terminal.wait_for("engine idle")
    terminal.send("r")
    assert terminal.wait() == 1
    after = terminal.raw.split(b"\x1b[?1049l")[-1].decode()
    lines = [line for line in after.split("\r\n") if line.strip()]
    assert len(lines) <= 20 and "Traceback" not in after
    assert "ZeroDivisionError: division by zero" in after
    assert "nothing is lost" in after and "augury doctor" in after
    (report,) = (state_directory() / "crashes").iterdir()
    assert report.name in after.replace("\r\n", "")
    text = report.read_text()
    assert "Traceback" in text and "textual" in text and "--store" in text


def test_what_is_remembered(served: tuple[Path, client.Client], opened: Opened) -> None:
    """Theme, sort, filter, columns, units, group and a saved view, from one start to the next."""
    store, _ = served
    terminal = opened(store)
    terminal.wait_for("engine idle")
    terminal.settle()
    # What is typed at once, as over a slow link, goes where it would go letter by letter.
    steps = [
        ("t", ""), ("s", "Sort by"), ("\x1b[B\x1b[B\r", "KL τ=1▲"), ("/ens\r", "takes it off"),
        ("E", ""), ("V", "Save this view"), ("mine\r", ""),
    ]  # fmt: skip
    for keys, words in steps:
        terminal.send(keys)
        terminal.wait_for(words)
        terminal.settle(0.15)
    before = terminal.screen.text()
    terminal.send("q")
    assert terminal.wait() == 0
    terminal = opened(store)
    terminal.wait_for("engine idle")
    terminal.wait_for("(2 of")
    terminal.settle(0.7)
    now = terminal.screen.text()
    for words in ("KL τ=1▲", "filter: ens (2 of 5 rows"):
        assert words in before and words in now
    assert "±SE" not in before and "±SE" not in now
    assert state.load(store).theme not in ("", state.ViewState().theme)
    terminal.send("v")
    terminal.wait_for("mine")
