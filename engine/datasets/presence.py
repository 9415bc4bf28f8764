"""Which data sets are on this machine, where they lie or belong, and who needs them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from augury.engine.catalog.datasets import DatasetCard
from augury.engine.catalog.sweeps import SWEEPS
from augury.engine.datasets.files import directory, read
from augury.engine.errors import AuguryError


@dataclass(frozen=True, slots=True)
class Presence:
    """What there is of one data set."""

    state: str  # here | absent
    size: int  # bytes of the files that are there
    folder: str  # where its files lie or belong; "" where nobody has said
    missing: tuple[str, ...]  # names of files that are not there
    sweeps: tuple[str, ...]  # that need it


def look(name: str, card: DatasetCard) -> Presence:
    """What is there, by name and size alone: nothing is read."""
    try:
        folder = directory(name, card)
    except AuguryError:
        every = tuple(file.name for file in card.files)
        return Presence("absent", 0, "", every, sweeps_with(name))
    sizes = {file.name: _size(folder / file.name) for file in card.files}
    missing = tuple(file for file, size in sizes.items() if size is None)
    total = sum(size or 0 for size in sizes.values())
    state = "absent" if missing else "here"
    return Presence(state, total, str(folder), missing, sweeps_with(name))


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
    files = " and ".join(found.missing)
    links = ", ".join(file.url for file in card.files if file.name in found.missing)
    if not found.folder:
        return (
            f"Set AUGURY_DATA to a folder of yours and put {files} into its folder {name}. "
            f"To be had from {links}"
        )
    return f"Put {files} into {found.folder}. To be had from {links}"


@cache
def sweeps_with(name: str) -> tuple[str, ...]:
    """The sweeps that have a problem on this data set."""
    return tuple(
        sweep
        for sweep, found in SWEEPS.items()
        if any(p.columns().get("dataset") == name for p in (*found.full, *found.quick))
    )


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None
