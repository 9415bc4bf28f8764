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

    def __init__(self, owner: SetsTimers, seconds: float, callback: Callable[[], None]) -> None:
        """Bind to an owner whose timers end with it."""
        self._owner = owner
        self._seconds = seconds
        self._callback = callback
        self._last = -seconds
        self._waiting = False

    def __call__(self) -> None:
        """Ask for a call."""
        if self._waiting:
            return
        left = self._last + self._seconds - monotonic()
        if left <= 0:
            self._fire()
        else:
            self._waiting = True
            self._owner.set_timer(left, self._fire)

    def _fire(self) -> None:
        self._waiting = False
        self._last = monotonic()
        self._callback()
