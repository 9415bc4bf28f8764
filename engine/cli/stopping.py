"""Ending the engine: what it still does is waited for, for a stated time, or put back."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.wording import count, duration
from augury.engine.errors import EngineAbsentError, EngineError

PATIENCE_SECONDS = 300.0  # a batch aims at two minutes
NOW_SECONDS = 30.0  # workers are killed, but what they finished goes to a disk
SAY_SECONDS = 30.0


def stop(path: Path, patience: float, now: bool) -> bool:
    """Drain and wait; False if no engine lives.

    Raises:
        EngineError: it still works when patience ends, and goes on draining.
        KeyboardInterrupt: likewise, which is said.
    """
    from augury.engine.service import client

    try:
        living = client.connect(path)
    except EngineAbsentError:
        return False
    pid = living.hello["pid"]
    try:
        with living:
            told = _drain(living, now)
        _announce(pid, told, patience, now)
        _wait(path, pid, told, NOW_SECONDS if now else patience)
    except KeyboardInterrupt:
        say(f"engine {pid} takes nothing new and ends after its batches; {_at_once()}.")
        raise
    say(f"engine {pid} has stopped.")
    return True


def _drain(living: Any, now: bool) -> Mapping[str, Any]:
    try:
        return living.call("drain", now=now)
    except EngineError:
        return {}  # it may end before it answers


def _announce(pid: int, told: Mapping[str, Any], patience: float, now: bool) -> None:
    batches = told.get("under_way", ())  # an engine of other sources may not say it
    if not batches:
        say(f"engine {pid} ends ...")
        return
    number = count(len(batches), "batch")
    if now:
        say(f"engine {pid} keeps what is finished and puts {number} back:")
    else:
        limit = f"waits {duration(patience)} at most, Ctrl-C leaves it draining"
        say(f"engine {pid} finishes {number} ({limit}):")
    for batch in batches:
        say(_batch(batch) + (f"; to do again: {_lost(batch)}" if now else ""))


def _wait(path: Path, pid: int, told: Mapping[str, Any], patience: float) -> None:
    """Until it is gone, saying now and then what it is at."""
    from augury.engine.service import client, lock

    began = spoke = time.monotonic()
    while True:
        try:
            with client.connect(path) as living:
                if living.hello["pid"] != pid:
                    return  # somebody has started the next one already
                told = living.call("drain", now=False)
        except EngineAbsentError:
            if not lock.held(path):
                return
        except EngineError:
            pass  # between two answers it closes the socket
        moment = time.monotonic()
        if moment - began >= patience:
            raise EngineError(_still(pid, told, moment - began))
        if moment - spoke >= SAY_SECONDS:
            spoke = moment
            say(f"still waiting for {_all(told)}")
        time.sleep(min(0.1, patience))


def _still(pid: int, told: Mapping[str, Any], waited: float) -> str:
    lost = "; ".join(_lost(batch) for batch in told.get("under_way", ()))
    return (
        f"engine {pid} still works after {duration(waited)} on {_all(told)}. "
        f"It goes on draining; {_at_once()}" + (f" (to do again: {lost})." if lost else ".")
    )


def _all(told: Mapping[str, Any]) -> str:
    if batches := told.get("under_way"):
        return "; ".join(_batch(batch) for batch in batches)
    if told.get("blocked"):
        return "the disk, which does not take what is finished"
    return "the end of what it records"


def _batch(batch: Mapping[str, Any]) -> str:
    """`batch b3 of 12 cells, 7 finished, at work for 34 s`."""
    done = f", {batch['finished']} finished" if batch["finished"] else ""
    since = duration(batch["seconds"])
    return f"batch {batch['batch']} of {count(batch['cells'], 'cell')}{done}, at work for {since}"


def _lost(batch: Mapping[str, Any]) -> str:
    """`2 s of work on mlp on testbed/a, seed 0, and 11 more cells`."""
    name = batch["unfinished"]
    if not name:
        return "nothing"
    others = batch["cells"] - batch["finished"] - 1
    of = name + (f", and {count(others, 'more cell')}" if others else "")
    return f"{duration(batch['lost_seconds'])} of work on {of}"


def _at_once() -> str:
    return f"`{hint('engine', 'stop', '--now')}` ends it at once"
