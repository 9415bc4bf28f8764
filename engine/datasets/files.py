"""The bytes of a data set: found, and never trusted without their checksum."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from augury.engine import regular_file
from augury.engine.catalog.datasets import DataFile, DatasetCard
from augury.engine.errors import AuguryError
from augury.engine.paths import ASSETS, data_directory


def directory(name: str, card: DatasetCard) -> Path:
    """Where the files of a set lie. Raises `AuguryError` if nobody said."""
    if card.bundled:
        return ASSETS / "data" / name
    placed = data_directory()
    if placed is None:
        raise AuguryError(
            f"data set {name!r} is not shipped: set AUGURY_DATA to the directory that holds "
            f"{name}/{card.files[0].name} (source: {card.files[0].url})."
        )
    return placed / name


def read(name: str, card: DatasetCard) -> dict[str, bytes]:
    """All files of a set by name, verified. Raises `AuguryError` for a missing or damaged one."""
    home = directory(name, card)
    return {file.name: _verified(home / file.name, file) for file in card.files}


def _verified(path: Path, file: DataFile) -> bytes:
    try:
        content = regular_file.read(path)
    except OSError as error:
        raise AuguryError(
            f"data file {path} cannot be read ({error.strerror}): fetch it from {file.url}."
        ) from None
    found = sha256(content).hexdigest()
    if found != file.sha256:
        raise AuguryError(
            f"data file {path} is damaged: expected sha256 {file.sha256}, found {found}; "
            f"fetch it again from {file.url}."
        )
    return content
