"""Logistic regression against limits, published estimates and Cover's theorem."""

import pytest

from augury.engine.goldens import logistic


@pytest.mark.parametrize(
    "dim",
    [d if d in (2, 1000) else pytest.param(d, marks=pytest.mark.slow) for d in logistic.LIMITS],
)
def test_limits(dim: int) -> None:
    wrong = [row for row in logistic.limits(dim) if not row.ok]
    assert not wrong, wrong


@pytest.mark.slow
@pytest.mark.parametrize("dim", [2, 10, 100, 1000])
def test_published(dim: int) -> None:
    rows = list(logistic.published(dim))
    assert len(rows) == 12 and not [row for row in rows if not row.ok], rows


@pytest.mark.slow
def test_the_prior_stays_below_covers_bound() -> None:
    wrong = [row for row in logistic.bounds() if not row.ok]
    assert not wrong, wrong
