"""Talking to a store's engine, and starting one on demand. Synchronous; imports nothing heavy."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON
from augury.engine.errors import EngineAbsentError, EngineError, EngineGoneError, LinkLostError
from augury.engine.hello import PROTOCOL, source_hash
from augury.engine.service import address, data_place, owner
from augury.engine.service.protocol import (
    MUTATING,
    decode,
    encode,
    error_from_json,
)
from augury.engine.store.connection import SCHEMA_VERSION

if TYPE_CHECKING:
    import subprocess

    from augury.engine.service.link import Link, Store

START_SECONDS = 20.0
CALL_SECONDS = 120.0
HELLO_SECONDS = 5.0
FAR_SECONDS = 30.0  # over a link, which is given up itself when it is silent for half of that


class Client:
    """One connection to an engine. Calls may come from any thread, one after another."""

    def __init__(
        self,
        store: Store,
        timeout: float = CALL_SECONDS,
        *,
        wanted: str = "engine",
        wait: float = 0.0,
    ) -> None:
        """Connect. Raises `EngineAbsentError` when no engine serves the store.

        Over a link, `wanted` may be "start" for an engine that is started if need be, or "store"
        for the far end's own reading of the store; an engine may come up within `wait` seconds.
        """
        self._store = store
        self._guard = threading.Lock()
        self._number = 0
        self._lost: Callable[[], bool] = lambda: False
        if isinstance(store, Path):
            self._socket = address.connect(store, HELLO_SECONDS)
        else:
            self._socket, self._lost = store.open(wanted, wait)
            self._socket.settimeout(FAR_SECONDS + wait)
        self._file = self._socket.makefile("rb")
        try:
            self.hello: Mapping[str, JSON] = self._introduced(wanted)
        except BaseException:
            self.close()
            raise
        self._socket.settimeout(timeout)

    def _introduced(self, wanted: str) -> Mapping[str, JSON]:
        if wanted == "store" and not isinstance(self._store, Path):
            return self._store.far  # said once for all, which saves a round trip
        try:
            said = self._read()
        except LinkLostError:
            raise
        except EngineError as error:
            raise EngineAbsentError(error.message) from None
        if "error" in said:  # of a bridge: why there is nothing to talk to
            raise error_from_json(said["error"])
        if "hello" not in said:
            raise EngineError(f"whatever listens in {self._store} is no engine of Augury.")
        return said["hello"]

    @property
    def compatible(self) -> bool:
        """Whether engine and client are of the same sources; if not, only reading is allowed."""
        return (
            self.hello.get("protocol") == PROTOCOL
            and self.hello.get("schema") == SCHEMA_VERSION
            and self.hello.get("source_hash") == source_hash()
        )

    @property
    def link_lost(self) -> bool:
        """Whether the link that it went over is gone: the engine may well live on."""
        return self._lost()

    def call(self, method: str, **params: JSON) -> Any:
        """Ask the engine. Raises the error it answers with; `EngineError` when it goes away."""
        if method in MUTATING and not self.compatible:
            raise EngineError(self.advice())
        if method in data_place.STARTING and isinstance(self._store, Path):
            params = {"data": data_place.own(), **params}  # far cells read what the far side has
        with self._guard:
            self._number += 1
            self._send({"id": self._number, "method": method, "params": params})
            return _result(self._read())

    def stream(self, method: str, **params: JSON) -> Iterator[Any]:
        """As `call`, for an answer in parts; it ends with the part None."""
        with self._guard:
            self._number += 1
            self._send({"id": self._number, "method": method, "params": params})
            while (part := _result(self._read())) is not None:
                yield part

    def advice(self) -> str:
        """What to do where the engine's sources are not ours."""
        if not isinstance(self._store, Path):
            if not self._store.same_sources:
                return self._store.advice()
            there = f" on {self._store.address.host}"
        else:
            there = ""
        return (
            f"the engine (process {self.hello.get('pid')}) runs other sources than this "
            f"command; run `augury engine restart`{there}, then try again."
        )

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
            raise self._gone(f" ({error})") from None

    def _read(self) -> dict[str, JSON]:
        try:
            line = self._file.readline()
        except TimeoutError:
            raise EngineError(f"the engine of {self._store} does not answer.") from None
        except (OSError, ValueError) as error:
            raise self._gone(f" ({error})") from None
        if not line.endswith(b"\n"):
            raise self._gone("")
        return decode(line)

    def _gone(self, why: str) -> EngineError:
        if self._lost():
            return LinkLostError(f"the link to {self._store} broke.")
        return EngineGoneError(f"the engine went away{why}.")


def _result(reply: Mapping[str, JSON]) -> Any:
    if "error" in reply:
        raise error_from_json(reply["error"])
    return reply.get("result")


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


def connect(store: Store, wait: float = 0.0) -> Client:
    """A client of the engine that serves the store; far ones may come up within `wait` seconds.

    Raises:
        EngineAbsentError: none does.
        StoreLockedError: somebody else's does.
        LinkLostError: the store is elsewhere, and the link to it is down.
    """
    if isinstance(store, Path):
        owner.check_not_in_use(store)
    return Client(store, wait=wait)


def ensure_for(method: str, store: Store, seconds: float = START_SECONDS) -> Client:
    """As `ensure`; for a method that starts cells, an idle engine that reads data elsewhere ends.

    The one that is started then has our environment. An engine at work stays, and refuses cells
    that need data from elsewhere.
    """
    engine = ensure(store, seconds)
    if method not in data_place.STARTING or not isinstance(store, Path) or not engine.compatible:
        return engine
    try:
        made_way = data_place.make_way(engine.hello, engine.call, store, seconds)
    except BaseException:
        engine.close()
        raise
    if not made_way:
        return engine
    engine.close()
    return ensure(store, seconds)


def ensure(store: Store, seconds: float = START_SECONDS) -> Client:
    """A client of the store's engine, which is started if need be.

    Whoever else starts one at the same time: one of the engines wins, and this is its client.

    Raises:
        EngineError: it does not come up in time, or fails; with the last line of its log.
        StoreError: the directory cannot be used, or is somebody else's.
        LinkLostError: the store is elsewhere, and the link to it is down.
    """
    if not isinstance(store, Path):
        return _ensure_far(store, seconds)
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


def _ensure_far(link: Link, seconds: float) -> Client:
    if link.same_sources:
        return Client(link, wanted="start", wait=seconds)
    try:
        return Client(link)
    except EngineAbsentError:  # none is started for a request that it would refuse
        raise EngineError(link.advice()) from None


LOST_RACE = 4  # exit status of an engine that found another one
