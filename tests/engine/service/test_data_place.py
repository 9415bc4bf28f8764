"""An engine that reads data sets elsewhere than its caller: idle it makes way, at work it stays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from augury.engine.cli.main import main
from augury.engine.datasets import needs
from augury.engine.errors import UsageError
from augury.engine.service import data_place
from augury.engine.service.client import Client, ensure, ensure_for

Calls = Callable[..., Any]
WAITS = 1003


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory of data, to be named once an engine lives."""
    monkeypatch.delenv("AUGURY_DATA", raising=False)
    there = tmp_path / "data"
    there.mkdir()
    return there


def test_an_idle_engine_makes_way(
    elsewhere: Path, engine: Client, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = engine.hello["pid"]
    assert engine.hello["data"]["placed"] == ""
    with ensure_for("submit", store) as peer:
        assert peer.hello["pid"] == first  # it reads where we do
    monkeypatch.setenv("AUGURY_DATA", str(elsewhere))
    with ensure(store) as peer:
        assert peer.hello["pid"] == first  # which does not matter to who only looks
    with ensure_for("retry", store) as peer:
        second = peer.hello["pid"]
        assert second != first
        assert peer.call("status")["engine"]["data"]["placed"] == str(elsewhere)
    link = elsewhere.with_name("link")
    link.symlink_to(elsewhere)
    monkeypatch.setenv("AUGURY_DATA", str(link))
    with ensure_for("resume", store) as peer:
        assert peer.hello["pid"] == second  # another name of the same place


def test_an_engine_at_work_refuses_only_what_needs_data(
    elsewhere: Path, engine: Client, store: Path, submit: Calls, run_of: Calls,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    run_id = submit(engine, WAITS)["run_id"]
    monkeypatch.setenv("AUGURY_DATA", str(elsewhere))
    with ensure_for("submit", store) as peer:
        assert peer.hello["pid"] == engine.hello["pid"]
        submit(peer, WAITS, 1)  # networks of the testbed lie nowhere
    words = ["run", "ppc-corruptions", "--scale", "quick", "--detach", "--store", str(store)]
    told = CliRunner().invoke(main, words, prog_name="augury")
    assert told.exit_code == 2
    assert told.stderr.strip().splitlines()[-1] == (
        "augury: the running engine reads data (AUGURY_DATA) nowhere, this command in "
        f"{elsewhere}: wait for its end, or `augury engine restart`."
    )
    assert len(engine.call("status")["runs"]) == 2  # no cell of it was taken up
    assert run_of(engine, run_id)["state"] == "running"


def test_fetched_data_has_a_place_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUGURY_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "a"))
    mine = data_place.own()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "b"))
    assert not data_place.same(mine, data_place.own())
    with pytest.raises(UsageError, match=f"fetched data\\) in {tmp_path}/a/augury/data, this"):
        data_place.refuse(mine, data_place.own())


def test_what_is_shipped_is_read_from_no_such_place() -> None:
    assert not needs.reads_files(["testbed/d10-l10-t0.1/e3"])
    assert not needs.reads_files(["ppc/cmaterdb-n1000-m100-s3/snow"])
