"""A peer that speaks as an engine does, at a pace one chooses: for measuring who listens.

`python scripted_engine.py STORE RUNS CELLS HERTZ`: so many runs of so many cells, each with one
batch that tells of its progress so often. Reads the store's own tables for all other questions.
"""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from augury.engine.hello import hello
from augury.engine.service import address
from augury.engine.service.lock import EngineLock
from augury.engine.service.protocol import decode, encode, error_to_json, now
from augury.engine.store import queries
from augury.engine.store.connection import SCHEMA_VERSION, open_read_only

BATCH = 8  # cells at work in each run
STEPS = 10_000
STATES = ("cell_id", "scenario", "label", "problem", "seed", "status", "attempts", "device",
          "seconds", "finished", "error_kind", "error_message", "position")  # fmt: skip
USES = {"percent": 98, "memory": 38912, "total": 143771, "celsius": 54}


class Script:
    """What is told, tick by tick."""

    def __init__(self, store: Path, runs: int, cells: int, hertz: float) -> None:
        """Know the runs; nothing is told yet."""
        self.store, self.cells, self.seconds = store, cells, 1.0 / hertz
        self.names = [f"rlive{n:02}" for n in range(runs)]
        self.since = time.monotonic()

    @property
    def tick(self) -> int:
        """How many times progress was told."""
        return int((time.monotonic() - self.since) / self.seconds)

    def done(self) -> int:
        """Cells of each run that are done: one of its batch every five ticks."""
        return min(self.tick // 5, self.cells)

    def run(self, name: str) -> dict[str, Any]:
        """A run, as `status` tells of it."""
        done = self.done()
        left = self.cells - done
        return {
            "run_id": name, "command": "augury run testbed --agent ensemble", "state": "running",
            "reason": "", "created": f"2026-01-01T00:00:{name[-2:]}Z", "total": self.cells,
            "done": done, "failed": 0, "pending": max(left - BATCH, 0),
            "running": min(BATCH, left), "waiting_batches": left // BATCH,
            "seconds_left": 5.0 * left * self.seconds, "guessed_cells": 0, "priority": 0,
        }  # fmt: skip

    def status(self) -> dict[str, Any]:
        """The whole status."""
        workers = [
            {"name": f"gpu{n}", "pid": 1, "device": "H200", "state": "busy", "batch": f"b{n}",
             "cells": BATCH, "gpu": "", "use": USES}
            for n in range(len(self.names))
        ]  # fmt: skip
        engine = {"pid": os.getpid(), "version": "0", "source_hash": "", "uptime_seconds": 1.0,
                  "store": str(self.store), "state": "running", "workers": workers}  # fmt: skip
        return {"engine": engine, "runs": [self.run(name) for name in self.names]}

    def states(self, name: str) -> dict[str, Any]:
        """The cells of one run."""
        done = self.done()
        rows = [
            [self.cell(name, n), "testbed", "ensemble", f"testbed/d{n % 9}-l10-t0.1/e{n % 5}", n,
             "done" if n < done else "pending", 0, "cpu", 1.25 if n < done else None, None, None,
             None, n]
            for n in range(self.cells)
        ]  # fmt: skip
        return {"columns": STATES, "rows": rows, "meta": {}}

    def cell(self, name: str, number: int) -> str:
        """A cell's id."""
        return f"{name}-{number:06}"

    def batch(self, name: str) -> list[str]:
        """The cells at work."""
        done = self.done()
        return [self.cell(name, n) for n in range(done, min(done + BATCH, self.cells))]

    def begun(self, name: str) -> dict[str, Any]:
        """A batch is at work."""
        return {"event": "batch", "batch": f"b{name}", "state": "begun", "runs": [name],
                "worker": "gpu0", "cells": self.batch(name)}  # fmt: skip

    def events(self) -> Iterator[dict[str, Any]]:
        """All that happens, when it happens."""
        yield from ({"event": "run", "run": self.run(name)} for name in self.names)
        yield from map(self.begun, self.names)
        last = self.tick
        while True:
            time.sleep(self.since + (last + 1) * self.seconds - time.monotonic())
            last += 1
            for place, name in enumerate(self.names):
                step = (last * 37 + place * 411) % STEPS
                yield {"event": "progress", "run": name, "runs": [name], "batch": f"b{name}",
                       "worker": "gpu0", "cells": self.batch(name), "label": "ensemble",
                       "scenario": "testbed", "problem": "testbed/d2-l10-t0.1/e0",
                       "phase": "train", "step": step, "num_steps": STEPS,
                       "loss": 2.0 / (1 + step)}  # fmt: skip
            if last % 5 == 0 and 0 < self.done() <= self.cells:
                for name in self.names:
                    ended = [self.cell(name, self.done() - 1)]
                    yield {"event": "cells", "run_ids": [name], "done": ended, "failed": []}
                    yield self.begun(name)
                    yield {"event": "run", "run": self.run(name)}
                uses = {f"gpu{n}": USES | {"percent": 90 + (last + n) % 10}
                        for n in range(len(self.names))}  # fmt: skip
                yield {"event": "devices", "devices": uses}


def serve(store: Path, script: Script) -> None:
    """Answer until killed."""
    lock = EngineLock(store)
    if not lock.acquire():
        raise SystemExit("an engine serves this store")
    con = open_read_only(store)
    listener = address.bind(store)
    listener.setblocking(True)
    print("ready", flush=True)
    while True:
        peer, _ = listener.accept()
        threading.Thread(target=_converse, args=(peer, script, con), daemon=True).start()


def _converse(peer: socket.socket, script: Script, con: Any) -> None:
    said = {**hello(), "schema": SCHEMA_VERSION}
    try:
        peer.sendall(encode({"hello": said}))
        for line in peer.makefile("rb"):
            request = decode(line)
            method, params = request["method"], request.get("params") or {}
            reply: dict[str, Any] = {"id": request["id"]}
            try:
                reply["result"] = _answer(method, params, script, con)
            except Exception as error:  # noqa: BLE001
                reply["error"] = error_to_json(error)
            peer.sendall(encode(reply))
            if method == "subscribe":
                for event in script.events():
                    peer.sendall(encode({"time": now(), **event}))
    except OSError:
        pass  # it went away


def _answer(method: str, params: dict[str, Any], script: Script, con: Any) -> Any:
    if method == "subscribe":
        return None
    if method == "status":
        return script.status()
    if method != "query":
        raise ValueError(f"this script knows no {method}")
    given = params.get("params") or {}
    if params["name"] == "states":
        return script.states(str(given.get("run")))
    return queries.run(con, params["name"], given).to_json()


if __name__ == "__main__":
    place = Path(sys.argv[1])
    serve(place, Script(place, int(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])))
