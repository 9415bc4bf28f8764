"""Cells of the two studies: no training, no compiled program, rows from formulas."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from augury.engine.catalog.problems import CoinsProblem, LogisticProblem, ProblemCard, parse
from augury.engine.catalog.scenarios import config_of, settings_of
from augury.engine.errors import UsageError, unknown
from augury.engine.studies import coin_rows, logistic_rows
from augury.engine.types import BatchContext, Cell, CellFinished, Emit, Progress, Seconds

PROGRESS_SECONDS = 0.2
SUBJECTS: Mapping[type[ProblemCard], tuple[Callable[..., Any], tuple[str, ...]]] = {
    CoinsProblem: (coin_rows.rows, tuple(coin_rows.SCORES)),
    LogisticProblem: (logistic_rows.rows, ("uniform", "marginal", "prior", "floor")),
}


def is_study(problem: str) -> bool:
    """Whether a problem's id is one of the two studies'."""
    return type(parse(problem)) in SUBJECTS


def run_cells(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """Score cells one after another; one `CellFinished` for each.

    Raises:
        UsageError: a subject that the study does not know, or an estimator that it has not.
    """
    for cell in cells:
        card = parse(cell.problem)
        rows, subjects = SUBJECTS[type(card)]
        if cell.subject not in subjects:
            raise unknown(f"subject of {cell.problem}", cell.subject, subjects)
        settings = settings_of(cell)
        if (settings.labels, settings.estimator) != ("exact", "exact"):
            raise UsageError(
                f"{cell.problem} is scored by formulas; leave out testbed.labels and .estimator."
            )
        started = time.perf_counter()
        shown = [float("-inf")]

        def tick(done: int, steps: int, cell: Cell = cell, shown: list[float] = shown) -> None:
            if time.monotonic() - shown[0] >= PROGRESS_SECONDS:
                shown[0] = time.monotonic()
                emit(Progress((cell.cell_id,), "evaluate", done, steps))

        tick(0, 1)
        found = rows(card, cell.subject, config_of(cell), settings, cell.seed, tick)
        seconds = Seconds(0.0, 0.0, time.perf_counter() - started)
        emit(CellFinished(cell.cell_id, tuple(found), seconds, 1))
