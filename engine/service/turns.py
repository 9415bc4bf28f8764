"""Who may have a store open: many to read, or one to export.

DuckDB keeps one database for each file and process, and what it may write to is set once, by the
first to open it. So an export, which has a folder of its own, opens the file when nobody else has.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition


class Turns:
    """Threads of one process take turns; an export that waits goes before reads that come later."""

    def __init__(self) -> None:
        """Nobody has anything open."""
        self._changed = Condition()
        self._readers = 0
        self._waiting = 0
        self._alone = False

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Beside others who read."""
        with self._changed:
            self._changed.wait_for(lambda: not self._alone and not self._waiting)
            self._readers += 1
        try:
            yield
        finally:
            with self._changed:
                self._readers -= 1
                self._changed.notify_all()

    @contextmanager
    def alone(self) -> Iterator[None]:
        """When nobody else has it open."""
        with self._changed:
            self._waiting += 1
            self._changed.wait_for(lambda: not self._alone and not self._readers)
            self._waiting -= 1
            self._alone = True
        try:
            yield
        finally:
            with self._changed:
                self._alone = False
                self._changed.notify_all()


TURNS = Turns()
