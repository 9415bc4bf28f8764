"""Events to those who listen: bounded, and never at the engine's expense."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Mapping

from augury.engine.service.protocol import encode, now
from augury.engine.types import JSON

MOST_PROGRESS = 32  # newest kept
MOST_BYTES = 8 << 20  # of results and states; who lags further behind is cut off


class Subscriber:
    """A queue of lines. Progress gives way; results and states stay in order, all of them."""

    def __init__(self) -> None:
        """Nothing waits."""
        self._lines: deque[bytes] = deque()
        self._progress: deque[bytes] = deque(maxlen=MOST_PROGRESS)
        self._bytes = 0
        self._wake = asyncio.Event()
        self._ended = False
        self.overrun = False

    def put(self, line: bytes, droppable: bool) -> None:
        """Queue a line; sets `overrun` when the listener is hopelessly behind."""
        if droppable:
            self._progress.append(line)
        else:
            self._bytes += len(line)
            self._lines.append(line)
            self.overrun = self.overrun or self._bytes > MOST_BYTES
        self._wake.set()

    async def take(self) -> bytes:
        """All that waits, as one block; b"" after an overrun or `end`."""
        while not (self._lines or self._progress or self.overrun or self._ended):
            self._wake.clear()
            await self._wake.wait()
        if self.overrun:
            return b""
        block = b"".join((*self._lines, *self._progress))
        self._lines.clear()
        self._progress.clear()
        self._bytes = 0
        return block

    def end(self) -> None:
        """Nothing follows: the listener gets what waits and then the end."""
        self._ended = True
        self._wake.set()


class Hub:
    """All subscribers."""

    def __init__(self) -> None:
        """Nobody listens."""
        self._all: set[Subscriber] = set()

    def __len__(self) -> int:
        """How many listen."""
        return len(self._all)

    def join(self) -> Subscriber:
        """A new listener."""
        subscriber = Subscriber()
        self._all.add(subscriber)
        return subscriber

    def leave(self, subscriber: Subscriber) -> None:
        """A listener went."""
        self._all.discard(subscriber)

    def close(self) -> None:
        """The engine ends."""
        for subscriber in self._all:
            subscriber.end()

    def publish(self, event: str, *, droppable: bool = False, **content: JSON) -> None:
        """Tell everybody."""
        if not self._all:
            return
        line = event_line(event, **content)
        for subscriber in self._all:
            subscriber.put(line, droppable)


def event_line(event: str, **content: JSON) -> bytes:
    """An event as a line, with its time."""
    message: Mapping[str, JSON] = {"event": event, "time": now(), **content}
    return encode(message)
