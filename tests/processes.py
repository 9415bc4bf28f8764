"""Which processes a process has started."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path


def children(pid: int) -> list[int]:
    """The process ids of those that live."""
    found = []
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            fields = path.read_text().rsplit(") ", 1)[1].split()
            if int(fields[1]) == pid and fields[0] != "Z":
                found.append(int(path.parent.name))
    return found
