"""The application on a store at the end of a link that stalls, breaks and comes back."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from augury.engine.service import client, link
from augury.engine.service.dial import Address
from augury.engine.service.link import Link
from augury.engine.service.reader import Reader
from augury.tui.app import AuguryApp
from augury.tui.screens.boards import BoardsDialog
from augury.tui.screens.leaderboard import LeaderboardScreen
from augury.tui.screens.runs import RunsScreen
from augury.tui.session import Session
from tests import engines
from tests.outcomes import check_nothing_is_lost
from tests.pty import transports


@pytest.fixture
def far(store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Link]:
    """A link to the store; what it gives up after seconds, it gives up sooner."""
    monkeypatch.setenv("AUGURY_SSH", transports.direct().ssh)
    monkeypatch.setenv("AUGURY_CPU", "1")
    for name, seconds in (("PING", 0.2), ("STALL", 0.8), ("DEAD", 4.0)):
        monkeypatch.setattr(link, f"{name}_SECONDS", seconds)
    made = Link(Address("localhost", str(store), f"{shlex.quote(sys.executable)} -P -m augury"))
    made.dial(quiet=True)
    yield made
    made.close()
    engines.end(store)


def _signal(far: Link, number: signal.Signals) -> None:
    assert far._call is not None
    os.kill(far._call.process.pid, number)


@asynccontextmanager
async def _shown(far: Link, watching: Any) -> AsyncIterator[Any]:
    async with watching(far) as watch:
        await watch.until(watch.shows("ensemble"))
        await watch.until(watch.shows("[testbed]"))
        await watch.until(watch.shows("no engine"))
        yield watch


def _cursor(watch: Any) -> int:
    lines = watch.text().splitlines()
    return next(place for place, line in enumerate(lines) if line.startswith("›"))


async def test_it_shows_what_is_there(store: Path, far: Link, watching: Any) -> None:
    async with _shown(far, watching) as watch:
        assert "…" in watch.text() or "localhost:" in watch.text()
        await watch.until(watch.shows("no engine"))
        await watch.press("2")
        await watch.opens(RunsScreen)
        await watch.until(watch.shows("rseeded"))
        same = watch.app.session.same_as("augury leaderboard testbed")
        assert same.startswith(f"augury --ssh localhost:{store} --ssh-command ")
        assert same.endswith(" leaderboard testbed")


async def test_a_broken_link_is_made_again_and_nothing_is_lost(
    store: Path, far: Link, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _shown(far, watching) as watch:
        monkeypatch.setenv("AUGURY_SSH", "sh -c 'echo No route to host >&2; exit 255'")
        _signal(far, signal.SIGKILL)
        await watch.until(watch.shows("link lost, reconnecting"))
        assert "ensemble" in watch.text()  # what was read stays
        await watch.press("S")  # needs no answer from afar
        await watch.until(watch.shows("#▼"))
        await watch.press("o")  # a question that waits
        await watch.until(watch.shows("No route"))
        assert isinstance(watch.app.screen, LeaderboardScreen)
        monkeypatch.setenv("AUGURY_SSH", transports.direct().ssh)
        await watch.press("r")  # at once, not after the waiting
        await watch.opens(BoardsDialog)
        await watch.until(lambda: "reconnecting" not in watch.text())


async def test_a_run_that_is_submitted_while_the_link_is_down_starts_once(
    store: Path, far: Link, watching: Any
) -> None:
    from augury.engine.plan import Selection

    chosen = Selection(("testbed-quick",), ("uniform",), (0,), "smoke")
    async with _shown(far, watching) as watch:
        _signal(far, signal.SIGSTOP)
        await watch.until(watch.shows("link: no answer for"))
        watch.app.session.submit(watch.app.screen, chosen)
        await watch.until(lambda: watch.app.session.unsent == 1)
        await watch.until(watch.shows(" s, 1 waiting"))
        await watch.until(watch.shows("Run r"))  # given up, made again, asked again
        await watch.until(watch.shows("engine"))
        assert watch.app.session.unsent == 0
    runs = [run for run in Reader(store).status()["runs"] if run["run_id"] != "rseeded"]
    assert len(runs) == 1
    with client.connect(store) as engine:
        engine.call("drain", now=True)


async def test_a_run_goes_on_while_the_link_is_lost(
    tmp_path: Path, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    transport, store = transports.direct(), tmp_path / "new store"
    monkeypatch.setenv("AUGURY_SSH", transport.ssh)
    far = Link(Address(transport.host, str(store), transport.program))
    far.dial(quiet=True)
    try:
        async with watching(far) as watch:
            await watch.until(watch.shows("No results in this store yet"))
            await watch.press("enter")  # the quick run
            await watch.opens(RunsScreen)
            await watch.until(watch.shows("1▶"))
            monkeypatch.setenv("AUGURY_SSH", "false")
            _signal(far, signal.SIGKILL)
            await watch.until(watch.shows("link lost, reconnecting"))
            await watch.until(lambda: Reader(store).status()["runs"][0]["state"] == "finished")
            assert "100%" not in watch.text()  # nobody could tell yet
            monkeypatch.setenv("AUGURY_SSH", transport.ssh)
            await watch.press("r")
            await watch.until(watch.shows("100%"))
            await watch.press("1")
            await watch.until(watch.shows("mlp"))
        check_nothing_is_lost(store)
    finally:
        far.close()
        engines.end(store)


async def test_a_stalled_link_stalls_no_key(far: Link, watching: Any) -> None:
    async with _shown(far, watching) as watch:
        _signal(far, signal.SIGSTOP)
        await watch.until(watch.shows("link: no answer for"))
        for key in ("j", "j", "k"):
            before = _cursor(watch)
            await watch.press(key)
            await watch.until(lambda before=before: _cursor(watch) != before, 2)
        _signal(far, signal.SIGCONT)
        await watch.until(lambda: "no answer" not in watch.text())
        assert far.dials == 1  # it only stalled


async def test_leaving_while_the_link_is_down_says_what_was_not_sent(
    far: Link, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with _shown(far, watching) as watch:
        monkeypatch.setenv("AUGURY_SSH", "false")
        _signal(far, signal.SIGKILL)
        await watch.until(watch.shows("link lost"))
        watch.app.session.cancel(watch.app, "rseeded")
        await watch.until(lambda: watch.app.session.unsent == 1)
        since = time.monotonic()
        watch.app.action_leave()
        assert "1 command was not answered" in str(watch.app._exit_renderables)
    assert time.monotonic() - since < 5


async def test_other_sources_are_told_at_the_start(
    far: Link, watching: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "source_hash", lambda: "other")
    async with watching(far) as watch:
        await watch.until(watch.shows("other sources"))
        await watch.until(watch.shows("ensemble"))


def test_state_is_kept_for_each_far_store(far: Link, store: Path) -> None:
    from augury.tui import state

    assert state.path_for(far) != state.path_for(store)
    assert isinstance(AuguryApp(far).session, Session)
