"""Which data sets are on this machine, where they lie or belong, and who needs them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from augury.engine.catalog.datasets import DataFile, DatasetCard
from augury.engine.catalog.sweeps import SWEEPS, TUNING
from augury.engine.datasets.files import read
from augury.engine.datasets.places import Found, find, folder, folders, under_way
from augury.engine.errors import AuguryError
from augury.engine.wording import size


@dataclass(frozen=True, slots=True)
class Presence:
    """What there is of one data set."""

    state: str  # here | part (of what is fetched) | absent | damaged (a file of another size)
    size: int  # bytes that are there
    total: int  # bytes of all of it
    folder: str  # where its files lie or belong
    missing: tuple[str, ...]  # names of files that are not there
    sweeps: tuple[str, ...]  # that need it


def look(name: str, card: DatasetCard) -> Presence:
    """What is there, by name and size alone: nothing is read."""
    places = folders(name, card)
    found = {file: find(file, card, places) for file in card.files}
    there = {file: place for file, place in found.items() if place is not None}
    sizes = {place.path: _size(place.path) for place in there.values()}
    begun = 0 if len(there) == len(found) else under_way(name, card)
    missing = [file for file, place in found.items() if place is None]
    if any(not _is_whole(file, card, place, sizes[place.path]) for file, place in there.items()):
        state = "damaged"
    elif not missing:
        state = "here"
    else:
        state = "part" if there or begun else "absent"
    first = next(iter(there.values()), None)
    home = first.path.parent if first else folder(name, card)
    names = tuple(dict.fromkeys(_to_get(file, card).name for file in missing))
    return Presence(
        state, sum(sizes.values()) + begun, card.size, str(home), names, sweeps_with(name)
    )


def verify(name: str, card: DatasetCard) -> str:
    """Read every byte: "" where all are right, else what is wrong, in one line."""
    try:
        read(name, card)
    except AuguryError as error:
        return error.message
    return ""


def advice(name: str, card: DatasetCard, found: Presence) -> str:
    """What to do about a set that is not there; "" about one that is."""
    if not found.missing:
        return ""
    missing = [file for file in card.files if _to_get(file, card).name in found.missing]
    links = " or ".join(dict.fromkeys(url for file in missing for url in card.urls(file)))
    files = " and ".join(found.missing)
    return f"Put {files} into {folder(name, card)}. To be had from {links}"


def amount(found: Presence) -> str:
    """`11.6 MB`, or how much of it is there."""
    if found.state in ("here", "absent"):
        return size(found.size or found.total)
    return f"{size(found.size)} of {size(found.total)}"


@cache
def sweeps_with(name: str) -> tuple[str, ...]:
    """The sweeps that have a problem on this data set; those that choose their configs aside."""
    return tuple(
        sweep
        for sweep, found in SWEEPS.items()
        if sweep not in TUNING.values()
        and any(p.columns().get("dataset") == name for p in (*found.full, *found.quick))
    )


def _to_get(file: DataFile, card: DatasetCard) -> DataFile:
    """A file without a checksum of its own comes in its archive only."""
    return file if file.sha256 or card.archive is None else card.archive


def _is_whole(file: DataFile, card: DatasetCard, place: Found, number: int) -> bool:
    whole = card.archive if place.inside else file
    return whole is None or number == whole.size


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
