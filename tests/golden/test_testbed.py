"""The testbed against published code, on its environments, rows and test draws."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from augury.engine.goldens import testbed
from augury.engine.goldens.testbed import Golden
from augury.engine.types import JSON


def _agree(goldens: list[Golden]) -> None:
    wrong = [golden.row for golden in goldens if not golden.row.ok]
    assert goldens and not wrong, wrong


def test_likelihoods() -> None:
    goldens = list(testbed.likelihoods())
    assert any(golden.row.golden == -286.170702 for golden in goldens)
    _agree(goldens)


def test_uniform() -> None:
    goldens = list(testbed.uniform())
    assert [golden.row.golden for golden in goldens] == [0.4452, 4.3543, 4.3281]
    _agree(goldens)


# Every other case takes up to a minute of two cores.
KEPT = {("mlp", testbed.P1), ("mlp", testbed.P2)}
CASES = [
    case if case[:2] in KEPT else pytest.param(*case, marks=pytest.mark.slow)
    for case in testbed.COMPARED
]


@pytest.mark.parametrize(("subject", "problem", "changes"), CASES)
def test_agents(subject: str, problem: str, changes: Mapping[str, JSON]) -> None:
    goldens = list(testbed.trained(subject, problem, testbed.SEEDS, changes, fresh=False))
    assert len(goldens) == 3
    _agree(goldens)
