"""Threads for what may block, so that keys never wait: one for each kind of request."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from threading import Condition, Thread

Work = Callable[[Callable[[], bool]], None]


class Lane:
    """Works on requests one after another.

    With `newest_only`, a request that still waits is forgotten when another comes, and each is
    given `is_wanted` to keep back an answer that nobody waits for any more.
    """

    def __init__(self, name: str, *, newest_only: bool = True) -> None:
        """Start nothing yet: the thread comes with the first request."""
        self._name = name
        self._newest_only = newest_only
        self._condition = Condition()
        self._waiting: deque[tuple[int, Work]] = deque()
        self._newest = 0
        self._working = False
        self._closed = False
        self._thread: Thread | None = None

    def put(self, work: Work) -> None:
        """Ask for `work` to be done."""
        with self._condition:
            if self._closed:
                return
            self._newest += 1
            if self._newest_only:
                self._waiting.clear()
            self._waiting.append((self._newest, work))
            if self._thread is None:
                # A daemon: a query that hangs must not keep a closed terminal's process alive.
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._condition.notify()

    def close(self, timeout: float) -> None:
        """Let the request at work end, for at most `timeout` seconds."""
        with self._condition:
            self._closed = True
            self._waiting.clear()
            self._condition.notify()
        if self._thread is not None:
            self._thread.join(timeout)

    @property
    def left(self) -> int:
        """Requests that are not answered yet."""
        with self._condition:
            return len(self._waiting) + self._working

    @property
    def thread(self) -> Thread | None:
        """Its thread, once there was a request."""
        return self._thread

    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._closed or bool(self._waiting))
                if self._closed:
                    return
                number, work = self._waiting.popleft()
                self._working = True
            work(lambda number=number: not self._closed and self._is_wanted(number))
            self._working = False

    def _is_wanted(self, number: int) -> bool:
        return not self._newest_only or number == self._newest
