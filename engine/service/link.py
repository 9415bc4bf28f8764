"""A store on another machine: one pipe to it through ssh, made again when it breaks."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from augury.engine.canonical import JSON
from augury.engine.errors import EngineError, LinkLostError
from augury.engine.hello import PROTOCOL, source_hash
from augury.engine.service.dial import Address, Call
from augury.engine.service.mux import Mux

PING_SECONDS = 2.0  # of silence, then the other end is asked whether it is there
STALL_SECONDS = 3.0  # without an answer: the link is shown as stalled
DEAD_SECONDS = 15.0  # without an answer: it is given up and made again
GREETING_SECONDS = 60.0  # an interpreter on a busy machine with a slow disk
_WAITS = (0.5, 1.0, 2.0, 4.0, 8.0, 15.0)  # seconds between two tries
_LOOK_SECONDS = 0.5


@dataclass(frozen=True, slots=True)
class LinkState:
    """How a link is: up, stalled or down; since when (monotonic seconds); why."""

    kind: str = "down"
    since: float = 0.0
    why: str = ""


class Link:
    """Gives sockets that lead to a far store. All methods may be called from any thread."""

    def __init__(self, address: Address) -> None:
        """Nothing is called before `dial`."""
        self.address = address
        self.far: Mapping[str, JSON] = {}  # what the bridge said of itself
        self.state = LinkState(since=time.monotonic())
        self.dials = 0  # how many times the pipe was made
        self._changed = threading.Condition()
        self._dialling = threading.Lock()
        self._call: Call | None = None
        self._mux: Mux | None = None
        self._keeper: threading.Thread | None = None
        self._told: Callable[[], None] = lambda: None
        self._hurried = threading.Event()
        self._closed = False

    def __str__(self) -> str:
        """As a person names it."""
        return str(self.address)

    @property
    def same_sources(self) -> bool:
        """Whether both ends are of the same sources; if not, the store can be read only."""
        return self.far.get("source_hash") == source_hash() and self.far.get("protocol") == PROTOCOL

    def advice(self) -> str:
        """What to do where the two ends differ."""
        from augury.engine.hello import code_version

        host, theirs, ours = self.address.host, self.far.get("version"), code_version()
        differ = f"has Augury {theirs}, this is {ours}" if theirs != ours else "has other sources"
        return (
            f"{host} {differ}: from here its store can be read, but nothing can be started. "
            f"Install the same at both ends, or work there: ssh {host}."
        )

    def dial(self, *, quiet: bool, slow: Callable[[], None] = lambda: None) -> None:
        """Make the pipe; `quiet` where nobody can answer a question of ssh's.

        Otherwise it may take as long as a person likes; `slow` is called once when it takes long.

        Raises `EngineError`, in ssh's own words.
        """
        with self._dialling:
            if self._closed:
                raise LinkLostError(f"the link to {self} is closed.")
            if self._mux is not None and self._mux.alive:
                return
            self._call = call = Call(self.address, quiet=quiet)
            try:
                far, rest = call.greeting(GREETING_SECONDS if quiet else None, slow)
            except BaseException:
                call.end()
                call.release()
                raise
            mux = Mux(call.source, call.sink, rest=rest, ping=PING_SECONDS, patience=DEAD_SECONDS)
            self._mux, self.far = mux, far
            self.dials += 1
            threading.Thread(target=self._carry, args=(call, mux), name="link", daemon=True).start()
        self._become("up", "")

    def keep(self, told: Callable[[], None]) -> None:
        """From now on make the pipe again whenever it breaks; `told` is called on every change."""
        self._told = told
        if self._keeper is None:
            self._keeper = threading.Thread(target=self._keep, name="keeper", daemon=True)
            self._keeper.start()

    def open(self, wanted: str, wait: float = 0.0) -> tuple[socket.socket, Callable[[], bool]]:
        """A socket to what is wanted there: "store", "engine", or "start" (an engine if need be).

        With it, what tells whether the pipe that it goes through is lost.

        `wait`: seconds in which an engine may still come up.

        Raises:
            LinkLostError: the link is down.
        """
        if self._keeper is None and self.state.kind == "down":
            self.dial(quiet=True)
        mux = self._mux
        if mux is None or self.state.kind == "down":
            raise LinkLostError(f"the link to {self.address.host} is down.")
        try:
            return mux.open({"wanted": wanted, "wait": wait}), lambda: not mux.alive
        except OSError:
            raise LinkLostError(f"the link to {self.address.host} broke.") from None

    def wait_until_up(self, seconds: float) -> bool:
        """Whether it is up now or within so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: self.state.kind != "down", seconds)

    def hurry(self) -> None:
        """Try now, not when the waiting is over."""
        self._hurried.set()

    def close(self) -> None:
        """End it, within a moment, whatever state it is in."""
        self._closed = True
        self._hurried.set()
        mux, call = self._mux, self._call
        if mux is not None:
            mux.stop()
        if call is not None:
            call.end()

    def _carry(self, call: Call, mux: Mux) -> None:
        mux.run()
        call.end()
        call.release()
        why = call.words() or f"the connection to {self.address.host} ended"
        if mux.silence() >= DEAD_SECONDS / 2:
            why = f"{self.address.host} does not answer"
        self._become("down", why)
        self._hurried.set()  # the first try comes at once

    def _keep(self) -> None:
        failures = 0
        self._told()
        while not self._closed:
            if self.state.kind != "down":
                failures = 0
                self._hurried.wait(_LOOK_SECONDS)
                self._hurried.clear()
                self._look()
                continue
            try:
                self.dial(quiet=True)
            except EngineError as error:
                self._become("down", error.message)
                self._hurried.clear()
                self._hurried.wait(_WAITS[min(failures, len(_WAITS) - 1)])
                failures += 1

    def _look(self) -> None:
        mux = self._mux
        if mux is not None and mux.alive:
            stalled = mux.silence() >= STALL_SECONDS
            self._become("stalled" if stalled else "up", "")

    def _become(self, kind: str, why: str) -> None:
        with self._changed:
            now = self.state
            if (kind, why) == (now.kind, now.why):
                return
            # What it is down for may change; since when it is, does not.
            since = now.since if kind == now.kind else time.monotonic()
            if kind == "stalled" and self._mux is not None:
                since -= self._mux.silence()
            self.state = LinkState(kind, since, why)
            self._changed.notify_all()
        if not self._closed:
            self._told()


Store: TypeAlias = Path | Link
