"""Section 4.1 of arXiv:2112.01477: in the gap, modes disagree; off it, they agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from augury.engine.goldens import ppc, ppc_gap
from augury.engine.goldens.table import Row

pytestmark = pytest.mark.slow  # together they compile for minutes

# A quarter of the steps, and a third of the members.
SMALL = {"ensemble": {"num_ensemble": 16, "num_steps": 500}, "dropout": {"num_steps": 1_000}}


def test_the_independent_ensemble_fails_in_the_gap_and_the_bayesian_and_dropout_pass() -> None:
    """One environment and small ensembles; the test below is of the defaults.

    In the gap the bayesian p is .43, so that 16 other members fail with .43^16 + .57^16, one time
    in 8,000; that of dropout is .72, so that 50 other masks fail with .72^50, one in ten million.
    Of environments 0 to 7 none failed. Mean sharpness after so few steps is in no order.
    """
    found = list(ppc_gap.gap((4,), SMALL))
    assert len(found) == 5 + 5 + 5 + 2 and len({row.name for row in found}) == len(found)
    assert [row for row in found if not row.ok and "mean sharpness" not in row.name] == []


@pytest.mark.slow
def test_so_do_two_environments_of_the_defaults() -> None:
    """Two in which sharpness is in order; `augury goldens ppc` has five."""
    found = list(ppc_gap.gap((3, 4)))
    assert len(found) == 2 * (5 + 5) + 5 + 2
    assert [row for row in found if not row.ok] == []


@pytest.mark.parametrize("number", [1, 3, 5, 20])
def test_right_models_seldom_exceed_the_spread_and_wrong_ones_do(number: int) -> None:
    draws = np.random.default_rng(number).random((40_000, number))
    beyond = np.mean([not row.ok for row in map(_spread, draws)])
    assert beyond <= 0.002
    assert _spread([0.5] * number).ok  # data are better explained than a right model would
    assert not _spread([1.0] * number).ok and not _spread([0.0, 1.0] * number).ok
    assert _spread([0.985] * number).ok == (number == 1)


def _spread(p_values: Sequence[float]) -> Row:
    return ppc_gap.spread("", p_values)


def test_the_table_of_limits() -> None:
    found = list(ppc.limits())
    assert len(found) > 8
    assert [row for row in found if not row.ok] == []
