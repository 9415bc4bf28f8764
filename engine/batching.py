"""Cells -> batches, each evaluated by one compiled program. Pure: no clock, no store, no JAX."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from augury.engine.catalog.agent_configs.sgd import steps_for
from augury.engine.catalog.entry import static
from augury.engine.catalog.problems import ProblemCard, parse
from augury.engine.catalog.scenarios import config_of, entry_of
from augury.engine.types import JSON, Cell, canonical


@dataclass(frozen=True, slots=True)
class Batch:
    """Cells that one compiled program evaluates together."""

    key: str
    cells: tuple[Cell, ...]


def batch_key(cell: Cell) -> str:
    """What must be equal for two cells to share one compiled program."""
    entry, config, card = entry_of(cell), config_of(cell), parse(cell.problem)
    parts = [
        cell.scenario, entry.group or cell.subject, static(config), dict(cell.settings),
        card.shape(), cell.precision, cell.source,
    ]  # fmt: skip
    return canonical([*parts, *_length(config, card)])


def _length(config: Any, card: ProblemCard) -> list[JSON]:
    """Steps of a training, where they depend on the problem: cells of one batch end together."""
    strategy = getattr(config, "batch_strategy", False)
    factor = getattr(config, "many_rows_factor", 1)
    if not strategy and factor == 1:
        return []
    return [steps_for(config.num_steps, strategy, card.rows_per_dimension(), factor)]


def training_key(cell: Cell) -> str:
    """What must be equal for two cells to share one training; a batch keeps them together."""
    return canonical(
        [batch_key(cell), dict(cell.config), cell.seed, parse(cell.problem).training()]
    )


def batches(cells: Iterable[Cell], most: Mapping[str, int] | int = 16) -> tuple[Batch, ...]:
    """Group by program, then cut to at most `most` trainings (for all keys, or for each)."""
    keyed = sorted(((batch_key(c), training_key(c), i, c) for i, c in enumerate(cells)))
    found: list[Batch] = []
    for key, members in groupby(keyed, key=lambda item: item[0]):
        units = [[m[3] for m in unit] for _, unit in groupby(members, key=lambda item: item[1])]
        step = most if isinstance(most, int) else most.get(key, 16)
        for start in range(0, len(units), max(step, 1)):
            chunk = units[start : start + max(step, 1)]
            found.append(Batch(key, tuple(c for unit in chunk for c in unit)))
    return tuple(found)
