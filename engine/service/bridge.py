"""The far end of a link: serves a store to an Augury on another machine, over stdin and stdout."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import threading
import time
from base64 import b64encode
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

from augury.engine.canonical import JSON
from augury.engine.errors import (
    AuguryError,
    EngineAbsentError,
    EngineError,
    StoreError,
    UsageError,
    unknown,
)
from augury.engine.hello import hello
from augury.engine.service import address, client, owner
from augury.engine.service.mux import Mux
from augury.engine.service.protocol import LINE_LIMIT, decode, encode, error_to_json
from augury.engine.service.reader import Reader
from augury.engine.store.connection import SCHEMA_VERSION

PATIENCE_SECONDS = 120.0  # the near end asks every few seconds; silence means that it is gone
LOOK_SECONDS = 0.2  # between two looks for an engine that may come up
HELLO_SECONDS = 5.0
MOST_WAIT = 30.0
_PART = 3 << 16  # bytes of a file in one line


def serve(store: Path, source: int, sink: int) -> None:
    """Greet, then serve until the pipe ends."""
    greeting = {**hello(), "schema": SCHEMA_VERSION, "store": str(store)}
    line = json.dumps({"augury-bridge": greeting}, separators=(",", ":")).encode() + b"\n"
    while line:
        line = line[os.write(sink, line) :]
    _Bridge(store, source, sink).mux.run()


def main(store: Path) -> None:
    """`augury bridge`: nothing but frames goes to the real standard output."""
    if sys.stdout.isatty():
        raise UsageError("`augury bridge` is called by `augury --ssh HOST`, not by hand.")
    source, sink = os.dup(0), os.dup(1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(2, 1)  # whatever prints must not break a frame
    serve(store, source, sink)


class _Bridge:
    """Gives every channel what it wants: the engine's own socket, or somebody who reads."""

    def __init__(self, store: Path, source: int, sink: int) -> None:
        self._store, self._answers = store, _Answers(store)
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


class _Answers:
    """Reads the store for all channels, request by request."""

    def __init__(self, store: Path) -> None:
        self._reader = Reader(store)
        self._seen = False

    def converse(self, peer: socket.socket) -> None:
        with suppress(OSError), peer.makefile("rb") as lines:
            while (line := lines.readline(LINE_LIMIT)).endswith(b"\n"):
                for reply in self._replies(line):
                    peer.sendall(encode(reply))

    def _check_there(self) -> None:
        """A store that is not there reads as an empty one: right for a new one only."""
        there = self._reader.exists()
        self._seen = self._seen or there
        if self._seen and not there:
            raise StoreError(
                f"{self._reader.store} was removed or moved away.", "The store is gone"
            )

    def _replies(self, line: bytes) -> Iterator[dict[str, JSON]]:
        number: JSON = None
        try:
            request = decode(line)
            number, method = request.get("id"), request.get("method")
            params = request.get("params") or {}
            if method not in _METHODS or not isinstance(params, dict):
                raise unknown("method", str(method), _METHODS)
            self._check_there()
            for part in _METHODS[method](self._reader, params):
                yield {"id": number, "result": part}
        except AuguryError as error:
            yield {"id": number, "error": error_to_json(error)}
        except (TypeError, ValueError, LookupError, AttributeError) as error:
            text = " ".join(f"{type(error).__name__}: {error}".split())[:300]
            yield {"id": number, "error": error_to_json(UsageError(f"cannot be meant: {text}"))}
        except OSError as error:
            text = error.strerror or str(error)
            yield {"id": number, "error": error_to_json(EngineError(f"the bridge: {text}."))}


def _query(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    yield reader.query(str(params["name"]), **(params.get("params") or {})).to_json()


def _status(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    yield reader.status()


def _preview(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    from augury.engine.plan import Selection

    yield reader.preview(Selection.from_json(params["selection"]))


def _exists(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    yield reader.exists()


def _log(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    yield reader.log(int(params["start"]), int(params["most"]), int(params.get("file") or 0))


def _fetch(reader: Reader, params: Mapping[str, Any]) -> Iterator[JSON]:
    """An export, part by part."""
    with tempfile.TemporaryDirectory(prefix="augury-") as folder:
        made = Path(folder) / "export"
        given = params.get("params") or {}
        made = reader.export(str(params["name"]), given, str(params["format"]), made)
        with made.open("rb") as file:
            yield from _parts(file)
    yield None


def _parts(file: IO[bytes]) -> Iterator[JSON]:
    while data := file.read(_PART):
        yield b64encode(data).decode()


_METHODS = {
    "query": _query,
    "status": _status,
    "preview": _preview,
    "exists": _exists,
    "log": _log,
    "fetch": _fetch,
}
