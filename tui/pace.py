"""A limit on how often something repaints."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic
from typing import Protocol

from textual.timer import Timer


class SetsTimers(Protocol):
    """The part of a widget that is needed."""

    def set_timer(self, delay: float, callback: Callable[[], None]) -> Timer:
        """Call back once, later."""
        ...


class Pace:
    """Calls back at once, then at most once in `seconds`; the last request is never lost.

    No timer runs while nothing is asked for, so an idle screen costs nothing.
    """

    def __init__(
        self, owner: SetsTimers, seconds: float, callback: Callable[[], None], burst: int = 1
    ) -> None:
        """Bind to an owner whose timers end with it; after a rest, `burst` calls come at once."""
        self._owner = owner
        self._seconds = seconds
        self._callback = callback
        self._burst = burst
        self._left = float(burst)  # calls that may come at once
        self._counted = monotonic()
        self._waiting = False

    def __call__(self) -> None:
        """Ask for a call."""
        if self._waiting:
            return
        self._count()
        if self._left >= 1:
            self._fire()
        else:
            self._waiting = True
            self._owner.set_timer((1 - self._left) * self._seconds, self._fire)

    def _count(self) -> None:
        now = monotonic()
        rested = self._left + (now - self._counted) / self._seconds
        self._left, self._counted = min(rested, float(self._burst)), now

    def _fire(self) -> None:
        self._count()
        self._waiting = False
        self._left = max(self._left - 1, 0.0)  # a timer may come a moment early
        self._callback()
