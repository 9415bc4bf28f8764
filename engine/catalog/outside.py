"""Agents from outside the project: a file or an entry point with the two-line contract only."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augury.engine import regular_file
from augury.engine.catalog import outside_source
from augury.engine.catalog.entry import Entry
from augury.engine.errors import UsageError

GROUP = "augury.agents"  # the entry-point group other distributions register agents in


@dataclass(frozen=True, slots=True)
class OutsideConfig:
    """Outside code keeps its hyperparameters to itself: its source is its identity."""


OUTSIDE: Entry[Any] = Entry("augury.engine.agents.outside:make_agent", OutsideConfig())


def resolve(word: str) -> tuple[str, str, str] | None:
    """(name, source, target) of `path/to/file.py:make_agent` or of an entry point, else None.

    The file is read and hashed, not imported: only workers run outside code.

    Raises:
        UsageError: a file that cannot be read, or that plainly holds no such factory.
    """
    path, colon, attribute = word.rpartition(":")
    if colon and path.endswith(".py"):
        file = Path(path).expanduser().absolute()
        if not attribute.isidentifier():
            raise UsageError(f"--agent {word!r} must end in the name of a function.")
        try:
            code = regular_file.read(file)
        except (OSError, ValueError) as error:  # a null byte in a name
            why = getattr(error, "strerror", None) or error
            raise UsageError(f"agent file {path}: {why}.") from None
        outside_source.check(path, code, attribute)
        return f"{file.stem}.{attribute}", hashlib.sha256(code).hexdigest(), f"{file}:{attribute}"
    from importlib.metadata import entry_points  # 20 ms, and every command imports the plan

    for point in entry_points(group=GROUP, name=word):
        version = f"{point.dist.name}=={point.dist.version}" if point.dist else point.value
        return word, version, point.value
    if not colon and (word.endswith(".py") or "/" in word or Path(word).is_dir()):
        raise UsageError(f"--agent {word!r}: name the function too, as in FILE.py:make_agent.")
    return None
