"""How engine, worker and client introduce themselves: no result comes from mixed sources."""

from __future__ import annotations

import hashlib
import os
from functools import lru_cache
from pathlib import Path

from augury.engine.canonical import JSON

PROTOCOL = 1  # raised when the meaning of a line between them changes


@lru_cache(maxsize=1)
def source_hash() -> str:
    """Digest of every Python and SQL file that results come from, as they lie on disk now.

    The command line is left out: it computes nothing.

    Engine, workers and clients compare it, so that no result comes from mixed sources.
    """
    root = Path(__file__).resolve().parent
    digest = hashlib.blake2b(digest_size=8)
    for path in sorted((*root.rglob("*.py"), *root.rglob("*.sql"))):
        name = path.relative_to(root)
        if name.parts[0] != "cli":
            digest.update(str(name).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def code_version() -> str:
    """The installed distribution's version; `0` when only the sources are on the path."""
    from importlib.metadata import PackageNotFoundError, version  # slow, and clients need none

    try:
        return version("augury")
    except PackageNotFoundError:
        return "0"


def hello() -> dict[str, JSON]:
    """How engine and worker introduce themselves."""
    return {
        "protocol": PROTOCOL,
        "version": code_version(),
        "source_hash": source_hash(),
        "pid": os.getpid(),
    }
