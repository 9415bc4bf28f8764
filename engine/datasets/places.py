"""Where the files of a data set lie or belong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from os.path import (  # these say no where a folder may not be looked into; Path's raise
    exists,
    isdir,
    isfile,
)
from pathlib import Path

from augury.engine.catalog.datasets import DataFile, DatasetCard
from augury.engine.paths import ASSETS, cache_directory, data_directory

PARTIAL = ".partial"  # beside the sets


@dataclass(frozen=True, slots=True)
class Found:
    """Where one file of a set is; `inside` says that it is a member of the archive there."""

    path: Path
    inside: bool = False


def fetched_directory() -> Path:
    """Where `augury data fetch` puts what it fetches."""
    return cache_directory() / "data"


def folder(name: str, card: DatasetCard, root: Path | None = None) -> Path:
    """Where the files of a set belong: in `root`, else in AUGURY_DATA, else in the cache."""
    if card.bundled:
        return ASSETS / "data" / name
    return (root or data_directory() or fetched_directory()) / (card.folder or name)


def folders(name: str, card: DatasetCard) -> tuple[Path, ...]:
    """Where files of a set are looked for, best first.

    AUGURY_DATA wins over the cache. There a set that shares its folder with another one may have
    one under its own name as well.
    """
    if card.bundled:
        return (ASSETS / "data" / name,)
    roots = [root for root in (data_directory(), fetched_directory()) if root is not None]
    names = dict.fromkeys((card.folder or name, name))
    return tuple(root / place for root in roots for place in names)


def scratch(name: str, card: DatasetCard, root: Path | None = None) -> Path:
    """What is under way of a set that is fetched into `root`, else the cache: none reads there."""
    return (root or fetched_directory()) / PARTIAL / (card.folder or name)


def part(place: Path, file: DataFile) -> Path:
    """The beginning of a file, in the scratch folder of its set."""
    return place / f"{file.name}.part"


def under_way(name: str, card: DatasetCard) -> int:
    """Bytes of a set that an interrupted fetch left, and the next one goes on with."""
    if card.bundled:
        return 0
    place = scratch(name, card)
    parts = (part(place, file) for file in card.fetched)
    return sum(path.stat().st_size for path in parts if isfile(path))


def find(file: DataFile, card: DatasetCard, places: tuple[Path, ...]) -> Found | None:
    """Where a file is: under its name, unpacked as its archive does, or in the archive.

    Nothing is read: what is there may be damaged.
    """
    for place in places:
        for path in _own(file, place):
            if _is_there(path):
                return Found(path)
        if card.archive and file.member and _is_there(place / card.archive.name):
            return Found(place / card.archive.name, inside=True)
    return None


def _is_there(path: Path) -> bool:
    """What is no regular file is found, too: reading it says what it is."""
    return exists(path) and not isdir(path)


def _own(file: DataFile, place: Path) -> Iterator[Path]:
    # Without a checksum of its own a file is trusted as a part of its archive only.
    if file.sha256:
        yield place / file.name
        if file.member:
            yield place / file.member
