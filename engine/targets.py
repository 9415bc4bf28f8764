"""Names of things to import later: every table of the project holds such names."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def load(target: str) -> Any:
    """Import what a "module:name" target names."""
    module, _, name = target.partition(":")
    return getattr(import_module(module), name)
