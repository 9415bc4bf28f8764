"""Follows the engine: finds one, listens, notices when it goes, and looks for the next."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING

from textual.message import Message

from augury.engine.errors import AuguryError, LinkLostError
from augury.tui.messages import EngineGone, EngineSpoke, Failed, StatusRead, StoreGone

if TYPE_CHECKING:
    from augury.engine.service.client import Client, Subscription
    from augury.engine.service.link import Store

GONE_TITLE = "The store is gone"
GONE = (
    "{} was removed or moved away while this window showed it. "
    "Put it back, or quit and start again for a new store."
)
_LOOK_SECONDS = 0.4  # between two looks for an engine; one look is one refused connection
_FAR_SECONDS = 10.0  # that a far machine waits for an engine before it says that there is none


class Follower:
    """A thread that turns the engine's events into messages."""

    def __init__(self, store: Store, deliver: Callable[[Message], None]) -> None:
        """Follow the engine of `store`; `deliver` may be called from any thread."""
        self._store = store
        self._deliver = deliver
        self._misses, self._seen = 0, False
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

        while not self._stop.is_set():
            try:
                # A far machine is asked seldom and waits itself, once the store was looked at.
                engine = client.connect(self._store, _FAR_SECONDS if self._misses > 1 else 0.0)
            except LinkLostError:
                self._misses = 1  # the link tells of itself; then the store is looked at again
            except (AuguryError, OSError):
                self._look()
            else:
                self._misses, self._seen = 0, True
                self._hear(engine)
                continue
            self._stop.wait(_LOOK_SECONDS)

    def _look(self) -> None:
        """No engine: is there a store, and what does it say by itself."""
        try:
            there = store_exists(self._store)
            if self._seen and not there:
                self._deliver(StoreGone())
            elif there and not self._seen:
                self._misses = min(self._misses, 1)  # it came, or came back
            self._seen, self._misses = there, self._misses + 1
            if self._misses == 2:  # at the start the board goes first
                self._deliver(stored_status(self._store))
        except LinkLostError:
            self._misses = 1

    def _hear(self, engine: Client) -> None:
        try:
            self._listen(engine)
        except (AuguryError, OSError, ValueError):
            pass  # it went away in the middle of a line: the same as at its end
        finally:
            engine.close()
        if engine.link_lost:
            self._misses = 1
        elif not self._stop.is_set():
            self._deliver(EngineGone())

    def _listen(self, engine: Client) -> None:
        with engine.subscribe() as events:
            self._events = events
            self._deliver(StatusRead(engine.call("status")))
            for event in events:
                if self._stop.is_set():
                    return
                self._deliver(EngineSpoke(event))


def stored_status(store: Store) -> StatusRead | Failed:
    """What the store alone says of its runs, or why it cannot be read."""
    from augury.engine.service.reader import Reader

    try:
        return StatusRead(Reader(store).status())
    except LinkLostError:
        raise
    except AuguryError as error:
        return Failed("The runs of the store cannot be read", error.message, "status", error)


def store_exists(store: Store) -> bool:
    """Whether there is a store; a directory without results is not one yet."""
    from augury.engine.service.reader import Reader

    return Reader(store).exists()
