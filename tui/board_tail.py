"""Columns that every board has besides its keys and numbers."""

from __future__ import annotations

from collections.abc import Mapping

TIES = "ties"
# Columns that every board ends with, and their titles.
TAIL: Mapping[str, str] = {
    "problems": "problems", "seeds": "seeds", "coverage": "covers", "done": "done",
    "failed": "failed", "pending": "pending", "seconds": "s/cell", "reason": "note",
}  # fmt: skip
