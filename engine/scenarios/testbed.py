"""Testbed: joint predictions against a truth that is a known random network."""

from __future__ import annotations

from collections.abc import Sequence

from augury.engine.catalog.problems import PlaneProblem, TestbedProblem, parse
from augury.engine.catalog.settings import JointSettings
from augury.engine.evaluation.joint_cells import run_cells
from augury.engine.problems import testbed
from augury.engine.problems.prepared import Prepared
from augury.engine.types import BatchContext, Cell, Emit


def run_batch(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """Evaluate cells of one batch key: rows (kl at three (tau, kappa), accuracy, nll, ece10)."""
    run_cells(cells, emit, context, prepare)


def prepare(cell: Cell, settings: JointSettings) -> Prepared:
    """The problem of a cell."""
    card = parse(cell.problem)
    assert isinstance(card, (TestbedProblem, PlaneProblem)), card
    return testbed.prepare(card, settings)
