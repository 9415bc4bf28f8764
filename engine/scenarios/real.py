"""Real: joint predictions on classic data sets, where the truth is the labels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from augury.engine.catalog.problems import RealProblem, TableProblem, parse
from augury.engine.catalog.settings import JointSettings, RealSettings
from augury.engine.errors import UsageError
from augury.engine.evaluation.joint_cells import run_cells
from augury.engine.problems import own, real
from augury.engine.problems.prepared import Prepared
from augury.engine.types import BatchContext, Cell, CellFinished, Emit, Progress


def run_batch(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """Evaluate cells of one batch key: rows (kl at (1, 0) and (10, 2), accuracy, nll, ece10)."""
    chooses = {cell.cell_id for cell in cells if cell.problem.endswith("-validation")}

    def tell(event: Progress | CellFinished) -> None:
        if isinstance(event, CellFinished) and event.cell_id in chooses:
            # Rows that choose configs are others in each regime: their sums would not go together.
            event = replace(event, rows=tuple(replace(row, sums=None) for row in event.rows))
        emit(event)

    run_cells(cells, tell if chooses else emit, context, prepare)


def prepare(cell: Cell, settings: JointSettings) -> Prepared:
    """The problem of a cell."""
    card = parse(cell.problem)
    if isinstance(card, TableProblem) and isinstance(settings, RealSettings):
        return own.prepare(card, cell.resources, settings, cell.seed)
    if not isinstance(card, RealProblem) or not isinstance(settings, RealSettings):
        raise UsageError(f"{cell.problem} is no problem of 'real'.")
    return real.prepare(card, settings, cell.seed)
