"""Requests go out to threads, answers come back as messages; over a link, once it is up."""

from __future__ import annotations

import asyncio
import shlex
from collections.abc import Callable
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from textual.message import Message
from textual.message_pump import MessagePump

from augury.engine.errors import (
    AuguryError,
    EngineError,
    LinkLostError,
    StoreError,
    StoreLockedError,
    UsageError,
)
from augury.engine.paths import store_directory
from augury.tui import crash
from augury.tui.follower import GONE, GONE_TITLE, Follower, store_exists
from augury.tui.lanes import Lane
from augury.tui.messages import Failed, LinkChanged

if TYPE_CHECKING:
    from augury.engine.service.link import Store
    from augury.engine.service.reader import Reader

_NOTICE_SECONDS = 0.05  # a request may learn that the link is lost before the link itself does
_LINK_SECONDS = 0.2  # between two looks whether an answer is still wanted
# Titles of dialogs for errors that bring none of their own.
_TITLES = (
    (UsageError, "This cannot be meant"),
    (StoreLockedError, "The store is held by somebody else"),
    (StoreError, "The store cannot be read or written"),
    (EngineError, "The engine did not do it"),
)


class Asking:
    """One store, here or at the end of a link, and the threads that wait for its answers."""

    def __init__(self, store: Store) -> None:
        """Serve the store in this directory, or the one that a link leads to.

        Nothing is opened before it is asked for. What is asked while the link is down is asked
        once it is up again.
        """
        self.store = store
        self.has_read = False  # anything of the store, ever
        self._seen = False
        self._lanes: dict[str, Lane] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._follower: Follower | None = None
        self._reader: Reader | None = None

    def start(self, app: MessagePump) -> None:
        """Begin to follow the engine; its news go to `app`."""
        if self._follower is None:
            self._loop = asyncio.get_running_loop()
            self._follower = Follower(self.store, lambda message: self._deliver(app, message))
            self._follower.start()
            if not isinstance(self.store, Path):
                self.store.keep(lambda: self._tell_link(app))

    def close(self) -> None:
        """Hang up and let what is being read end."""
        if not isinstance(self.store, Path):
            self.store.close()
        if self._follower is not None:
            self._follower.stop()
        for lane in self._lanes.values():
            lane.close(0.2)

    def ended(self, seconds: float) -> bool:
        """Whether no thread is at work any more, waiting for them for at most `seconds`."""
        threads = [lane.thread for lane in self._lanes.values()]
        threads.append(self._follower.thread if self._follower else None)
        deadline = monotonic() + seconds
        for thread in filter(None, threads):
            thread.join(max(deadline - monotonic(), 0.0))
        return not any(thread.is_alive() for thread in filter(None, threads))

    def hurry(self) -> None:
        """Try at once to make a lost link again."""
        if not isinstance(self.store, Path):
            self.store.hurry()

    @property
    def unsent(self) -> int:
        """Commands that wait for the link: leaving now would drop them."""
        lane = self._lanes.get("command")
        if isinstance(self.store, Path) or self.store.state.kind == "up" or lane is None:
            return 0
        return lane.left

    def same_as(self, command: str) -> str:
        """The command, with the store named where it is not the one a bare command opens."""
        if not isinstance(self.store, Path):
            return shlex.join(["augury", *self.store.address.options()]) + command[len("augury") :]
        named = self.store.absolute() != store_directory()
        return f"{command} --store {shlex.quote(str(self.store))}" if named else command

    def ask(self, lane: str, target: MessagePump, make: Callable[[], Message]) -> None:
        """Have a thread make the answer, or what is said of its failure, and post it."""
        if self._loop is None:
            self._loop = asyncio.get_running_loop()

        def work(is_wanted: Callable[[], bool]) -> None:
            message = self._made(lane, make, is_wanted)
            if message is not None and is_wanted():
                self._deliver(target, message)

        if lane not in self._lanes:
            self._lanes[lane] = Lane(lane, newest_only=lane != "command")
        self._lanes[lane].put(work)

    def tell(self, target: MessagePump, message: Message) -> None:
        """Post how far a request is; in a thread of `ask` only."""
        self._deliver(target, message)

    def reader(self) -> Reader:
        """Who reads the store; in a thread of `ask` only. Raises `StoreError`."""
        self._check_store()
        if self._reader is None:
            from augury.engine.service.reader import Reader

            self._reader = Reader(self.store)
        return self._reader

    def query(self, name: str, /, **params: Any) -> Any:
        """A named query's table; in a thread of `ask` only."""
        table = self.reader().query(name, **params)
        self.has_read = True
        return table

    def call(self, method: str, **params: Any) -> Any:
        """What an engine answers, started if need be; in a thread of `ask` only."""
        from augury.engine.service import client

        self._check_store()
        engine = client.ensure_for(method, self.store)
        try:
            return engine.call(method, **params)
        finally:
            engine.close()

    def _made(
        self, lane: str, make: Callable[[], Message], is_wanted: Callable[[], bool]
    ) -> Message | None:
        """The answer, or what is said of its failure; None once nobody wants it any more."""
        while True:
            try:
                return make()
            except LinkLostError:
                sleep(_NOTICE_SECONDS)
                while not self._is_up():
                    if not is_wanted():
                        return None
            except AuguryError as error:
                return Failed(_title(error), error.message, lane, error)
            except Exception as error:  # noqa: BLE001
                report = crash.write_report(error)
                return Failed("Augury's own error", f"This request failed. Report: {report}", lane)

    def _is_up(self) -> bool:
        return isinstance(self.store, Path) or self.store.wait_until_up(_LINK_SECONDS)

    def _deliver(self, target: MessagePump, message: Message) -> None:
        if self._loop is not None and not self._loop.is_closed():
            try:
                self._loop.call_soon_threadsafe(target.post_message, message)
            except RuntimeError:
                return  # the loop closed in between: nobody is left to tell

    def _check_store(self) -> None:
        """A store that is not there reads as an empty one: right for a new one only."""
        if not isinstance(self.store, Path):
            return  # the far end looks itself
        there = store_exists(self.store)
        self._seen = self._seen or there
        if self._seen and not there:
            raise StoreError(GONE.format(self.store), GONE_TITLE)

    def _tell_link(self, app: MessagePump) -> None:
        assert not isinstance(self.store, Path)
        advice = "" if self.store.same_sources else self.store.advice()
        self._deliver(app, LinkChanged(self.store.state, advice))


def _title(error: AuguryError) -> str:
    if error.title != "Error":
        return error.title
    return next((title for kind, title in _TITLES if isinstance(error, kind)), error.title)
