"""Where long scans keep their carry: one folder for each batch, named by its cells."""

from __future__ import annotations

import json
import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

from augury.engine.service.scheduler import batch_name
from augury.engine.types import Cell

_CELLS = "cells.json"


def prepare(store: Path, cells: Iterable[Cell]) -> Path:
    """The batch's folder. It remembers the cells in order, so that the batch can form again."""
    cells = list(cells)
    folder = _folder(store, cells)
    if not (folder / _CELLS).exists():
        try:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / _CELLS).write_text(json.dumps([c.cell_id for c in cells]))
        except OSError:
            pass  # a full disk costs the checkpoint, not the batch
    return folder


def exists(store: Path, cells: Iterable[Cell]) -> bool:
    """Whether the batch left a carry to go on from."""
    folder = _folder(store, cells)
    return folder.is_dir() and _holds_carry(folder)


def discard(store: Path, cells: Iterable[Cell]) -> None:
    """The batch is recorded, or falls apart: nobody will go on from here."""
    shutil.rmtree(_folder(store, cells), ignore_errors=True)


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


def _folder(store: Path, cells: Iterable[Cell]) -> Path:
    return store / "checkpoints" / batch_name(cells)


def _holds_carry(folder: Path) -> bool:
    return any(file.name != _CELLS for file in folder.iterdir())
