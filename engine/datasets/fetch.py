"""Data sets fetched into the cache: whole and verified, or not at all."""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path

from augury.engine.catalog.datasets import Archive, DataFile, DatasetCard
from augury.engine.datasets import places
from augury.engine.datasets.files import read, wanted
from augury.engine.datasets.places import Found, fetched_directory, find, folder
from augury.engine.errors import AuguryError

_LOOK_SECONDS = 0.1  # between two looks whether another process is done


@dataclass(frozen=True, slots=True)
class Step:
    """How far a fetch is."""

    file: str
    done: int  # bytes of `total` that are there
    total: int
    is_waiting: bool = False  # for another process that fetches the same


class StoppedError(Exception):
    """What a `Tell` raises to stop a fetch; what is there then is gone on with later."""


Tell = Callable[[Step], None]


def fetch(name: str, card: DatasetCard, tell: Tell, root: Path | None = None) -> bool:
    """Fetch what is not here of a set; False where nothing had to be.

    Args:
        name: of the set.
        card: its facts.
        tell: hears how far it is.
        root: holds a folder for each set; else the cache.

    Raises:
        AuguryError: no mirror gives a file, or it cannot be written; or files of a person's own,
            which nobody else replaces, are damaged.
    """
    if card.bundled or _is_here(name, card, root):
        return False
    home = folder(name, card, root or fetched_directory())
    scratch = places.scratch(name, card, root)
    looked = (home,) if root else (home, *places.folders(name, card))
    try:
        home.mkdir(parents=True, exist_ok=True)
        scratch.mkdir(parents=True, exist_ok=True)
        with _alone(scratch, tell):
            _fetch_all(name, card, tell, looked, scratch)
    except OSError as error:
        which = error.filename if isinstance(error.filename, str) else str(home)
        raise _unwritable(name, which, error) from None
    return True


def _fetch_all(
    name: str, card: DatasetCard, tell: Tell, looked: tuple[Path, ...], scratch: Path
) -> None:
    home = looked[0]
    for file in card.fetched:
        found = None if isinstance(file, Archive) else find(file, card, looked)
        if found is not None and not found.path.is_relative_to(home):
            continue  # a person's own
        if found is not None and found.inside and card.archive is not None:
            if _is_right(found.path, card.archive):
                return
        elif _is_right(found.path if found else home / file.name, file):
            continue
        if _one(name, card, file, tell, home, scratch) is not file:
            return


def _one(
    name: str, card: DatasetCard, file: DataFile, tell: Tell, home: Path, scratch: Path
) -> DataFile:
    """Fetch a file, or the archive it is in where servers give no parts; which one it was."""
    from augury.engine.datasets.mirrors import NowhereError, obtain
    from augury.engine.datasets.transfer import DiskError

    inside = card.archive if file.member else None
    _check_room(name, file, home, scratch)
    try:
        done = obtain(file, inside, scratch, lambda n: tell(Step(file.name, n, file.size)))
        os.replace(done, home / file.name)
    except DiskError as error:
        if error.is_full:
            raise _no_room(name, file, home) from None
        raise _unwritable(name, str(error.path), error.cause) from None
    except NowhereError as error:
        if inside is not None and error.gives_whole:
            return _one(name, card, inside, tell, home, scratch)
        raise AuguryError(
            f"data set {name}: {file.name} could not be fetched: {error}. Put "
            f"{wanted(card, file)} into {home}."
        ) from None
    return file


def _is_here(name: str, card: DatasetCard, root: Path | None) -> bool:
    """Whether every file is there and right; `AuguryError` where a person's own one is wrong."""
    if root is not None:
        return all(_is_right(folder(name, card, root) / f.name, f) for f in card.fetched)
    found = {file: find(file, card, places.folders(name, card)) for file in card.files}
    if None in found.values():
        return False
    try:
        read(name, card)
    except AuguryError:
        if any(_is_wrong_own(file, place) for file, place in found.items() if place):
            raise
        return False
    return True


def _is_wrong_own(file: DataFile, place: Found) -> bool:
    if place.path.is_relative_to(fetched_directory()):
        return False
    return place.inside or not _is_right(place.path, file)


def _is_right(path: Path, file: DataFile) -> bool:
    try:
        if path.stat().st_size != file.size:
            return False
        with path.open("rb") as stream:
            return file_digest(stream, "sha256").hexdigest() == file.sha256
    except OSError:
        return False


@contextmanager
def _alone(scratch: Path, tell: Tell) -> Iterator[None]:
    """Hold the set's lock, which the kernel drops when its holder dies; wait for others."""
    fd = os.open(scratch / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        while not _locked(fd):
            tell(Step("", 0, 0, is_waiting=True))
            time.sleep(_LOOK_SECONDS)
        for left in scratch.glob("tmp*"):  # of one that was killed: only pooch makes such
            left.unlink()
        yield
    finally:
        os.close(fd)


def _locked(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks: checksums protect all the same
    return True


def _check_room(name: str, file: DataFile, home: Path, scratch: Path) -> None:
    """Better said before than after half an hour. Raises `AuguryError`."""
    part = places.part(scratch, file)
    there = part.stat().st_size if part.exists() else 0
    if shutil.disk_usage(scratch).free < file.size - there:
        raise _no_room(name, file, home)


def _no_room(name: str, file: DataFile, where: Path) -> AuguryError:
    return AuguryError(
        f"data set {name}: no room for {file.name} ({file.size:,} bytes) in {where}: make room, "
        f"or fetch it elsewhere with `augury data fetch {name} --to DIR` and set AUGURY_DATA=DIR."
    )


def _unwritable(name: str, where: str, error: OSError) -> AuguryError:
    return AuguryError(
        f"data set {name} cannot be fetched: {where} cannot be written ({error.strerror}). Make it "
        f"writable, or fetch elsewhere with `augury data fetch {name} --to DIR` and set "
        "AUGURY_DATA=DIR."
    )
