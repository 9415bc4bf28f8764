"""Which steps of a training leave a sample behind."""

from __future__ import annotations

from augury.engine.learning.epistemic import Keep


def test_from_the_first_to_the_last() -> None:
    steps = Keep(100_000, 1_000).steps(500_000, 500_000)
    assert len(steps) == 401 and steps[:2] == (100_000, 101_000) and steps[-1] == 500_000
    assert Keep(3, 4).steps(10, 10) == (3, 7)


def test_a_capped_training_keeps_as_many() -> None:
    steps = Keep(100_000, 1_000).steps(500_000, 50)
    assert len(steps) == 401 and steps[0] == 10 and steps[-1] == 50
    assert min(Keep(1, 1).steps(1_000, 1)) == 1
