"""Members of zip and tar.gz archives, read without unpacking anything to disk."""

from __future__ import annotations

import zlib
from collections.abc import Collection
from pathlib import Path

from augury.engine.errors import AuguryError


def members(path: Path, wanted: Collection[str]) -> dict[str, bytes]:
    """The contents of these members by their names in the archive.

    Raises:
        AuguryError: no such archive, or it lacks one of them.
    """
    import tarfile  # here: who only asks which files are there pays for neither
    import zipfile

    # The last: packed in a way that is not known, or under a password.
    broken = (zipfile.BadZipFile, tarfile.TarError, zlib.error, EOFError, RuntimeError)
    try:
        found = _zipped(path, wanted) if path.suffix == ".zip" else _tarred(path, wanted)
    except OSError as error:
        why = error.strerror or str(error)
        raise AuguryError(f"data file {path} cannot be read ({why}).") from None
    except broken as error:
        raise AuguryError(f"data file {path} is damaged: {error}.") from None
    lost = sorted(set(wanted) - found.keys())
    if lost:
        raise AuguryError(f"data file {path} is damaged: it has no {lost[0]}.")
    return found


def _zipped(path: Path, wanted: Collection[str]) -> dict[str, bytes]:
    import zipfile

    with zipfile.ZipFile(path) as archive:
        there = set(archive.namelist())
        return {name: archive.read(name) for name in wanted if name in there}


def _tarred(path: Path, wanted: Collection[str]) -> dict[str, bytes]:
    import tarfile

    found: dict[str, bytes] = {}
    with tarfile.open(path, "r|gz") as archive:  # a stream: going back would inflate it again
        for entry in archive:
            content = archive.extractfile(entry) if entry.name in wanted else None
            if content is not None:
                found[entry.name] = content.read()
            if len(found) == len(wanted):
                break
    return found
