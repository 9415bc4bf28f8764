"""How far a count is, on stderr, once it takes long: painted over in a terminal, else few lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from augury.engine.cli.failure import say
from augury.engine.cli.terminal import moves_cursor, paint
from augury.engine.cli.wording import duration, fit

REPAINT_SECONDS = 0.25  # as the progress of a run
PLAIN_SECONDS = 5.0


@contextmanager
def counting(what: str, total: int) -> Iterator[Callable[[int], None]]:
    """Yield what is to be called with how many are done; it says nothing of what ends soon."""
    paints = moves_cursor(sys.stderr)
    pause = REPAINT_SECONDS if paints else PLAIN_SECONDS
    began = said = time.monotonic()
    painted = False

    def told(done: int) -> None:
        nonlocal said, painted
        now = time.monotonic()
        if not done or done >= total or now - said < pause or now - began < 2.0:
            return
        said = now
        left = duration((now - began) / done * (total - done))
        text = f"{what} {done:,} of {total:,}, {left} left"
        if paints:
            painted = True
            paint("\r" + fit(text, 78) + "\x1b[K")
        else:
            say(text)

    try:
        yield told
    finally:
        if painted:
            paint("\r\x1b[K")
