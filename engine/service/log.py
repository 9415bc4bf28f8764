"""The engine's log: file descriptors 1 and 2 of the process, turned over by size."""

from __future__ import annotations

import contextlib
import logging
import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

NAME = "engine.log"
_STAMP = re.compile(r"\d{4}-\d\d-\d\dT\S+Z [A-Z]+ ")
_BATCH = re.compile(r"\bbatch (?P<name>\w+) (?P<begins>begins on )?")
LIMIT = 4 << 20  # bytes; one older file is kept beside it


def log_path(store: Path) -> Path:
    """Where the engine of a store writes its log."""
    return store / NAME


def open_log(path: Path) -> int:
    """A descriptor that appends; a file over the limit is set aside first."""
    if path.exists() and path.stat().st_size > LIMIT:
        path.replace(path.with_suffix(".log.1"))
    return os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)


def take_over(path: Path) -> None:
    """Send descriptors 1 and 2 to the log, so that crashes of libraries are kept too."""
    fd = open_log(path)
    os.dup2(fd, 1)
    os.dup2(fd, 2)
    os.close(fd)


def read_part(store: Path, start: int, most: int, file: int = 0) -> dict[str, int | str | bool]:
    """A part of the log from byte `start` on (from the end where negative), at most `most` bytes.

    `end`: the byte after it, where the next part starts; `size`: of the whole; `file`: another
    number once the log was turned over. Who names the `file` of the part before gets the rest of
    that one first, with `turned` and the number of the `next`. Raises `OSError` where there is no
    log.
    """
    path = log_path(store)
    part = _part(path, start, most)
    if file and part["file"] != file:
        with contextlib.suppress(OSError):
            rest = _part(path.with_suffix(".log.1"), start, most)
            if rest["file"] == file:
                return {**rest, "turned": True, "next": part["file"]}
    return part


def _part(path: Path, start: int, most: int) -> dict[str, int | str | bool]:
    with path.open("rb") as file:
        there = os.fstat(file.fileno())
        begin = max(there.st_size + start, 0) if start < 0 else min(start, there.st_size)
        file.seek(begin)
        data = file.read(most)
        if len(data) == most:  # whole lines: a letter is not cut in two
            data = data[: data.rfind(b"\n") + 1] or data
    text = data.decode("utf-8", "replace")
    return {"text": text, "end": begin + len(data), "size": there.st_size, "file": there.st_ino}


class LogHandler(logging.Handler):
    """Writes lines to the log and turns it over."""

    def __init__(self, path: Path) -> None:
        """Log to `path`, which descriptor 2 already points to."""
        super().__init__()
        self._path = path
        formatter = logging.Formatter("%(asctime)s.%(msecs)03dZ %(levelname)s %(message)s")
        formatter.datefmt = "%Y-%m-%dT%H:%M:%S"
        formatter.converter = time.gmtime
        self.setFormatter(formatter)

    def emit(self, record: logging.LogRecord) -> None:
        """One record, in one write."""
        try:
            os.write(2, (self.format(record) + "\n").encode(errors="replace"))
            if os.fstat(2).st_size > LIMIT:
                take_over(self._path)
        except OSError:
            pass  # a full disk must not stop the engine; the pause of the run says it


def about_cell(lines: Iterable[str], cell_id: str) -> Iterator[str]:
    """The lines that name a cell or a batch that it was in, with what follows them of a traceback.

    Numbers of batches begin anew with each engine: a batch is known by the line it begins with.
    """
    return about_cells(lines, (cell_id,))


def about_cells(lines: Iterable[str], cells: Iterable[str], run: str = "") -> Iterator[str]:
    """As `about_cell`, of any of several cells; and the lines that name a run."""
    names, batches, keep = {cell_id[:12] for cell_id in cells}, set[str](), False
    for line in lines:
        if not _STAMP.match(line):
            if keep:
                yield line
            continue
        batch = _BATCH.search(line)
        if batch and batch["begins"]:
            mine = not names.isdisjoint(line.split())
            (batches.add if mine else batches.discard)(batch["name"])
        keep = bool(batch and batch["name"] in batches) or bool(run and run in line)
        keep = keep or (len(names) == 1 and next(iter(names)) in line)
        if keep:
            yield line
