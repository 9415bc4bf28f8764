"""Where an engine reads data sets: it keeps the environment that it was started with."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from augury.engine.errors import EngineError, UsageError
from augury.engine.paths import cache_directory, data_directory

# Methods that start cells: what is asked with them says where the caller reads data.
STARTING = frozenset({"submit", "resume", "retry"})
_ADVICE = "wait for its end, or `augury engine restart`."


def own() -> dict[str, str]:
    """This process's: `placed` by hand (AUGURY_DATA, "" for nowhere), and what is `fetched`."""
    placed = data_directory()
    return {
        "placed": os.path.abspath(placed) if placed else "",
        "fetched": os.path.abspath(cache_directory() / "data"),
    }


def same(one: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether both lead to the same directories, links followed."""
    return _real(one) == _real(other)


def refuse(engine: Mapping[str, Any], caller: Mapping[str, Any]) -> None:
    """Raise `UsageError` in one line where an engine at work and who asks it differ."""
    if same(engine, caller):
        return
    name = "placed" if _real(engine)[0] != _real(caller)[0] else "fetched"
    theirs, ours = (f"in {place[name]}" if place[name] else "nowhere" for place in (engine, caller))
    what = "AUGURY_DATA" if name == "placed" else "fetched data"
    raise UsageError(
        f"the running engine reads data ({what}) {theirs}, this command {ours}: {_ADVICE}"
    )


def make_way(
    hello: Mapping[str, Any], call: Callable[[str], Any], store: Path, seconds: float
) -> bool:
    """End an idle engine that reads data elsewhere than we do; False if it stays.

    `hello` is how it introduced itself, `call` asks it.

    Raises `EngineError` where it does not end in time.
    """
    from augury.engine.service import liveness, lock

    told = hello.get("data")
    if told is None or same(told, own()):
        return False
    if not call("make_way"):
        return False
    pid, deadline = hello["pid"], time.monotonic() + seconds
    while lock.held(store) and (liveness.read(store) or {}).get("pid", pid) == pid:
        if time.monotonic() > deadline:
            raise EngineError(f"the idle engine (process {pid}) of {store} does not end.")
        time.sleep(0.01)
    return True


def _real(place: Mapping[str, Any]) -> tuple[str, str]:
    placed, fetched = str(place.get("placed") or ""), str(place.get("fetched") or "")
    return os.path.realpath(placed) if placed else "", os.path.realpath(fetched)
