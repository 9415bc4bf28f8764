from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from augury.engine.errors import AuguryError, EngineAbsentError, EngineError, StoreError
from augury.engine.service import address, client, launch, liveness, lock
from augury.engine.service.client import Client, ensure
from augury.engine.service.reader import Reader
from augury.engine.types import JSON

Calls = Callable[..., Any]


def test_the_engine_imports_no_jax(engine: Client, store: Path) -> None:
    maps = Path(f"/proc/{engine.hello['pid']}/maps")
    if maps.exists():
        assert "jaxlib" not in maps.read_text()
    code = (
        "import sys, augury.engine.service.process as p;"
        "print(sorted({'jax', 'haiku', 'optax', 'textual'} & set(sys.modules)))"
    )
    path = os.pathsep.join(p for p in sys.path if p and "toy" not in p)
    out = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert out.stdout.strip() == "[]"


def test_the_client_side_imports_nothing_heavy() -> None:
    code = (
        "import sys, augury.engine.service.reader;"
        "print(sorted({'jax', 'numpy', 'duckdb', '_duckdb', 'asyncio'} & set(sys.modules)))"
    )
    path = os.pathsep.join(p for p in sys.path if p)
    out = subprocess.run(
        [sys.executable, "-P", "-c", code],
        capture_output=True, text=True, check=True, env={**os.environ, "PYTHONPATH": path},
    )  # fmt: skip
    assert out.stdout.strip() == "[]"


def test_it_says_who_it_is_and_shuts_its_directory(engine: Client, store: Path) -> None:
    pid = engine.hello["pid"]
    card = liveness.read(store)
    assert card is not None and card["pid"] == pid == engine.call("status")["engine"]["pid"]
    assert store.stat().st_mode & 0o777 == 0o700
    assert (store / address.NAME).stat().st_mode & 0o777 == 0o600
    assert engine.compatible
    assert os.getsid(pid) == pid != os.getsid(0)
    assert os.readlink(f"/proc/{pid}/cwd") == "/"
    assert engine.call("log_path") == str(store / "engine.log")


