"""Accuracy, NLL and calibration error against loops."""

from __future__ import annotations

import numpy as np
import pytest

from augury.engine.metrics.calibration import ece_row
from augury.engine.metrics.marginal import accuracy_row, nll_row


def _case(rows: int = 500, classes: int = 3) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    return rng.dirichlet(np.ones(classes), rows), rng.integers(0, classes, rows)


def test_ece_as_a_loop_over_bins() -> None:
    probabilities, y = _case()
    confidence, hit = probabilities.max(1), probabilities.argmax(1) == y
    total = 0.0
    for low in range(10):
        inside = (confidence > low / 10) & (confidence <= (low + 1) / 10)
        if inside.any():
            total += inside.mean() * abs(confidence[inside].mean() - hit[inside].mean())
    row = ece_row(probabilities, np.eye(3)[y])
    assert row.metric == "ece10" and row.value is not None
    np.testing.assert_allclose(row.value, total, rtol=1e-12)


def test_bins_are_closed_on_the_right() -> None:
    # .5 and .6 lie in different bins although both are 10 ths; right and wrong do not cancel.
    probabilities = np.array([[0.5, 0.5], [0.6, 0.4]])
    row = ece_row(probabilities, np.eye(2)[[1, 0]])
    assert row.value == pytest.approx((0.5 + 0.4) / 2)


def test_ece_standard_error_covers(n: int = 400) -> None:
    # Confidence .8 always, right with .6: ECE = |.8 - accuracy|, of deviation sqrt(.6 * .4 / n).
    rng = np.random.default_rng(2)
    y = (rng.random(n) > 0.6).astype(int)
    row = ece_row(np.tile([0.8, 0.2], (n, 1)), np.eye(2)[y])
    assert row.stderr is not None
    np.testing.assert_allclose(row.stderr, np.sqrt(y.mean() * (1 - y.mean()) / (n - 1)), rtol=1e-9)


def test_accuracy_and_nll() -> None:
    probabilities, y = _case()
    accuracy = accuracy_row(probabilities, np.eye(3)[y])
    assert accuracy.value == (probabilities.argmax(1) == y).mean()
    assert accuracy.num_samples == 500
    nll = nll_row(np.log(probabilities[np.arange(500), y]))
    assert nll.value == pytest.approx(-np.log(probabilities[np.arange(500), y]).mean())


def test_not_finite_is_a_reason() -> None:
    probabilities, y = _case(4)
    probabilities[2] = np.nan
    seen = np.eye(3)[y]
    for row in (ece_row(probabilities, seen), accuracy_row(probabilities, seen)):
        assert row.value is None and row.stderr is None
        assert "1 of 4" in row.reason


def test_expected_labels_are_the_mean_over_draws() -> None:
    probabilities, _ = _case(40)
    rng = np.random.default_rng(3)
    truth = rng.dirichlet(np.ones(3), 40)
    accuracy = accuracy_row(probabilities, truth).value
    labels = [(rng.random((40, 1)) > truth.cumsum(1)).sum(1) for _ in range(3_000)]
    drawn = [float(accuracy_row(probabilities, np.eye(3)[y]).value or 0) for y in labels]
    assert accuracy == pytest.approx(np.mean(drawn), abs=4 * np.std(drawn) / 3_000**0.5)
