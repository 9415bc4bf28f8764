"""The bytes of a file that a person named: a pipe is not waited for, a device not read for ever."""

from __future__ import annotations

import errno
from pathlib import Path


def read(path: Path, most: int = -1) -> bytes:
    """All bytes of a regular file, or the first `most`.

    Raises:
        OSError: there is none, it cannot be read, or it is no regular file.
    """
    if path.exists() and not (path.is_file() or path.is_dir()):
        raise OSError(errno.EINVAL, "not a regular file", str(path))
    with path.open("rb") as file:
        return file.read(most)
