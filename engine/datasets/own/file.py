"""A file that a person names: what it is, and that it stays the same while it is read."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from augury.engine.errors import UsageError

FORMS = {
    ".csv": "csv", ".tsv": "csv", ".txt": "csv", ".csv.gz": "csv", ".tsv.gz": "csv",
    ".parquet": "parquet", ".pq": "parquet", ".npz": "npz",
}  # fmt: skip
_CHUNK = 1 << 20


def form_of(path: Path) -> str:
    """csv, parquet or npz, by the suffix. Raises `UsageError`."""
    name = path.name.lower()
    for suffix, form in FORMS.items():
        if name.endswith(suffix):
            return form
    kind = path.suffix or "a file without a suffix"
    raise UsageError(f"{path}: {kind} is no table here; it takes {', '.join(FORMS)}.")


def stem_of(path: Path) -> str:
    """The file's name without its suffix."""
    return path.name.removesuffix(".gz").rpartition(".")[0] or path.name


def check(path: Path) -> os.stat_result:
    """What the file system says of a regular file that can be read. Raises `UsageError`."""
    try:
        about = path.stat()
        if stat.S_ISDIR(about.st_mode):
            raise UsageError(f"{path} is a folder: name a file in it.")
        # A pipe would be waited for and a device read without end.
        if not stat.S_ISREG(about.st_mode):
            raise UsageError(f"{path} is no regular file.")
        if about.st_size == 0:
            raise UsageError(f"{path} is empty.")
        with path.open("rb"):
            return about
    except (OSError, ValueError) as error:
        raise UsageError(f"{path}: {getattr(error, 'strerror', None) or error}.") from None


def stamp(path: Path) -> tuple[int, ...]:
    """What differs once a file has been written to or replaced. Raises `UsageError`."""
    about = check(path)
    return about.st_dev, about.st_ino, about.st_size, about.st_mtime_ns


@contextmanager
def unchanged(path: Path) -> Iterator[str]:
    """The sha256 of a file; raises `UsageError` at the end if it was written to meanwhile."""
    before = stamp(path)
    yield sha256(path)
    if stamp(path) != before:
        raise UsageError(f"{path} changed while it was read; run it again.")


def sha256(path: Path) -> str:
    """Of the file's bytes. Raises `UsageError`."""
    found = hashlib.sha256()
    try:
        with path.open("rb") as file:
            while chunk := file.read(_CHUNK):
                found.update(chunk)
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}.") from None
    return found.hexdigest()
