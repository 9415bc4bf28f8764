"""The end of the engine's log, read on from where it ended last; bounded, and for one thread."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

MOST_LINES = 5_000
_FIRST_BYTES = 1 << 16
_PART_BYTES = 1 << 18
_MOST_PARTS = 16  # in one look; what is more than that comes with the next


class ReadsLogs(Protocol):
    """The part of a reader that is needed."""

    def log(self, start: int, most: int, file: int = 0) -> Any:
        """A part of the log, as `augury.engine.service.log.read_part`; None without one."""
        ...


@dataclass(frozen=True, slots=True)
class Whose:
    """Which lines are wanted: all, those of a run (by id and cells), those of one cell."""

    title: str = ""
    run: str = ""
    cells: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class LogText:
    """Lines; the first of them is number `first` of all that were ever seen of this kind."""

    lines: tuple[str, ...] = ()
    first: int = 0
    about: str = ""
    there: bool = True


class LogTail:
    """Keeps the newest lines; each look reads only what was appended, also across a turn."""

    def __init__(self) -> None:
        """Nothing is read yet."""
        self._lines: deque[str] = deque(maxlen=MOST_LINES)
        self._seen = 0
        self._file = self._end = 0
        self._rest = ""
        self.bytes_read = 0

    def look(self, reader: ReadsLogs, whose: Whose) -> LogText:
        """Read on; the lines that are wanted. Raises what the reader raises."""
        there = self._read_on(reader)
        if not whose.title:
            return LogText(tuple(self._lines), self._seen - len(self._lines), "", there)
        return LogText(tuple(about(self._lines, whose)), 0, whose.title, there)

    def _read_on(self, reader: ReadsLogs) -> bool:
        for _ in range(_MOST_PARTS):
            first = not self._file
            part = reader.log(-_FIRST_BYTES if first else self._end, _PART_BYTES, self._file)
            if part is None:
                break
            if not first and part["file"] != self._file:
                # Turned over, and the file before is not kept any more.
                self._file, self._end, self._rest = part["file"], 0, ""
                continue
            text = part["text"]
            if first and part["size"] > _FIRST_BYTES:
                text = text.partition("\n")[2]  # it begins within a line
            self._take(text)
            self._file, self._end = part["file"], part["end"]
            if part["end"] >= part["size"]:
                if not part.get("turned"):
                    return True
                self._file, self._end = part["next"], 0
        return bool(self._lines)

    def _take(self, text: str) -> None:
        self.bytes_read += len(text)
        *whole, self._rest = (self._rest + text).split("\n")
        self._lines.extend(whole)
        self._seen += len(whole)


def about(lines: Collection[str], whose: Whose) -> list[str]:
    """The lines that name the run, one of the cells, or a batch that holds one of them."""
    from augury.engine.service.log import about_cells

    return list(about_cells(lines, whose.cells, whose.run))


def added(shown: LogText, new: LogText) -> Sequence[str] | None:
    """What has to be written below what is shown; None where all must be written anew."""
    if shown.about != new.about:
        return None
    known = len(shown.lines) - (new.first - shown.first)
    if known < 0 or new.first < shown.first:
        return None
    kept = shown.lines[len(shown.lines) - known :] if known else ()
    return new.lines[known:] if new.lines[:known] == kept else None
