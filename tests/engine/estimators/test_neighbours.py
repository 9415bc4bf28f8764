"""Estimators of a person's rows against closed forms, and against those of the boards."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from augury.engine.catalog.critic_config import CorrelationConfig, NeighbourConfig
from augury.engine.estimators import samples
from augury.engine.estimators.correlations import gaussian_information
from augury.engine.estimators.counts import counted
from augury.engine.estimators.neighbours import by_distance, by_tree, distances, information

Draw = Callable[[np.random.Generator, int], tuple[np.ndarray, np.ndarray]]
REPEATS, ROWS = 30, 600


def normal(rho: float) -> Draw:
    def draw(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
        x, noise = rng.normal(size=(2, rows, 1))
        return x, rho * x + math.sqrt(1 - rho**2) * noise

    return draw


def channel(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    x = rng.integers(2, size=(rows, 1))
    return x, x ^ (rng.random((rows, 1)) < 0.1)


def mixed(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """A label of m = 5, and a uniform number of width 2 from it on (Gao et al. 2017)."""
    label = rng.integers(5, size=(rows, 1))
    return 10.0 * np.eye(5)[label[:, 0]], label + 2 * rng.random((rows, 1))


def spikes(rng: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Half of the rows at a corner of the square, both sides alike; half normal and unlike."""
    tied = rng.random((rows, 1)) < 0.5
    corner = 20.0 * rng.choice([-1, 1], size=(rows, 1))
    x, y = rng.normal(size=(2, rows, 1))
    return np.where(tied, corner, x), np.where(tied, corner, y)


# In nats. Spikes: tied or not (ln 2), and where tied which corner (ln 2 / 2).
LAWS: dict[str, tuple[Draw, float]] = {
    "normal .0": (normal(0.0), 0.0),
    "normal .6": (normal(0.6), -0.5 * math.log(1 - 0.36)),
    "normal .9": (normal(0.9), -0.5 * math.log(1 - 0.81)),
    "channel": (channel, math.log(2) + 0.1 * math.log(0.1) + 0.9 * math.log(0.9)),
    "label and number": (mixed, math.log(5) - 0.8 * math.log(2)),
    "spikes": (spikes, 1.5 * math.log(2)),
}


@pytest.mark.parametrize("name", LAWS)
def test_mean_of_many_samples_is_the_closed_form(name: str) -> None:
    draw, true = LAWS[name]
    rng = np.random.default_rng(0)
    drawn = [draw(rng, ROWS) for _ in range(REPEATS)]
    found = np.array([information(by_tree(x, y, 5)) for x, y in drawn])
    error = found.std(ddof=1) / math.sqrt(REPEATS)
    # The bias at 600 rows is at most a hundredth of a nat and a half for these laws.
    assert abs(found.mean() - true) < 3 * error + 0.015
    assert error < 0.015


def test_numbers_give_what_the_boards_estimator_gives() -> None:
    x, y = normal(0.7)(np.random.default_rng(1), 400)
    expected = samples.ksg(x, y, NeighbourConfig(neighbours=(4,)))
    x, y = ((side - side.mean()) / side.std() for side in (x, y))
    assert information(by_tree(x, y, 4)) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", LAWS)
def test_distances_count_as_a_tree_does(name: str) -> None:
    x, y = map(np.asarray, LAWS[name][0](np.random.default_rng(2), 150))
    tree, matrix = by_tree(x, y, 3), by_distance(distances(x), distances(y), 3)
    for one, other in zip(tree, matrix, strict=True):
        np.testing.assert_array_equal(one, other)


def test_numbers_on_a_lattice_are_no_more_than_their_frequencies_say() -> None:
    rng = np.random.default_rng(3)
    x = rng.poisson(6.0, size=(1500, 1)).astype(float)
    y = x + rng.poisson(3.0, size=(1500, 1))
    by_counts = float(np.mean(counted(x[:, 0].astype(int), y[:, 0].astype(int)).terms))
    assert information(by_tree(x, y, 5)) == pytest.approx(by_counts, abs=0.06)


def test_counts_of_a_small_table_by_hand() -> None:
    x, y = np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])
    found = counted(x, y)
    plain = 0.5 * math.log(4 / 3) + 0.25 * math.log(2 / 3) + 0.25 * math.log(2)
    assert found.correction == (3 - 2 - 2 + 1) / 8 == 0
    assert found.terms.mean() == pytest.approx(plain, abs=1e-12)


def test_correction_takes_the_bias_of_counts_off() -> None:
    rng = np.random.default_rng(4)
    found = [counted(rng.integers(5, size=300), rng.integers(6, size=300)) for _ in range(200)]
    means = np.array([one.terms.mean() for one in found])
    assert found[0].correction == pytest.approx((30 - 5 - 6 + 1) / 600)
    assert abs(means.mean()) < 3 * means.std(ddof=1) / math.sqrt(200) + 1e-3


def test_correlations_are_those_of_the_boards() -> None:
    rng = np.random.default_rng(5)
    x = rng.normal(size=(200, 3))
    y = x @ rng.normal(size=(3, 2)) + rng.normal(size=(200, 2))
    expected = samples.cca(x, y, CorrelationConfig())
    assert gaussian_information(x, y) == pytest.approx(expected, abs=1e-10)
    twice = np.hstack([x, x[:, :1]])  # a column that tells nothing new
    assert gaussian_information(twice, y) == pytest.approx(expected, abs=1e-6)
    assert gaussian_information(x, x[:, :1] - 3 * x[:, 1:2]) == math.inf
