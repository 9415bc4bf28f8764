"""How a run's progress looks on stderr: one line repainted in a terminal, plain lines elsewhere."""

from __future__ import annotations

import os
import sys
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from augury.engine.cli.hints import hint
from augury.engine.cli.terminal import moves_cursor, paint
from augury.engine.cli.wording import count, duration, fit
from augury.engine.text_width import width_of

Event = Mapping[str, Any]
REPAINT_SECONDS = 0.25  # at most 4 Hz, also over a slow link
PLAIN_SECONDS = 5.0
MOST_REASONS = 20  # told as they come up; a message may hold a number that is never the same


def open_progress() -> Progress:
    """The kind of progress that stderr can show."""
    return TerminalProgress() if moves_cursor(sys.stderr) else PlainProgress()


class Progress(ABC):
    """Collects what is known of a run; a subclass decides when and how to show it."""

    def __init__(self) -> None:
        """Nothing known yet."""
        self.state: Event = {}
        self.batch: Event = {}
        self.finished_cells = 0
        self._heard = time.monotonic()
        self._failed: set[str] = set()
        self._reasons: Counter[tuple[str, str]] = Counter()

    def run(self, state: Event) -> None:
        """New counts of the run (or the same again: time has passed)."""
        if state is not self.state:
            self.state, self._heard = state, time.monotonic()
            self.finished_cells = state["done"] + state["failed"]
        self.show()

    def event(self, run_id: str, event: Event) -> None:
        """Anything else the engine said; what is about other runs is ignored."""
        if event.get("event") == "progress" and event.get("run") == run_id:
            self.batch = event
        elif event.get("event") == "cells" and run_id in event["run_ids"]:
            self.committed(event)
            self.failures(event["failed"])

    def committed(self, event: Event) -> None:  # noqa: B027 (most displays need no such line)
        """A batch was committed."""

    @abstractmethod
    def show(self) -> None:
        """Paint, if it is time."""

    @abstractmethod
    def note(self, text: str) -> None:
        """A line that stays."""

    @property
    def failed_cells(self) -> int:
        """How many failures have been heard of."""
        return len(self._failed)

    def failures(self, failures: Iterable[Event]) -> None:
        """Cells failed: a line for each new reason; the same again is counted until `close`."""
        for failure in failures:
            if failure["cell_id"] in self._failed:
                continue
            self._failed.add(failure["cell_id"])
            reason = failure["kind"], failure["message"]
            self._reasons[reason] += 1
            if self._reasons[reason] > 1 or len(self._reasons) > MOST_REASONS + 1:
                continue
            if len(self._reasons) > MOST_REASONS:
                self.note(f"more failed; all of them: {hint('cells', '--failed')}")
            else:
                cell = f"{failure['label']} {failure['problem']} seed {failure['seed']}"
                self.note(f"failed {cell} {': '.join(reason)}")

    def close(self) -> None:
        """Say how often each reason came again, and leave the terminal as it was."""
        for (kind, message), number in list(self._reasons.items())[:MOST_REASONS]:
            if number > 1:
                self.note(f"failed {count(number - 1, 'more cell')} {kind}: {message}")
        self._reasons.clear()

    def parts(self) -> list[str]:
        """What is worth saying, most important first."""
        state = self.state
        total, done, failed = state["total"], state["done"], state["failed"]
        found = [f"{done + failed:,}/{total:,} cells"]
        if failed:
            found.append(f"{failed:,} failed")
        left = state.get("seconds_left")
        if left is not None:
            found.append(f"{duration(max(left - (time.monotonic() - self._heard), 0.0))} left")
        batch = self.batch
        if batch:
            if batch.get("loss") is not None:
                found.append(f"loss {batch['loss']:.4g}")
            # The scenario in front of a problem's id is the one thing a person knows already.
            problem = str(batch.get("problem") or "").partition("/")[2]
            found += [f"{batch.get('label') or '?'} {problem}".strip(), _phase(batch)]
        return found


class TerminalProgress(Progress):
    """One line, repainted in place; never wider than the terminal, also after a resize."""

    def __init__(self) -> None:
        """Nothing painted yet."""
        super().__init__()
        self._painted = 0.0
        self._text = ""

    def show(self) -> None:
        """Repaint at most four times a second, and only what changed."""
        now = time.monotonic()
        if now - self._painted < REPAINT_SECONDS:
            return
        width = _width()
        text = self._line(width)
        if text != self._text:
            # In a window made narrower the old line has been wrapped: its rows go as well.
            wrapped = max(width_of(self._text) - 1, 0) // (width + 1)
            up = f"\x1b[{wrapped}A" if wrapped else ""
            paint(f"{up}\r{text}\x1b[J" if up else f"\r{text}\x1b[K")
            self._painted, self._text = now, text

    def note(self, text: str) -> None:
        """The line scrolls up above the repainted one."""
        # Longer than the window it is wrapped there: why a cell failed is worth the rows.
        paint(f"\r\x1b[K{' '.join(text.split())}\n{self._text}")

    def close(self) -> None:
        """Remove the line: what stays is said by others."""
        super().close()
        if self._text:
            paint("\r\x1b[K")
            self._text = ""

    def _line(self, width: int) -> str:
        parts = self.parts()
        text = parts[0]
        for part in parts[1:]:
            room = width - width_of(text) - 3
            if width_of(part) > room and (part[:1].isdigit() or room < 12):
                continue  # half a number misleads; half a name does not
            text += f" | {fit(part, room)}"
        room = width - width_of(text) - 3
        if room >= 8:
            text = f"[{_bar(self.finished_cells, self.state['total'], min(room, 24))}] {text}"
        return fit(text, width)


class PlainProgress(Progress):
    """Whole lines, few of them: for pipes, logs and dumb terminals."""

    def __init__(self) -> None:
        """Nothing said yet."""
        super().__init__()
        self._said = time.monotonic()

    def show(self) -> None:
        """One line every few seconds."""
        if time.monotonic() - self._said >= PLAIN_SECONDS:
            self._say(", ".join(self.parts()))

    def committed(self, event: Event) -> None:
        """One line for each commit."""
        done, failed = len(event["done"]), len(event["failed"])
        stored = [f"stored {count(done, 'cell')}"] if done else []
        self._say(", ".join(stored + ([f"{failed:,} failed"] if failed else [])))

    def note(self, text: str) -> None:
        """A line of its own, at once."""
        self._say(text)

    def _say(self, text: str) -> None:
        paint(" ".join(text.split()) + "\n")
        self._said = time.monotonic()


def _phase(batch: Event) -> str:
    phase, step, steps = batch.get("phase", ""), batch.get("step") or 0, batch.get("num_steps") or 0
    return f"{phase} {step:,}/{steps:,}" if steps else str(phase)


def _bar(done: int, total: int, width: int) -> str:
    full = width * done // total if total else width
    return "#" * full + "." * (width - full)


def _width() -> int:
    """Columns that can be written without a wrap."""
    try:
        return max(os.get_terminal_size(sys.stderr.fileno()).columns - 1, 20)
    except (OSError, ValueError):
        return 79
