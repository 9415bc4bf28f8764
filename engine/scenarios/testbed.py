"""Testbed: joint predictions against a truth that is a known random network."""

from __future__ import annotations

from collections.abc import Sequence

from augury.engine.catalog.problems import FileProblem, PlaneProblem, TestbedProblem, parse
from augury.engine.catalog.settings import JointSettings
from augury.engine.errors import UsageError
from augury.engine.evaluation.joint_cells import run_cells
from augury.engine.problems import given, testbed
from augury.engine.problems.prepared import Prepared
from augury.engine.studies import run as studies
from augury.engine.types import BatchContext, Cell, Emit


def run_batch(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """Evaluate cells of one batch key: rows (kl at three (tau, kappa), accuracy, nll, ece10)."""
    if studies.is_study(cells[0].problem):
        studies.run_cells(cells, emit, context)
    else:
        run_cells(cells, emit, context, prepare)


def prepare(cell: Cell, settings: JointSettings) -> Prepared:
    """The problem of a cell."""
    card = parse(cell.problem)
    if isinstance(card, FileProblem):
        return given.prepare(card, cell.resources.get("problem"), settings)
    if isinstance(card, (TestbedProblem, PlaneProblem)):
        return testbed.prepare(card, settings)
    if studies.is_study(cell.problem):
        raise UsageError(f"{cell.problem} is scored by formulas; it takes no sampler.")
    raise UsageError(f"{cell.problem} is no problem of 'testbed'.")
