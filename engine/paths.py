"""The only place that knows where things lie."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ASSETS = ROOT / "assets"
LEADERBOARDS = ROOT / "leaderboards"


def _xdg(variable: str, fallback: str) -> Path:
    value = os.environ.get(variable, "")
    return Path(value) if os.path.isabs(value) else Path.home() / fallback


def discard(path: Path) -> None:
    """Delete a file of no further use; where that cannot be, it stays."""
    with suppress(OSError):  # more than missing: a folder on the way may be a file, or read-only
        path.unlink()


def store_directory(given: str | os.PathLike[str] | None = None) -> Path:
    """The store: `--store`, else `AUGURY_STORE`, else the XDG data directory."""
    chosen = given or os.environ.get("AUGURY_STORE")
    return Path(chosen).expanduser().absolute() if chosen else default_store_directory()


def default_store_directory() -> Path:
    """The store where nobody names one."""
    return _xdg("XDG_DATA_HOME", ".local/share") / "augury"


def cache_directory() -> Path:
    """Compiled programs and fetched data: safe to delete."""
    return _xdg("XDG_CACHE_HOME", ".cache") / "augury"


def state_directory() -> Path:
    """What the terminal application remembers between two starts."""
    return _xdg("XDG_STATE_HOME", ".local/state") / "augury"


def config_file() -> Path:
    """What a person prefers of the terminal application."""
    return _xdg("XDG_CONFIG_HOME", ".config") / "augury" / "config.toml"


def data_directory() -> Path | None:
    """Data sets placed by hand: `AUGURY_DATA`, if set."""
    value = os.environ.get("AUGURY_DATA")
    return Path(value).expanduser() if value else None
