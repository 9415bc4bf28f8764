"""A run where no engine lives. Apart, for the application needs it before the catalog is loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def unattended(run: Mapping[str, Any]) -> Mapping[str, Any]:
    """A run's summary without an engine: one under way stands still until one takes it up."""
    if run["state"] != "running":
        return run
    pending = run["total"] - run["done"] - run["failed"]
    nothing = {"running": 0, "waiting_batches": 0, "seconds_left": None, "guessed_cells": 0}
    return {**run, **nothing, "state": "stopped", "pending": pending}
