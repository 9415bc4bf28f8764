"""Signals and closed terminals: save, and be gone within a second."""

from __future__ import annotations

import asyncio
import os
import select
import signal
from collections.abc import Callable
from threading import Thread, Timer

GRACE = 0.6  # seconds that an orderly exit may take


def watch(loop: asyncio.AbstractEventLoop, leave: Callable[[int], None]) -> None:
    """Call `leave(exit code)` once, on SIGHUP, SIGTERM or when the terminal is closed.

    A terminal that closes without a signal (under nohup, say) would otherwise leave a process
    that reads end-of-file as fast as it can.
    """
    told = False

    def end(code: int) -> None:
        nonlocal told
        if told:
            return
        told = True
        # Writing to a dead terminal can hang or fail anywhere in the shutdown.
        last = Timer(GRACE, os._exit, (code,))
        last.daemon = True
        last.start()
        leave(code)

    for number in (signal.SIGHUP, signal.SIGTERM):
        loop.add_signal_handler(number, end, 128 + number)
    Thread(target=_wait, args=(loop, end), name="hangup", daemon=True).start()


def _wait(loop: asyncio.AbstractEventLoop, end: Callable[[int], None]) -> None:
    poll = select.poll()
    poll.register(0, 0)  # hang-up and error are always reported
    poll.poll()
    try:
        loop.call_soon_threadsafe(end, 128 + signal.SIGHUP)
    except RuntimeError:
        return  # the application has ended by itself
