"""Whose a store is. Only its owner may run an engine on it; root is nobody special."""

from __future__ import annotations

import os
from pathlib import Path

from augury.engine.errors import StoreError, StoreLockedError
from augury.engine.service import lock


def stranger(store: Path) -> int | None:
    """The user who owns the store, where that is somebody else; None if it is ours or absent."""
    try:
        owner = store.stat().st_uid
    except OSError:
        return None
    return None if owner == os.geteuid() else owner


def check_ours(store: Path) -> None:
    """Before an engine is started or anything is written. Raises `StoreError`."""
    owner = stranger(store)
    if owner is not None:
        raise StoreError(
            f"you are {_name(os.geteuid())}, but the store {store} belongs to {_name(owner)}: "
            "run as that user, or choose another --store."
        )


def check_not_in_use(store: Path) -> None:
    """Raises `StoreLockedError` where somebody else's engine has the store open."""
    owner = stranger(store)
    if owner is not None and lock.held(store):
        raise StoreLockedError(
            f"the store {store} is in use by the engine of {_name(owner)}, and only that user "
            "can read it now. Try again when the engine has ended."
        )


def _name(uid: int) -> str:
    return "root" if uid == 0 else f"user {uid}"
