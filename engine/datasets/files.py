"""The bytes of a data set: found, and never trusted without their checksum."""

from __future__ import annotations

from hashlib import file_digest, sha256
from pathlib import Path

from augury.engine import regular_file
from augury.engine.catalog.datasets import DataFile, DatasetCard
from augury.engine.datasets.archives import members
from augury.engine.datasets.places import find, folder, folders
from augury.engine.errors import AuguryError


def read(name: str, card: DatasetCard) -> dict[str, bytes]:
    """All files of a set by name, verified. Raises `AuguryError` for a missing or damaged one."""
    places = folders(name, card)
    content: dict[str, bytes] = {}
    packed: dict[Path, list[DataFile]] = {}
    for file in card.files:
        found = find(file, card, places)
        if found is None:
            raise AuguryError(missing(name, card, file))
        if found.inside:
            packed.setdefault(found.path, []).append(file)
        else:
            content[file.name] = _whole(name, card, file, found.path)
    for path, files in packed.items():
        content |= _unpacked(name, card, files, path)
    return content


def missing(name: str, card: DatasetCard, file: DataFile) -> str:
    """What to do where a file is not there, in one line: command, file, source, checksum, place."""
    home = folder(name, card)
    if card.bundled:
        return f"data file {home / file.name} is shipped, but gone: install Augury again."
    return (
        f"data set {name} is not here: `augury data fetch {name}`, or put {wanted(card, file)} "
        f"from {' or '.join(card.urls(file))} into {home}."
    )


def wanted(card: DatasetCard, file: DataFile) -> str:
    """What a person has to get for a file: its name, or its archive's; size and checksum."""
    archive = card.archive
    whole = archive if archive and not file.sha256 else file
    inside = f", in {archive.name}" if archive and file.member and whole is file else ""
    return f"{whole.name} ({whole.size:,} bytes, sha256 {whole.sha256}{inside})"


def _whole(name: str, card: DatasetCard, file: DataFile, path: Path) -> bytes:
    try:
        content = regular_file.read(path)
    except OSError as error:
        raise _unreadable(path, error) from None
    _check(name, card, file, path, sha256(content).hexdigest())
    return content


def _unpacked(name: str, card: DatasetCard, files: list[DataFile], path: Path) -> dict[str, bytes]:
    assert card.archive is not None
    if not all(file.sha256 for file in files):
        try:
            with path.open("rb") as stream:
                found = file_digest(stream, "sha256").hexdigest()
        except OSError as error:
            raise _unreadable(path, error) from None
        _check(name, card, card.archive, path, found)
    inside = members(path, {file.member for file in files})
    for file in files:
        if file.sha256:
            _check(name, card, file, path, sha256(inside[file.member]).hexdigest())
    return {file.name: inside[file.member] for file in files}


def _check(name: str, card: DatasetCard, file: DataFile, path: Path, found: str) -> None:
    if found == file.sha256:
        return
    part = "" if path.name == file.name else f" of {file.name} in it"
    again = "install Augury again" if card.bundled else f"`augury data fetch {name}`"
    raise AuguryError(
        f"data file {path} is damaged: expected sha256 {file.sha256}{part}, found {found}; "
        f"delete it and get it again: {again}, or from {' or '.join(card.urls(file))}."
    )


def _unreadable(path: Path, error: OSError) -> AuguryError:
    return AuguryError(f"data file {path} cannot be read: {error.strerror}.")
