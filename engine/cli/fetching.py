"""How far a fetch is, on stderr: one line repainted in a terminal, few plain lines elsewhere."""

from __future__ import annotations

import sys
import time

from augury.engine.cli.failure import say
from augury.engine.cli.terminal import moves_cursor, paint
from augury.engine.cli.wording import duration, fit, size
from augury.engine.datasets.fetch import Step

REPAINT_SECONDS = 0.25  # as the progress of a run
PLAIN_SECONDS = 5.0


class FetchProgress:
    """Tells of one data set's fetch; a call for each step."""

    def __init__(self, name: str) -> None:
        """Nothing said yet."""
        self._name = name
        self._paints = moves_cursor(sys.stderr)
        self._file = ""
        self._began, self._first = 0.0, 0  # when this file's first step came, and where it was
        self._said = 0.0
        self._waits = False

    def __call__(self, step: Step) -> None:
        """Say it, if it is time."""
        now = time.monotonic()
        if step.is_waiting:
            if not self._waits:
                self._waits = True
                say(f"{self._name}: another process is fetching it; waiting.")
            return
        if step.file != self._file:
            self._file, self._began, self._first = step.file, now, step.done
            self._said = now if not self._paints else 0.0
            if step.done:
                self._line(f"{self._name}: going on with {step.file} from {size(step.done)}.")
        pause = REPAINT_SECONDS if self._paints else PLAIN_SECONDS
        if now - self._said < pause and step.done < step.total:
            return
        self._said = now
        if self._paints:
            paint("\r" + fit(self._text(step, now), 78) + "\x1b[K")
        elif step.done < step.total:
            say(self._text(step, now))

    def close(self) -> None:
        """Take the painted line away."""
        if self._paints and self._file:
            paint("\r\x1b[K")

    def _line(self, text: str) -> None:
        self.close()
        say(text)

    def _text(self, step: Step, now: float) -> str:
        told = f"{self._name}: {step.file} {size(step.done)} of {size(step.total)}"
        brought = step.done - self._first
        if brought <= 0 or now <= self._began or step.done >= step.total:
            return told
        rate = brought / (now - self._began)
        return f"{told}, {duration((step.total - step.done) / rate)} left"
