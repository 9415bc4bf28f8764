"""What a selection would do: how many cells, how many of them are new, and what they cost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache

from augury.engine.catalog.problems import parse
from augury.engine.datasets.needs import lacking
from augury.engine.plan import PlannedCell
from augury.engine.service.ledger import Unit, units
from augury.engine.service.scheduler import count_batches
from augury.engine.service.timing import Timing
from augury.engine.types import JSON, Cell

NUMBERS = ("total", "stored", "failed", "new", "batches", "seconds", "guessed_seconds",
           "guessed_cells")  # fmt: skip


def preview(
    planned: Sequence[PlannedCell], states: Mapping[str, str], timing: Timing, workers: int = 1
) -> dict[str, JSON]:
    """Cells in all, stored and new (of which so many failed before), batches, seconds and a grid.

    `states` are those of the cells that the store knows. `seconds` on so many workers, None where
    nothing is known; `guessed_seconds` of them, of `guessed_cells`, go by other kinds of cells.
    Failed cells are not tried again by themselves, and take no time. `lacking` says which data sets
    have to be fetched first. `grid` has (subject, setting,
    done, new, failed) for each pair, in the plan's order.
    """
    ids = [(item.cell, states.get(item.cell.cell_id, "")) for item in planned]
    new: list[Cell] = [cell for cell, state in ids if state != "done"]
    failed = sum(state == "failed" for _, state in ids)
    waiting = units([cell for cell, state in ids if state not in ("done", "failed")])
    return {
        "total": len(planned),
        "stored": len(planned) - len(new),
        "failed": failed,
        "new": len(new),
        "batches": count_batches(Counter(key for key, _, _ in units(new))),
        **_cost(waiting, timing, workers),
        "lacking": lacking(new),
        "grid": _grid(ids),
    }


def _cost(waiting: Sequence[Unit], timing: Timing, workers: int) -> dict[str, JSON]:
    cells: Counter[str] = Counter()
    for key, _, members in waiting:
        cells[key] += len(members)
    known = guessed = longest = 0.0
    strange, unknown = 0, False
    for key, number in cells.items():
        each = timing.whole(key)
        if each is None:
            strange += number
            each = timing.alike(key)
            unknown = unknown or each is None
            guessed += number * (each or 0.0)
        else:
            known += number * each
        longest = max(longest, each or 0.0)
    workers = max(min(workers, sum(cells.values())), 1)
    seconds = max((known + guessed) / workers, longest)
    return {
        "seconds": None if unknown else round(seconds, 1),
        "guessed_seconds": None if unknown else round(guessed / workers, 1),
        "guessed_cells": strange,
    }


def _grid(cells: Sequence[tuple[Cell, str]]) -> list[list[JSON]]:
    found: dict[tuple[str, str], list[int]] = {}
    for cell, state in cells:
        counts = found.setdefault((cell.subject, _setting(cell.scenario, cell.problem)), [0, 0, 0])
        counts[{"done": 0, "failed": 2}.get(state, 1)] += 1
    return [[*pair, *counts] for pair, counts in found.items()]


@cache
def _setting(scenario: str, problem: str) -> str:
    return f"{scenario}/{parse(problem).setting}"
