"""Talking to a store's engine, and starting one on demand. Synchronous; imports nothing heavy."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON
from augury.engine.errors import EngineAbsentError, EngineError
from augury.engine.hello import PROTOCOL, source_hash
from augury.engine.service import address, owner
from augury.engine.service.protocol import (
    MUTATING,
    decode,
    encode,
    error_from_json,
)
from augury.engine.store.connection import SCHEMA_VERSION

if TYPE_CHECKING:
    import subprocess

START_SECONDS = 20.0
CALL_SECONDS = 120.0
HELLO_SECONDS = 5.0


class Client:
    """One connection to an engine. Calls may come from any thread, one after another."""

    def __init__(self, store: Path, timeout: float = CALL_SECONDS) -> None:
        """Connect. Raises `EngineAbsentError` when no engine serves the store."""
        self._store = store
        self._guard = threading.Lock()
        self._number = 0
        self._socket = address.connect(store, HELLO_SECONDS)
        self._file = self._socket.makefile("rb")
        try:
            self.hello: dict[str, JSON] = self._read()["hello"]
        except EngineError as error:
            self.close()
            raise EngineAbsentError(error.message) from None
        except KeyError:
            self.close()
            raise EngineError(f"whatever listens in {store} is no engine of Augury.") from None
        self._socket.settimeout(timeout)

    @property
    def compatible(self) -> bool:
        """Whether engine and client are of the same sources; if not, only reading is allowed."""
        return (
            self.hello.get("protocol") == PROTOCOL
            and self.hello.get("schema") == SCHEMA_VERSION
            and self.hello.get("source_hash") == source_hash()
        )

    def call(self, method: str, **params: JSON) -> Any:
        """Ask the engine. Raises the error it answers with; `EngineError` when it goes away."""
        if method in MUTATING and not self.compatible:
            raise EngineError(
                f"the engine (process {self.hello.get('pid')}) runs other sources than this "
                "command; run `augury engine restart`, then try again."
            )
        with self._guard:
            self._number += 1
            self._send({"id": self._number, "method": method, "params": params})
            reply = self._read()
        if "error" in reply:
            raise error_from_json(reply["error"])
        return reply.get("result")

    def subscribe(self) -> Subscription:
        """Events, on a connection of its own, beginning with the state of every live run."""
        return Subscription(Client(self._store))

    def close(self) -> None:
        """Hang up."""
        with contextlib.suppress(OSError):
            self._file.close()
        self._socket.close()

    def __enter__(self) -> Client:
        """For `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """Hang up."""
        self.close()

    def _send(self, message: dict[str, JSON]) -> None:
        try:
            self._socket.sendall(encode(message))
        except OSError as error:
            raise EngineError(f"the engine went away ({error}).") from None

    def _read(self) -> dict[str, JSON]:
        try:
            line = self._file.readline()
        except TimeoutError:
            raise EngineError(f"the engine of {self._store} does not answer.") from None
        except (OSError, ValueError) as error:
            raise EngineError(f"the engine went away ({error}).") from None
        if not line.endswith(b"\n"):
            raise EngineError("the engine went away.")
        return decode(line)


class Subscription(Iterator[dict[str, JSON]]):
    """Blocks for the next event; ends when the engine goes, or on `close` in another thread."""

    def __init__(self, client: Client) -> None:
        """Ask for events on a connection that is used for nothing else."""
        self._client = client
        self._closed = False
        client.call("subscribe")
        client._socket.settimeout(None)

    def __iter__(self) -> Subscription:
        """Itself."""
        return self

    def __next__(self) -> dict[str, JSON]:
        """The next event."""
        try:
            return self._client._read()
        except EngineError:
            self.close()
            raise StopIteration from None

    def close(self) -> None:
        """End it; wakes a thread that waits for an event."""
        if not self._closed:
            self._closed = True
            with contextlib.suppress(OSError):
                self._client._socket.shutdown(socket.SHUT_RDWR)
            self._client.close()

    def __enter__(self) -> Subscription:
        """For `with`."""
        return self

    def __exit__(self, *_: object) -> None:
        """End it."""
        self.close()


def connect(store: Path) -> Client:
    """A client of the engine that serves the store.

    Raises:
        EngineAbsentError: none does.
        StoreLockedError: somebody else's does.
    """
    owner.check_not_in_use(store)
    return Client(store)


def ensure(store: Path, seconds: float = START_SECONDS) -> Client:
    """A client of the store's engine, which is started if need be.

    Whoever else starts one at the same time: one of the engines wins, and this is its client.

    Raises:
        EngineError: it does not come up in time, or fails; with the last line of its log.
        StoreError: the directory cannot be used, or is somebody else's.
    """
    owner.check_ours(store)
    from augury.engine.executors.tail import last_line
    from augury.engine.service import launch, lock, log  # 20 ms that only a start needs

    deadline = time.monotonic() + seconds
    child: subprocess.Popen[bytes] | None = None
    while True:
        try:
            return Client(store)
        except EngineAbsentError:
            pass
        code = child.poll() if child else None
        if code not in (None, 0) and not lock.held(store):
            time.sleep(0.05)  # the winner of a race may just have come and gone
            with contextlib.suppress(EngineAbsentError):
                return Client(store)
            if code != LOST_RACE:
                reason = last_line(store / log.NAME) or f"exit status {code}"
                raise EngineError(f"the engine did not start: {reason}")
        if time.monotonic() > deadline:
            reason = last_line(store / log.NAME)
            raise EngineError(
                f"the engine of {store} did not answer in {seconds:g} s. Its log ends: {reason}"
            )
        if (child is None or code is not None) and not lock.held(store):
            child = launch.spawn(store)
        time.sleep(0.01)


LOST_RACE = 4  # exit status of an engine that found another one
