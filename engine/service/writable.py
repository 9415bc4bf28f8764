"""Whether a place can be written, and in which words not."""

from __future__ import annotations

import os
from pathlib import Path


def obstacle(place: Path) -> str:
    """What keeps us from writing a file, or into a folder, as the end of a sentence; else ""."""
    wanted = os.W_OK | os.X_OK if place.is_dir() else os.W_OK
    if os.access(place, wanted):
        return ""
    if os.statvfs(place).f_flag & os.ST_RDONLY:  # root is refused there too
        return "is on a read-only file system"
    return "is not writable by you"
