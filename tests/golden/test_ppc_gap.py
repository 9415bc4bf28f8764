"""Section 4.1 of arXiv:2112.01477: in the gap, modes disagree; off it, they agree."""

from __future__ import annotations

from augury.engine.goldens import ppc


def test_the_independent_ensemble_fails_in_the_gap_and_the_bayesian_passes() -> None:
    found = list(ppc.gap((0, 1, 2)))
    assert len(found) == 3 * (4 + 3)
    wrong = [row for row in found if not row.ok]
    assert not wrong


def test_the_table_of_exact_numbers_and_limits() -> None:
    found = [*ppc.exact(), *ppc.limits()]
    assert len(found) > 30
    assert [row for row in found if not row.ok] == []