def test_two_engines_race_and_one_wins(store: Path, toy: None, until: Calls) -> None:
    code = (
        "import sys; from pathlib import Path; from augury.engine.service.client import ensure;"
        "print(ensure(Path(sys.argv[1])).hello['pid'])"
    )
    racers = [
        subprocess.Popen(
            [sys.executable, "-P", "-c", code, str(store)], stdout=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    pids = {racer.communicate(timeout=60)[0].strip() for racer in racers}
    assert len(pids) == 1 and pids != {""}
    # A second engine on the same store gives up at once and leaves the first alone.
    late = launch.spawn(store)
    assert late.wait(30) == client.LOST_RACE
    with ensure(store) as engine:
        assert {str(engine.hello["pid"])} == pids


def test_a_stale_socket_and_card_are_no_engine(store: Path, toy: None, until: Calls) -> None:
    with ensure(store) as engine:
        first = engine.hello["pid"]
        os.kill(first, signal.SIGKILL)
    until(lambda: not lock.held(store), "end of the engine")
    assert (store / address.NAME).exists() and (store / liveness.NAME).exists()
    assert liveness.read(store) is None
    with pytest.raises(EngineAbsentError):
        client.connect(store)
    with ensure(store) as engine:
        assert engine.hello["pid"] != first


def test_an_engine_that_fails_to_start_says_why(store: Path, toy: None) -> None:
    store.mkdir()
    (store / "results.duckdb").write_text("these are no results")
    with pytest.raises(EngineError, match=r"did not start: .*no DuckDB file"):
        ensure(store)


def test_bad_numbers_in_the_environment_are_named(
    store: Path, toy: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGURY_WORKERS", "many")
    with pytest.raises(EngineError, match="AUGURY_WORKERS takes a positive number, got 'many'"):
        ensure(store)


def test_a_directory_that_cannot_be_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot use"):
        ensure(tmp_path / "file" / "store")


def test_it_ends_when_idle_and_alone(
    store: Path, toy: None, monkeypatch: pytest.MonkeyPatch, until: Calls
) -> None:
    monkeypatch.setenv("AUGURY_IDLE_SECONDS", "0.6")
    with ensure(store) as engine:
        with engine.subscribe() as events:
            time.sleep(1.0)
            assert engine.call("status")["engine"]["pid"] == engine.hello["pid"]
        assert list(events) == []
    until(lambda: not lock.held(store), "end of the engine", 10)
    assert not (store / address.NAME).exists()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_drains_then_ends(
    engine: Client, store: Path, submit: Calls, until: Calls, number: signal.Signals
) -> None:
    waits = 1003
    run_id = submit(engine, 0, 1, waits)["run_id"]
    until(lambda: _workers(engine, "busy"), "busy worker")
    assert liveness.kill(store, number)
    until(lambda: engine.call("status")["engine"]["state"] == "draining", "draining")
    with pytest.raises(EngineError, match="about to stop"):
        submit(engine, 2)
    assert liveness.kill(store, number)
    until(lambda: not lock.held(store), "end of the engine", 10)
    status = Reader(store).status()
    assert status["engine"] is None
    assert [(r["run_id"], r["state"]) for r in status["runs"]] == [(run_id, "stopped")]


def test_workers_die_with_their_engine(engine: Client, submit: Calls, until: Calls) -> None:
    submit(engine, 1003)
    workers = until(lambda: _workers(engine, "busy"), "busy worker")
    os.kill(engine.hello["pid"], signal.SIGKILL)
    until(lambda: not any(liveness.start_time(w["pid"]) for w in workers), "end of workers", 5)


def test_a_removed_store_ends_its_engine(store: Path, toy: None, until: Calls) -> None:
    with ensure(store) as engine:
        pid = engine.hello["pid"]
    store.rename(store.with_name("moved"))
    until(lambda: liveness.start_time(pid) is None, "end of the engine", 10)


def test_long_paths_have_a_socket_too(tmp_path: Path, toy: None) -> None:
    store = tmp_path / ("long" * 30) / ("path" * 30)
    with ensure(store) as engine:
        assert engine.call("ping")
        os.kill(engine.hello["pid"], signal.SIGKILL)


def test_strangers_are_refused(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        address.check_peer(ours, tmp_path)
        monkeypatch.setattr(address, "_peer_uid", lambda sock: os.getuid() + 1)
        with pytest.raises(EngineError, match="belongs to"):
            address.check_peer(ours, tmp_path)


def test_a_closed_terminal_leaves_the_run_going(
    store: Path, toy: None, until: Calls, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TOY_SECONDS", "0.05")
    code = """
import sys
from pathlib import Path
from augury.engine.plan import Selection
from augury.engine.service.client import ensure
engine = ensure(Path(sys.argv[1]))
selection = Selection(("testbed-quick",), ("uniform",), tuple(range(40)), "smoke")
engine.call("submit", selection=selection.to_json(), command="augury run toy")
for event in engine.subscribe():
    if event["event"] == "cells":
        print("computing", flush=True)
"""
    master, slave = os.openpty()
    # Spawned, not forked: a fork of a process that uses JAX warns. The leader of a new session
    # that opens a terminal is controlled by it.
    person = os.posix_spawn(
        sys.executable,
        [sys.executable, "-P", "-c", code, str(store)],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, 0, os.ttyname(slave), os.O_RDWR, 0),
            (os.POSIX_SPAWN_DUP2, 0, 1),
            (os.POSIX_SPAWN_DUP2, 0, 2),
        ],
        setsid=True,
    )
    os.close(slave)
    seen = b""
    while b"computing" not in seen:
        seen += os.read(master, 1024)
    os.close(master)  # the terminal is gone: SIGHUP to all in its session
    assert os.waitstatus_to_exitcode(os.waitpid(person, 0)[1]) == -signal.SIGHUP
    began = time.monotonic()
    with client.connect(store) as engine, engine.subscribe() as events:
        first = next(e for e in events if e["event"] == "run")
        assert time.monotonic() - began < 1.0
        assert first["run"]["state"] == "running" and first["run"]["done"] > 0
        last: dict[str, JSON] = first
        while last["run"]["state"] == "running":
            last = next(e for e in events if e["event"] == "run")
        assert (last["run"]["done"], last["run"]["state"]) == (80, "finished")


def _workers(engine: Client, state: str) -> list[dict[str, Any]]:
    return [w for w in engine.call("status")["engine"]["workers"] if w["state"] == state]


@pytest.mark.parametrize(
    "name", ["engine.lock", "engine.json", "engine.sock", "engine.log", "results.duckdb"]
)
def test_a_folder_in_the_way_is_named_in_one_line(store: Path, name: str) -> None:
    (store / name).mkdir(parents=True)
    with pytest.raises(AuguryError) as caught:
        ensure(store)
    assert str(store / name) in caught.value.message
    assert "\n" not in caught.value.message
    assert "Error:" not in caught.value.message.replace("IO Error:", "")
