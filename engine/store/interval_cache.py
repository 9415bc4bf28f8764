"""Bootstrapped intervals that were found before, in files by what they were found from.

The draws are fixed, so equal numbers have equal intervals. Looking them up spares a board the
import of NumPy, which takes longer and more memory than all the rest of it.
"""

from __future__ import annotations

import json
import marshal
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any

from augury.engine.paths import cache_directory
from augury.engine.store.board import Intervals

MOST = 200  # files, of a few kilobytes each
_kept = True


def forget() -> None:
    """Keep nothing in this process.

    An engine's numbers are others with every batch, and NumPy is there to stay once it is loaded.
    """
    global _kept
    _kept = False


def question(lines: Sequence[Any], *more: Any) -> str:
    """A name for these numbers, and for what is made of them by this very code."""
    digest = blake2b(_code(), digest_size=16)
    told: Any = (lines, more)
    digest.update(marshal.dumps(told, 2))  # numbers with all their bits
    return digest.hexdigest()


def recall(name: str) -> Intervals | None:
    """What was kept under that name."""
    try:
        found = json.loads((_folder() / name).read_text("utf-8"))
        return Intervals(tuple(found["keys"]), found["numbers"], found["ties"], found["reasons"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(name: str, found: Intervals) -> None:
    """Keep it for the next time; a disk that refuses costs only time."""
    if not _kept:
        return
    path = _folder() / name
    new = path.with_suffix(f".{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        new.write_text(json.dumps(asdict(found)), "utf-8")
        new.replace(path)
        _drop_oldest(path.parent)
    except OSError:
        with suppress(OSError):
            new.unlink()


def _drop_oldest(folder: Path) -> None:
    """At the limit, all but the newer half."""
    files = list(folder.iterdir())
    if len(files) > MOST:
        files.sort(key=lambda file: file.stat().st_mtime)
        for file in files[: -MOST // 2]:
            file.unlink(missing_ok=True)


def _folder() -> Path:
    return cache_directory() / "intervals"


@cache
def _code() -> bytes:
    """The text of the code that finds intervals: another one may find others."""
    here = Path(__file__).parent
    names = ("bootstrap.py", "board_intervals.py", "row_sums.py")
    return b"".join((here / name).read_bytes() for name in names)
