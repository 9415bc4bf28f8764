"""Errors a person can act on: each says what, where and what to do next."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class AuguryError(Exception):
    """Base of every error that is shown as one line, without a traceback."""

    exit_code = 1

    def __init__(self, message: str, title: str = "Error") -> None:
        """Keep the one-line message and the title a dialog shows above it."""
        super().__init__(message)
        self.message = message
        self.title = title


class UsageError(AuguryError):
    """A name, range or option that cannot be meant."""

    exit_code = 2


class StoreError(AuguryError):
    """The store cannot be read or written: not ours, newer, damaged, full."""


class DiskFullError(StoreError):
    """The store's disk is full."""


class StoreLockedError(AuguryError):
    """Another process holds the store."""

    exit_code = 4


class EngineError(AuguryError):
    """The engine refused a request or went away."""


class EngineAbsentError(EngineError):
    """No engine serves this store."""


class EngineGoneError(EngineError):
    """The engine ended before it answered: what reads may be asked again, without one."""


class LinkLostError(EngineError):
    """The link to another machine is down; whatever was asked may be asked again once it is up."""


def unwritable(where: object, why: str) -> StoreError:
    """A `StoreError` for a file or folder that is not the store: `why` ends with a full stop."""
    return StoreError(f"cannot write {where}: {why}", "The file cannot be written")


def unknown(kind: str, name: str, known: Iterable[str]) -> UsageError:
    """A `UsageError` for a name that is in no table, with the nearest names that are."""
    names = sorted(known)
    near = get_close_matches(name, names, n=1, cutoff=0.5)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    return UsageError(f"unknown {kind} {name!r}.{hint} Known: {', '.join(names)}.")
