"""Stopping an engine whose batch never ends: with patience, without, and by Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from augury.engine.service import checkpoints, lock
from augury.engine.service.client import Client, ensure
from augury.engine.service.reader import Reader

Calls = Callable[..., Any]
WAITS, SAVES_AND_WAITS = 1003, 1008


def _engine(store: Path, *words: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-P", "-m", "augury", "engine", *words, "--store", str(store)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _said(child: subprocess.Popen[str]) -> tuple[int, list[str]]:
    out, err = child.communicate(timeout=60)
    assert out == "" and "Traceback" not in err
    return child.returncode, err.strip().splitlines()


def _endless(engine: Client, submit: Calls, until: Calls, *seeds: int) -> str:
    run_id = submit(engine, *seeds)["run_id"]
    until(lambda: any(w["state"] == "busy" for w in _workers(engine)), "busy worker")
    return run_id


def _workers(engine: Client) -> list[dict[str, Any]]:
    return engine.call("status")["engine"]["workers"]


def test_patience_is_stated_and_what_is_waited_for_named(
    engine: Client, store: Path, submit: Calls, until: Calls
) -> None:
    _endless(engine, submit, until, WAITS)
    code, said = _said(_engine(store, "stop", "--patience", "0.3"))
    pid = engine.hello["pid"]
    assert code == 1
    assert said[0].startswith(f"engine {pid} finishes ") and "waits 0 s at most" in said[0]
    assert any(line.startswith("batch b1 of 1 cell, at work for ") for line in said)
    assert said[-1].startswith(f"augury: engine {pid} still works after ")
    assert "of work on uniform on testbed/" in said[-1] and f"seed {WAITS}" in said[-1]
    assert "engine stop --now" in said[-1]
    # It goes on draining.
    assert engine.call("status")["engine"]["state"] == "draining"
    assert lock.held(store)


def test_now_puts_batches_back_and_the_run_goes_on(
    engine: Client, store: Path, submit: Calls, finished: Calls, until: Calls, run_of: Calls
) -> None:
    waiting = _endless(engine, submit, until, SAVES_AND_WAITS)
    until(lambda: len(checkpoints.kept(store)) == 2, "carries")
    code, said = _said(_engine(store, "stop", "--now"))
    assert code == 0 and not lock.held(store)
    assert "keeps what is finished and puts " in said[0]
    assert any(f"seed {SAVES_AND_WAITS}" in line and "to do again: " in line for line in said)
    assert said[-1] == f"engine {engine.hello['pid']} has stopped."
    (run,) = Reader(store).status()["runs"]
    assert (run["state"], run["done"], run["failed"]) == ("stopped", 0, 0)
    with ensure(store) as successor:  # from the carry: without one the toy would wait again
        finished(successor, waiting)
        assert run_of(successor, waiting)["done"] == 2


def test_now_commits_what_a_batch_has_finished(
    store: Path, toy: None, submit: Calls, until: Calls, monkeypatch: Any
) -> None:
    monkeypatch.setenv("TOY_SECONDS", "0.2")
    monkeypatch.setenv("AUGURY_WORKERS", "1")
    with ensure(store) as engine:
        submit(engine, *range(40))
        told = until(
            lambda: [b for b in engine.call("drain")["under_way"] if b["finished"]], "a cell"
        )
        assert 0 < told[0]["lost_seconds"] <= told[0]["seconds"]
        engine.call("drain", now=True)
    until(lambda: not lock.held(store), "end of the engine", 10)
    (run,) = Reader(store).status()["runs"]
    assert run["state"] == "stopped"
    assert told[0]["finished"] <= run["done"] < run["total"] == 80


def test_ctrl_c_leaves_it_draining_and_says_so(
    engine: Client, store: Path, submit: Calls, until: Calls
) -> None:
    _endless(engine, submit, until, WAITS)
    child = _engine(store, "restart")
    until(lambda: engine.call("status")["engine"]["state"] == "draining", "draining")
    child.send_signal(signal.SIGINT)
    code, said = _said(child)
    assert code == 130
    assert said[-1].startswith(f"engine {engine.hello['pid']} takes nothing new and ends after")
    assert "engine stop --now" in said[-1]
    assert engine.call("status")["engine"]["state"] == "draining"
