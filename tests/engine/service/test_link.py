"""A store behind a link: the same answers as here, and a link that breaks."""

from __future__ import annotations

import os
import shlex
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from augury.engine.errors import (
    EngineAbsentError,
    EngineError,
    LinkLostError,
    StoreError,
    UsageError,
)
from augury.engine.plan import Selection
from augury.engine.service import client, link, lock
from augury.engine.service.dial import Address
from augury.engine.service.link import Link
from augury.engine.service.reader import Reader

SELECTION = Selection(("testbed-quick",), ("uniform",), (0,), "smoke")
LOOPBACK = Path(__file__).parents[2] / "loopback.py"  # in the place of ssh


@pytest.fixture
def loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links lead back to this machine, without ssh."""
    monkeypatch.setenv("AUGURY_SSH", f"{sys.executable} -P {LOOPBACK}")


def _address(store: Path) -> Address:
    return Address("localhost", str(store), f"{shlex.quote(sys.executable)} -P -m augury")


@pytest.fixture
def far(store: Path, toy: None, loopback: None) -> Iterator[Link]:
    """A link to the store; nothing keeps it up."""
    made = Link(_address(store))
    made.dial(quiet=True)
    yield made
    made.close()


def _break(far: Link) -> None:
    """As a lost connection does."""
    os.kill(_pid(far), signal.SIGKILL)


def _pid(far: Link) -> int:
    assert far._call is not None
    return far._call.process.pid


def test_reads_and_launches_without_an_engine_and_with_one(
    store: Path, far: Link, until: Callable[..., Any], tmp_path: Path
) -> None:
    here, there = Reader(store), Reader(far)
    assert not there.exists() and there.status() == {"engine": None, "runs": []}
    assert there.query("runs").rows == [] and there.log(-100, 100) is None
    assert there.preview(SELECTION) == here.preview(SELECTION)
    with pytest.raises(EngineAbsentError):
        client.connect(far)
    assert not lock.held(store)  # reading started none
    with client.ensure(far) as engine:
        assert engine.compatible and engine.hello["pid"] == there.status()["engine"]["pid"]
        with engine.subscribe() as events:
            said = engine.call("submit", selection=SELECTION.to_json(), command="augury run x")
            assert next(e for e in events if e.get("event") == "cells")["run_ids"]
        run_id = said["run_id"]
        until(lambda: there.status()["runs"][0]["state"] == "finished", "end of the run")
    assert there.query("cells").rows == here.query("cells").rows
    assert there.query("results", cell=there.query("cells").dicts().__next__()["cell_id"]).rows
    params = {"run": run_id}
    mine, theirs = tmp_path / "here.csv", tmp_path / "there.csv"
    assert there.export("cells", params, "csv", theirs) == theirs
    here.export("cells", params, "csv", mine)
    assert mine.read_bytes() == theirs.read_bytes() and mine.stat().st_size > 100
    log = there.log(-200, 200)
    assert log is not None and log == here.log(-200, 200) and len(log["text"]) == 200


def test_errors_come_over_as_they_are(far: Link, tmp_path: Path) -> None:
    there = Reader(far)
    with pytest.raises(UsageError, match="unknown query"):
        there.query("leaderbord")
    with pytest.raises(UsageError, match="nowhere"):
        there.query("states", run="nowhere")
    with pytest.raises(StoreError, match="no directory; create it first"):
        there.export("cells", {}, "csv", tmp_path / "none" / "x.csv")


def test_a_store_that_was_removed(store: Path, far: Link) -> None:
    with client.ensure(far) as engine:
        engine.call("submit", selection=SELECTION.to_json(), command="augury run x")
    assert Reader(far).exists()
    store.rename(store.with_name("moved"))
    with pytest.raises(StoreError, match="removed or moved away"):
        Reader(far).query("runs")
    store.with_name("moved").rename(store)  # the fixture ends its engine


def test_an_engine_that_comes_up_is_waited_for(store: Path, far: Link) -> None:
    found: list[client.Client] = []
    waiting = threading.Thread(target=lambda: found.append(client.connect(far, wait=30.0)))
    waiting.start()
    with client.ensure(store) as engine:
        waiting.join(30)
        with found[0] as peer:
            assert peer.hello["pid"] == engine.hello["pid"]


def test_of_other_sources_one_reads_but_launches_nothing(
    store: Path, far: Link, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link, "source_hash", lambda: "other")
    monkeypatch.setattr(client, "source_hash", lambda: "other")
    assert Reader(far).status()["engine"] is None
    with pytest.raises(EngineError, match="localhost has other sources: from here its store can"):
        client.ensure(far)
    assert not lock.held(store)
    with client.ensure(store):  # somebody there starts one
        with client.ensure(far) as engine:
            assert engine.call("ping")
            with pytest.raises(EngineError, match="Install the same at both ends"):
                engine.call("submit", selection=SELECTION.to_json(), command="x")
        with pytest.raises(EngineError, match="Install the same at both ends"):
            Reader(far).preview(SELECTION)


def test_a_broken_link_is_told_from_a_lost_engine(
    store: Path, far: Link, until: Callable[..., Any]
) -> None:
    with client.ensure(far) as engine, engine.subscribe() as events:
        pid = engine.hello["pid"]
        _break(far)
        with pytest.raises(LinkLostError):
            engine.call("ping")
        assert all(event["event"] != "engine" for event in events)  # and it ends
    assert lock.held(store)  # the engine does not mind
    until(lambda: far.state.kind == "down", "notice")
    with client.connect(far) as engine:  # which makes a new pipe
        assert engine.hello["pid"] == pid and far.dials == 2
        os.kill(pid, signal.SIGKILL)
        until(lambda: not lock.held(store), "end of the engine")
        with pytest.raises(EngineError) as caught:
            engine.call("ping")
        assert not isinstance(caught.value, LinkLostError)


def test_a_submission_whose_answer_was_lost_is_asked_again(
    far: Link, until: Callable[..., Any]
) -> None:
    request = {"selection": SELECTION.to_json(), "command": "augury run x", "token": "once"}
    with client.ensure(far) as engine:
        first = engine.call("submit", **request)
        _break(far)
    until(lambda: far.state.kind == "down", "notice")
    with client.ensure(far) as engine:
        second = engine.call("submit", **request)
        other = engine.call("submit", **{**request, "token": "twice"})
        runs = {run["run_id"] for run in engine.call("status")["runs"]}
    assert second["run_id"] == first["run_id"] != other["run_id"]
    assert runs == {first["run_id"], other["run_id"]}


def test_a_kept_link_comes_back(far: Link, until: Callable[..., Any]) -> None:
    told: list[str] = []
    far.keep(lambda: told.append(far.state.kind))
    _break(far)
    until(lambda: told[-2:] == ["down", "up"], "return of the link")
    assert far.dials == 2 and Reader(far).status()["runs"] == []


def test_a_kept_link_that_stalls_is_given_up(
    store: Path, loopback: None, until: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in (("PING", 0.2), ("STALL", 0.8), ("DEAD", 2.5)):
        monkeypatch.setattr(link, f"{name}_SECONDS", seconds)
    far, told = Link(_address(store)), list[str]()
    far.dial(quiet=True)
    far.keep(lambda: told.append(far.state.kind))
    os.kill(_pid(far), signal.SIGSTOP)
    until(lambda: told[-2:] == ["down", "up"], "return of the link")
    far.close()
    assert told == ["up", "stalled", "down", "up"]  # the first: how it was when it was kept


def test_a_far_machine_that_is_gone_is_tried_again(
    store: Path, far: Link, until: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_SSH", "sh -c 'echo Connection refused >&2; exit 255'")
    far.keep(lambda: None)
    _break(far)
    until(lambda: "Connection refused" in far.state.why, "reason")
    with pytest.raises(LinkLostError):
        Reader(far).query("runs")
    assert not far.wait_until_up(0.1)
    monkeypatch.setenv("AUGURY_SSH", f"{sys.executable} -P {LOOPBACK}")
    far.hurry()
    assert far.wait_until_up(30) and Reader(far).query("runs").rows == []


def test_the_bridge_ends_with_its_link(store: Path, far: Link, until: Callable[..., Any]) -> None:
    Reader(far).status()
    pid = far.far["pid"]
    assert isinstance(pid, int)
    far.close()
    until(lambda: not Path(f"/proc/{pid}/cmdline").exists(), "end of the bridge")
