"""Errors of means of correlated series against AR(1), whose error is known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.signal import lfilter

from augury.engine.estimators.series import autocorrelation_time, average


def _ar1(phi: float, length: int, runs: int, seed: int = 0) -> np.ndarray:
    noise = np.random.default_rng(seed).normal(size=(runs, length + 500))
    return np.asarray(lfilter([1.0], [1.0, -phi], noise, axis=1))[:, 500:]


def _errors(series: np.ndarray) -> np.ndarray:
    return np.array([average(one).stderr for one in series], np.float64)


def _true_variance_of_mean(phi: float, length: int) -> float:
    lags = np.arange(1, length)
    times = 1 + 2 * np.sum((1 - lags / length) * phi**lags)
    return times / (1 - phi**2) / length


@pytest.mark.parametrize("phi", [0.0, 0.5, 0.9])
def test_variance_of_the_mean_is_right(phi: float) -> None:
    series = _ar1(phi, 1000, 400)
    variances = _errors(series) ** 2
    truth = _true_variance_of_mean(phi, 1000)
    # The estimate of tau has a relative spread of about sqrt(20 tau / 1000) in one series; the mean
    # of 400 is known to 3 % at phi = .9. The window leaves out exp(-WINDOW) of the sum.
    assert np.mean(variances) == pytest.approx(truth, rel=0.1)
    assert np.var(series.mean(axis=1)) == pytest.approx(truth, rel=4 * np.sqrt(2 / 400))


@pytest.mark.parametrize(("phi", "least"), [(0.0, 0.925), (0.5, 0.915), (0.9, 0.88)])
def test_intervals_cover(phi: float, least: float) -> None:
    # At phi = .9 a series of 1000 is worth 53 independent values, and its own time is uncertain.
    series = _ar1(phi, 1000, 600, seed=1)
    covered = np.mean(np.abs(series.mean(axis=1)) < 1.96 * _errors(series))
    assert least < covered < 0.975  # 600 series: standard error .009


def test_a_negative_correlation_claims_no_more_than_independence() -> None:
    variances = _errors(_ar1(-0.3, 1000, 200)) ** 2
    assert np.mean(variances) == pytest.approx(1 / (1 - 0.09) / 1000, rel=0.05)


def test_an_error_that_ignores_correlation_would_be_far_too_small() -> None:
    series = _ar1(0.9, 1000, 1)
    assert _errors(series)[0] > 3 * series.std() / np.sqrt(1000)


@pytest.mark.parametrize(("phi", "time"), [(0.0, 1.0), (0.5, 3.0), (0.9, 19.0)])
def test_autocorrelation_time(phi: float, time: float) -> None:
    times = [autocorrelation_time(one) for one in _ar1(phi, 20_000, 20, seed=2)]
    assert np.mean(times) == pytest.approx(time, rel=0.06)


def test_a_trend_makes_the_error_large() -> None:
    series = np.linspace(0, 1, 500) + np.random.default_rng(3).normal(0, 0.1, 500)
    assert _errors(series[None])[0] > 0.1


def test_values_that_are_not_finite_are_left_out_and_counted() -> None:
    seen = average(np.array([1.0, np.nan, 3.0, np.inf, 2.0]))
    assert (seen.mean, seen.finite) == (2.0, 3)
    assert average(np.array([np.nan, -np.inf])) == (None, None, None, 0, None)


def test_edges() -> None:
    assert average(np.array([2.0])) == (2.0, None, None, 1, None)
    assert average(np.full(10, 2.0))[:4] == (2.0, 0.0, 0.0, 10)
    huge = average(np.array([1e200, -1e200, 1e200, 1e200]))
    assert huge.mean == 5e199 and huge.stderr is None
    assert average(np.array([1.0, 2.0])).stderr is not None
