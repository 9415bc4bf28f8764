"""Names of files as one types them: a path completed as far as there is one way."""

from __future__ import annotations

import os
import shlex

from augury.engine.datasets.own.ask import SUFFIXES

_MOST_ENTRIES = 10_000  # of one folder that are looked at


def complete(text: str) -> str | None:
    """The text with the path that it ends in completed; None where nothing or much fits.

    Looks into a folder, which may take time. What has a space or a quote is left alone.
    """
    head, space, last = text.rpartition(" ")
    bare = last.removeprefix("~")
    if not last or last.startswith("-") or (bare and shlex.quote(bare) != bare):
        return None
    folder, name = os.path.split(last)
    try:
        with os.scandir(os.path.expanduser(folder) or ".") as entries:
            found = [_named(entry) for _, entry in zip(range(_MOST_ENTRIES), entries, strict=False)
                     if entry.name.startswith(name) and _fits(entry, name)]  # fmt: skip
    except OSError:
        return None
    grown = os.path.join(folder, os.path.commonprefix(found)) if found else last
    return None if grown == last else f"{head}{space}{grown}"


def _fits(entry: os.DirEntry[str], name: str) -> bool:
    """Whether it can be meant: a folder or a table, and no hidden one unasked."""
    if entry.name.startswith(".") and not name.startswith("."):
        return False
    return entry.is_dir() or entry.name.lower().endswith(SUFFIXES)


def _named(entry: os.DirEntry[str]) -> str:
    return entry.name + "/" * entry.is_dir()
