"""Problems as values. An id is semantic and says everything: `parse` turns it back."""

from __future__ import annotations

import re

from augury.engine.catalog.problems import (
    mi,
    mi_closed,
    mi_encoded,
    mi_items,
    ppc,
    real,
    studies,
    table,
    testbed,
)
from augury.engine.catalog.problems.card import ProblemCard as ProblemCard
from augury.engine.catalog.problems.mi import ChannelProblem as ChannelProblem
from augury.engine.catalog.problems.mi import GaussianProblem as GaussianProblem
from augury.engine.catalog.problems.mi import PairProblem as PairProblem
from augury.engine.catalog.problems.mi_closed import ClosedFormProblem as ClosedFormProblem
from augury.engine.catalog.problems.mi_encoded import EncodedProblem as EncodedProblem
from augury.engine.catalog.problems.mi_encoded import EncodedTextProblem as EncodedTextProblem
from augury.engine.catalog.problems.mi_items import ImageProblem as ImageProblem
from augury.engine.catalog.problems.mi_items import ItemProblem as ItemProblem
from augury.engine.catalog.problems.mi_items import MixtureProblem as MixtureProblem
from augury.engine.catalog.problems.mi_items import TextProblem as TextProblem
from augury.engine.catalog.problems.ppc import CorruptionProblem as CorruptionProblem
from augury.engine.catalog.problems.ppc import NormalProblem as NormalProblem
from augury.engine.catalog.problems.ppc import QuadraticProblem as QuadraticProblem
from augury.engine.catalog.problems.real import RealProblem as RealProblem
from augury.engine.catalog.problems.studies import CoinsProblem as CoinsProblem
from augury.engine.catalog.problems.studies import LogisticProblem as LogisticProblem
from augury.engine.catalog.problems.table import TableProblem as TableProblem
from augury.engine.catalog.problems.testbed import FileProblem as FileProblem
from augury.engine.catalog.problems.testbed import PlaneProblem as PlaneProblem
from augury.engine.catalog.problems.testbed import TestbedProblem as TestbedProblem
from augury.engine.errors import UsageError

_PATTERNS = (
    *testbed.PATTERNS,
    *studies.PATTERNS,
    *real.PATTERNS,
    *table.PATTERNS,
    *ppc.PATTERNS,
    *mi.PATTERNS,
    *mi_closed.PATTERNS,
    *mi_items.PATTERNS,
    *mi_encoded.PATTERNS,
)


def parse(problem_id: str) -> ProblemCard:
    """The value an id stands for; `UsageError` if it stands for none."""
    for pattern, build in _PATTERNS:
        match = re.fullmatch(pattern, problem_id)
        if match:
            return build(match.groups())
    raise UsageError(
        f"problem id {problem_id!r} has no known form. Example: testbed/d10-l10-t0.1/e3."
    )
