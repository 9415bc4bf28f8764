"""Follows the engine: finds one, listens, notices when it goes, and looks for the next."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

from textual.message import Message

from augury.engine.errors import AuguryError
from augury.tui.messages import EngineGone, EngineSpoke, Failed, StatusRead, StoreGone

if TYPE_CHECKING:
    from augury.engine.service.client import Client, Subscription

GONE = (
    "{} was removed or moved away while this window showed it. "
    "Put it back, or quit and start again for a new store."
)
_LOOK_SECONDS = 0.4  # between two looks for an engine; one look is one refused connection


class Follower:
    """A thread that turns the engine's events into messages."""

    def __init__(self, store: Path, deliver: Callable[[Message], None]) -> None:
        """Follow the engine of `store`; `deliver` may be called from any thread."""
        self._store = store
        self._deliver = deliver
        self._stop = Event()
        self._events: Subscription | None = None
        self._thread = Thread(target=self._run, name="follower", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self) -> None:
        """Hang up. The engine does not mind."""
        self._stop.set()
        events = self._events
        if events is not None:
            events.close()

    @property
    def thread(self) -> Thread:
        """Its thread."""
        return self._thread

    def _run(self) -> None:
        from augury.engine.service import client

        misses, seen = 0, False
        while not self._stop.is_set():
            try:
                engine = client.connect(self._store)
            except (AuguryError, OSError):
                there = store_exists(self._store)
                if seen and not there:
                    self._deliver(StoreGone())
                elif there and not seen:
                    misses = min(misses, 1)  # it came, or came back
                seen, misses = there, misses + 1
                if misses == 2:  # at the start the board goes first
                    self._deliver(stored_status(self._store))
                self._stop.wait(_LOOK_SECONDS)
                continue
            misses, seen = 0, True
            try:
                self._listen(engine)
            except (AuguryError, OSError, ValueError):
                pass  # it went away in the middle of a line: the same as at its end
            finally:
                engine.close()
            if not self._stop.is_set():
                self._deliver(EngineGone())

    def _listen(self, engine: Client) -> None:
        with engine.subscribe() as events:
            self._events = events
            self._deliver(StatusRead(engine.call("status")))
            for event in events:
                if self._stop.is_set():
                    return
                self._deliver(EngineSpoke(event))


def stored_status(store: Path) -> StatusRead | Failed:
    """What the store alone says of its runs, or why it cannot be read."""
    from augury.engine.service.reader import Reader

    try:
        return StatusRead(Reader(store).status())
    except AuguryError as error:
        return Failed("The runs of the store cannot be read", error.message, "status", error)


def store_exists(store: Path) -> bool:
    """Whether there is a store; a directory without results is not one yet."""
    from augury.engine.service.reader import Reader

    return Reader(store).exists()
