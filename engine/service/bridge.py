"""The far end of a link: serves a store to an Augury on another machine, over stdin and stdout."""

from __future__ import annotations

import json
import os
import socket
import sys
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from augury.engine.canonical import JSON
from augury.engine.errors import (
    EngineAbsentError,
    UsageError,
    unknown,
)
from augury.engine.hello import hello
from augury.engine.service import address, client, owner
from augury.engine.service.answers import Answers, Examine
from augury.engine.service.mux import Mux
from augury.engine.service.protocol import encode, error_to_json
from augury.engine.store.connection import SCHEMA_VERSION

PATIENCE_SECONDS = 120.0  # the near end asks every few seconds; silence means that it is gone
LOOK_SECONDS = 0.2  # between two looks for an engine that may come up
HELLO_SECONDS = 5.0
MOST_WAIT = 30.0


def serve(store: Path, source: int, sink: int, examine: Examine) -> None:
    """Greet, then serve until the pipe ends."""
    greeting = {**hello(), "schema": SCHEMA_VERSION, "store": str(store)}
    line = json.dumps({"augury-bridge": greeting}, separators=(",", ":")).encode() + b"\n"
    while line:
        line = line[os.write(sink, line) :]
    _Bridge(store, source, sink, examine).mux.run()


def main(store: Path, examine: Examine) -> None:
    """`augury bridge`: nothing but frames goes to the real standard output.

    `examine`: what the doctor finds here, finding by finding.
    """
    if sys.stdout.isatty():
        raise UsageError("`augury bridge` is called by `augury --ssh HOST`, not by hand.")
    source, sink = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)  # whatever prints must not break a frame
    serve(store, source, sink, examine)


class _Bridge:
    """Gives every channel what it wants: the engine's own socket, or somebody who reads."""

    def __init__(self, store: Path, source: int, sink: int, examine: Examine) -> None:
        self._store, self._answers = store, Answers(store, examine)
        self.mux = Mux(source, sink, self._opened, patience=PATIENCE_SECONDS)

    def _opened(self, number: int, wish: Mapping[str, JSON]) -> None:
        threading.Thread(target=self._grant, args=(number, wish), daemon=True).start()

    def _grant(self, number: int, wish: Mapping[str, JSON]) -> None:
        mine, inner = socket.socketpair()
        try:
            wanted, wait = str(wish.get("wanted")), float(wish.get("wait") or 0.0)
            if wanted == "store":
                self.mux.adopt(number, inner)
                with mine:
                    self._answers.converse(mine)
                return
            if wanted == "start":
                client.ensure(self._store).close()
            elif wanted != "engine":
                raise unknown("wish", wanted, ("store", "engine", "start"))
            self.mux.adopt(number, self._engine(min(wait, MOST_WAIT)))
        except Exception as error:  # noqa: BLE001
            with suppress(OSError):
                mine.sendall(encode({"error": error_to_json(error)}))
            self.mux.adopt(number, inner)
        finally:
            mine.close()

    def _engine(self, wait: float) -> socket.socket:
        """A connection to the engine itself, whose hello is the first that goes over."""
        deadline = time.monotonic() + wait
        while True:
            owner.check_not_in_use(self._store)
            try:
                found = address.connect(self._store, HELLO_SECONDS)
            except EngineAbsentError:
                if time.monotonic() > deadline or not self.mux.alive:
                    raise
                time.sleep(LOOK_SECONDS)
            else:
                found.settimeout(None)
                return found
