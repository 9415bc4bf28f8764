"""Rows of a stepwise training: which steps count, and what a divergence says."""

from __future__ import annotations

import numpy as np
import pytest

from augury.engine.estimators.stages import Schedule, names, rows
from augury.engine.types import MetricRow


def _by(found: tuple[MetricRow, ...], metric: str, split: str) -> MetricRow:
    return next(row for row in found if (row.metric, row.split) == (metric, split))


def test_only_the_last_steps_of_each_stage_count() -> None:
    values = np.concatenate([np.full(6, 9.0), np.full(4, 1.8), np.full(6, -9.0), np.full(4, 3.0)])
    found = rows(values, Schedule((2.0, 4.0), 10, 4))
    assert _by(found, "mi", "2bits").value == pytest.approx(1.8)
    assert _by(found, "mi", "4bits").value == pytest.approx(3.0)
    assert _by(found, "mi_ratio", "4bits").value == pytest.approx(0.75)
    assert _by(found, "mi_true", "4bits").value == 4.0
    assert {row.num_samples for row in found} == {4}
    assert all((row.tau, row.kappa, row.reason) == (0, 0, "") for row in found)


def test_ratio_has_the_error_of_the_estimate_over_the_truth() -> None:
    values = np.random.default_rng(0).normal(3.0, 0.5, 400)
    found = rows(values, Schedule((4.0,), 400, 400))
    mi, ratio = _by(found, "mi", "4bits"), _by(found, "mi_ratio", "4bits")
    assert mi.stderr is not None and ratio.stderr == pytest.approx(mi.stderr / 4)
    assert mi.stderr == pytest.approx(0.5 / 20, rel=0.3)
    assert _by(found, "mi_std", "4bits").value == pytest.approx(0.5, rel=0.1)


def test_a_median_leaves_out_what_is_not_finite() -> None:
    values = np.array([50.0, 1.0, 9.0, np.nan, 4.0, 2.0])
    found = rows(values, Schedule((4.0,), 6, 5))
    row = _by(found, "mi_median", "4bits")
    assert (row.value, row.num_samples) == (3.0, 4)  # of 1, 2, 4, 9
    assert row.reason == "diverged: 1 of the last 5 values are not finite, left out"
    none = _by(rows(np.full(6, np.inf), Schedule((4.0,), 6, 5)), "mi_median", "4bits")
    assert (none.value, none.reason) == (None, "diverged: none of the last 5 values is finite")


def test_a_short_stage_says_how_many_steps_it_averages() -> None:
    row = _by(rows(np.ones(20), Schedule((2.0, 4.0), 10, 50)), "mi", "2bits")
    assert row.num_samples == 10
    assert row.reason == "mean of 10 steps, not 50: the stage has no more"


def test_a_diverged_stage_is_a_row_that_says_so() -> None:
    values = np.concatenate([np.ones(10), np.full(10, np.nan)])
    values[9] = np.inf
    found = rows(values, Schedule((2.0, 4.0), 10, 5))
    part, whole = _by(found, "mi", "2bits"), _by(found, "mi", "4bits")
    assert (part.value, part.num_samples) == (1.0, 4)
    assert part.reason == "diverged: 1 of the last 5 values are not finite, left out"
    assert (whole.value, whole.stderr, whole.num_samples) == (None, None, 0)
    assert whole.reason == "diverged: none of the last 5 values is finite"
    assert _by(found, "mi_ratio", "4bits").value is None
    assert _by(found, "mi_ratio", "4bits").reason
    assert [_by(found, "mi_diverged", s).value for s in ("2bits", "4bits")] == [1.0, 5.0]


def test_values_are_finite_or_none_with_a_reason() -> None:
    values = np.array([1e300, -1e308, 1e308, 1e308, np.nan, 3.0])
    for row in rows(values, Schedule((4.0,), 6, 6)):
        assert (row.value is not None and np.isfinite(row.value)) or row.reason


def test_no_ratio_to_zero_bits() -> None:
    row = _by(rows(np.ones(10), Schedule((0.0,), 10, 5)), "mi_ratio", "0bits")
    assert (row.value, row.reason) == (None, "the true value is 0")


def test_a_stage_that_comes_again_keeps_a_name_of_its_own() -> None:
    assert names((2.0, 4.0, 2.0, 0.5)) == ["2bits", "4bits", "2bits-stage3", "0.5bits"]
