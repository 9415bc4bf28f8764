"""Estimators that take samples: closed forms, an independent implementation, and edges."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.feature_selection import mutual_info_regression

from augury.engine.catalog.critic_config import CorrelationConfig, NeighbourConfig
from augury.engine.estimators.samples import cca, ksg

FIVE = NeighbourConfig(neighbours=(5,))


def _pairs(rho: float, number: int, dim: int = 1, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    x, e = np.random.default_rng(seed).normal(size=(2, number, dim))
    return x, rho * x + np.sqrt(1 - rho**2) * e


def test_ksg_of_numbers_is_that_of_another_implementation() -> None:
    x, y = _pairs(0.6, 800)
    y = np.exp(y)
    theirs = mutual_info_regression(x, y[:, 0], n_neighbors=5, random_state=0)[0]
    # It adds noise of 1e-10 of the spread, which can move no neighbour here.
    assert ksg(x, y, FIVE) == pytest.approx(theirs, abs=1e-6)


def test_both_ways_to_count_neighbours_agree() -> None:
    x, y = _pairs(0.6, 500)
    # A constant column changes no distance, but the way that distances are counted.
    wide = np.concatenate([x, np.zeros_like(x)], axis=1)
    assert ksg(wide, y, FIVE) == pytest.approx(ksg(x, y, FIVE), abs=1e-12)


def test_ksg_averages_over_numbers_of_neighbours() -> None:
    x, y = _pairs(0.8, 400, dim=2)
    apart = [ksg(x, y, NeighbourConfig(neighbours=(k,))) for k in (3, 7)]
    assert ksg(x, y, NeighbourConfig(neighbours=(3, 7))) == pytest.approx(np.mean(apart))


@pytest.mark.parametrize(("rho", "dim"), [(0.0, 1), (0.75, 1), (0.75, 3), (0.0, 3)])
def test_gaussian_pairs_read_their_truth(rho: float, dim: int) -> None:
    x, y = _pairs(rho, 2_000, dim)
    true = -0.5 * dim * np.log1p(-(rho**2))
    # One log ratio of a source has variance rho^2: that of the mean of 2,000, and KSG's own bias.
    error = 4 * np.sqrt(max(rho**2, 0.05) * dim / 2_000)
    assert cca(x, y, CorrelationConfig()) == pytest.approx(true + dim**2 / 4_000, abs=error)
    assert ksg(x, y, NeighbourConfig()) == pytest.approx(true, abs=error + 0.05)


def test_ksg_is_never_negative() -> None:
    x, y = _pairs(0.0, 200)
    assert ksg(x, y, NeighbourConfig(neighbours=(1,))) >= 0.0


def test_cca_minds_no_linear_map_and_no_idle_column() -> None:
    x, y = _pairs(0.7, 300, dim=2)
    plain = cca(x, y, CorrelationConfig())
    turned = x @ np.array([[2.0, 1.0, 3.0], [0.5, -1.0, -0.5]])  # three columns of rank two
    constant = np.concatenate([y, np.full((300, 1), 7.0)], axis=1)
    assert cca(turned, constant, CorrelationConfig()) == pytest.approx(plain, abs=1e-9)


def test_cca_of_a_linear_function_has_no_end() -> None:
    x, _ = _pairs(0.0, 100, dim=2)
    assert cca(x, x[:, :1] * 3 + 1, CorrelationConfig()) > 10


def test_equal_rows_are_no_reason_to_fail() -> None:
    x = np.repeat([[0.0], [1.0]], 50, axis=0)
    assert np.isfinite(ksg(x, x, FIVE))
    assert np.isfinite(ksg(np.tile(x, 2), np.tile(x, 2), FIVE))


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (lambda: NeighbourConfig(neighbours=()), "at least 1"),
        (lambda: NeighbourConfig(num_samples=10), "above every number"),
        (lambda: CorrelationConfig(num_samples=2), "at least 3"),
    ],
)
def test_what_gives_no_number_is_refused(config, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        config()
