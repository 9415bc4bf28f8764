"""Where long scans keep their carry: one folder for each batch, named by its cells."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection
from pathlib import Path

from augury.engine.service.scheduler import batch_name

_CELLS = "cells.json"


def prepare(store: Path, ids: Collection[str]) -> Path:
    """The batch's folder. It remembers the cells in order, so that the batch can form again."""
    folder = _folder(store, ids)
    if not (folder / _CELLS).exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _CELLS).write_text(json.dumps(list(ids)))
        except OSError:
            pass  # a full disk costs the checkpoint, not the batch
    return folder


def exists(store: Path, ids: Collection[str]) -> bool:
    """Whether the batch left a carry to go on from."""
    folder = _folder(store, ids)
    return folder.is_dir() and _holds_carry(folder)


def saved_at(store: Path, ids: Collection[str]) -> float | None:
    """When the batch last kept a carry, in seconds since the epoch; None if it never did."""
    try:
        files = [file for file in _folder(store, ids).iterdir() if file.name != _CELLS]
    except OSError:
        return None  # there is no folder, or none that a worker could go on from
    return max((when for file in files if (when := _modified(file)) is not None), default=None)


def _modified(file: Path) -> float | None:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:  # a worker has just given it its final name, or needs it no more
        return None


def discard(store: Path, ids: Collection[str]) -> None:
    """The batch is recorded, or falls apart: nobody will go on from here."""
    shutil.rmtree(_folder(store, ids), ignore_errors=True)


def kept(store: Path) -> dict[str, list[str]]:
    """Folder name -> the ordered cells of a batch that left a carry."""
    found: dict[str, list[str]] = {}
    for folder in sorted((store / "checkpoints").glob("*/")):
        if _holds_carry(folder):
            try:
                found[folder.name] = json.loads((folder / _CELLS).read_text())
            except (OSError, ValueError):
                continue
    return found


def discard_others(store: Path, names: Collection[str]) -> None:
    """Remove every folder that is not named."""
    for folder in (store / "checkpoints").glob("*/"):
        if folder.name not in names:
            shutil.rmtree(folder, ignore_errors=True)


def _folder(store: Path, ids: Collection[str]) -> Path:
    return store / "checkpoints" / batch_name(ids)


def _holds_carry(folder: Path) -> bool:
    return any(file.name != _CELLS for file in folder.iterdir())
