"""The lock that makes an engine the only one of its store."""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

NAME = "engine.lock"
ATTEMPTS = 10  # somebody who only asks (`held`) is in the way for some microseconds


class EngineLock:
    """`flock` on `engine.lock`; the kernel drops it on any death of its holder."""

    def __init__(self, store: Path) -> None:
        """Nothing is taken yet."""
        self._path = store / NAME
        self._fd: int | None = None

    def acquire(self) -> bool:
        """Take it for the life of the process; False when another process has it."""
        fd = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        for _ in range(ATTEMPTS):
            try:
                fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                time.sleep(0.02)
            else:
                self._fd = fd
                return True
        os.close(fd)
        return False

    @property
    def lost(self) -> bool:
        """Whether the file was removed or replaced, so that others no longer see the lock."""
        try:
            named, mine = os.stat(self._path), os.fstat(self._fd if self._fd is not None else -1)
        except OSError:
            return True
        return (named.st_dev, named.st_ino) != (mine.st_dev, mine.st_ino)

    def release(self) -> None:
        """Give it back."""
        if self._fd is not None:
            os.close(self._fd)
            self._fd = None


def held(store: Path) -> bool:
    """Whether some process holds the lock now: the only true sign that an engine lives."""
    try:
        fd = os.open(store / NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        # Shared, so that two who only ask never look like a holder to each other.
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False
