"""Batches in the workers, and what ending them now would lose."""

from __future__ import annotations

import time
from pathlib import Path

from augury.engine.plan import label
from augury.engine.service import checkpoints
from augury.engine.service.flights import Flight
from augury.engine.service.scheduler import Scheduler
from augury.engine.types import JSON, Cell


def describe(store: Path, scheduler: Scheduler) -> list[JSON]:
    """One object for each batch, oldest first.

    `seconds` since it was handed out; `cells` and how many of them are `finished`, which a stop
    keeps; `unfinished`, the name of one of the others or ""; `lost_seconds` of work on them, should
    the batch be stopped now.
    """
    flights = sorted(scheduler.flights.values(), key=lambda flight: flight.since)
    return [_describe(store, flight) for flight in flights]


def _describe(store: Path, flight: Flight) -> JSON:
    seconds = time.monotonic() - flight.since
    left = flight.left()
    return {
        "batch": flight.batch.batch_id,
        "seconds": round(seconds, 1),
        "cells": len(flight.cells),
        "finished": len(flight.finished),
        "unfinished": _name(flight.cells[left[0]]) if left else "",
        "lost_seconds": round(_lost(store, flight, seconds), 1) if left else 0.0,
    }


def _lost(store: Path, flight: Flight, seconds: float) -> float:
    # A batch of which some cells are recorded does not form again: its carry is of no use.
    saved = None if flight.finished else checkpoints.saved_at(store, flight.cells)
    return seconds if saved is None else min(max(time.time() - saved, 0.0), seconds)


def _name(cell: Cell) -> str:
    return f"{label(cell.subject, cell.config)} on {cell.problem}, seed {cell.seed}"
