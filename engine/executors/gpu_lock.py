"""One worker for each GPU of a machine, whoever started it: a lock file in the temp directory."""

from __future__ import annotations

import fcntl
import os
import tempfile
from pathlib import Path


def directory() -> Path:
    """The queue that everybody on this machine shares."""
    return Path(tempfile.gettempdir()) / "augury-gpu"


def take(uuid: str) -> int | None:
    """A descriptor that holds the GPU as long as somebody has it open; None while it is taken.

    The descriptor is handed to the worker, so that the kernel frees the GPU when it dies.
    """
    fd = _open(directory() / f"{uuid}.lock")
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return fd


def _open(path: Path) -> int:
    if not path.parent.is_dir():
        path.parent.mkdir(exist_ok=True)
        path.parent.chmod(0o1777)
    try:  # without O_CREAT: kernels refuse it on another user's file in a sticky directory
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        fd = os.open(path, os.O_RDONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
        os.fchmod(fd, 0o644)
        return fd
