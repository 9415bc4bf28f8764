"""Each statistic against a plain oracle, over leading replicate axes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import cramervonmises, kstest

from augury.engine.catalog.entry import load
from augury.engine.catalog.statistics import STATISTICS
from augury.engine.statistics import calibration, classification
from augury.engine.statistics.mixture import normal_mixture

rng = np.random.default_rng


@pytest.mark.parametrize("name", STATISTICS)
def test_every_line_of_the_table_is_a_function_of_replicates(name: str) -> None:
    card = STATISTICS[name]
    function = load(card.target)
    assert function.__doc__
    if card.needs == "probs":
        probs, labels = rng(0).dirichlet(np.ones(3), 6), rng(1).integers(3, size=(4, 5, 6))
        found = np.asarray(function(probs, labels))
        single = function(probs, labels[2, 3])
    else:
        values = rng(0).random((4, 5, 6))
        found = np.asarray(function(values))
        single = function(values[2, 3])
    assert found.shape == (4, 5)
    assert found[2, 3] == pytest.approx(single, rel=1e-12)


def test_against_scipy() -> None:
    for seed in range(5):
        cdf = rng(seed).random(50) ** 1.3
        assert calibration.kolmogorov_smirnov(cdf) == pytest.approx(
            kstest(cdf, "uniform").statistic, rel=1e-12
        )
        assert calibration.cramer_von_mises(cdf) == pytest.approx(
            cramervonmises(cdf, "uniform").statistic, rel=1e-12
        )


def test_calibration_error_counts_a_level_as_below_itself() -> None:
    cdf = np.array([0.5, 0.5, 0.1, 0.9])
    levels = np.arange(1, 100) / 100
    fractions = (cdf[None, :] <= levels[:, None]).mean(-1)
    assert (calibration.observed_fractions(cdf) == fractions).all()
    assert calibration.calibration_error(cdf) == pytest.approx(((fractions - levels) ** 2).mean())


def test_calibration_error_nears_the_integral_with_many_levels() -> None:
    cdf = rng(1).random(40) ** 2
    exact = calibration.cramer_von_mises(cdf) / 40
    assert calibration.calibration_error(cdf, 100_000) == pytest.approx(exact, rel=1e-4)


def test_coverage_includes_both_ends() -> None:
    cdf = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
    assert calibration.coverage(cdf, 0.5) == 0.6


@pytest.mark.parametrize("bins", [1, 2, 10, 15])
def test_ece_against_a_loop(bins: int) -> None:
    probs = rng(2).dirichlet(np.ones(4) * 0.5, 200)
    labels = rng(3).integers(4, size=200)
    edges, confidence = np.linspace(0, 1, bins + 1), probs.max(-1)
    total = 0.0
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        inside = (confidence > low) & (confidence <= high)
        if inside.any():
            hit = (labels == probs.argmax(-1))[inside].mean()
            total += inside.mean() * abs(hit - confidence[inside].mean())
    assert classification.ece(probs, labels, bins) == pytest.approx(total, rel=1e-12)


@pytest.mark.parametrize(
    ("confidence", "partner"),
    # 0.7 lies below the edge linspace(0, 1, 11)[7] = 0.7000000000000001, so in (0.6, 0.7];
    # 0.6 lies below the edge 0.6000000000000001, so in (0.5, 0.6]; 0 and 1 belong to the end bins.
    [(0.7, 0.65), (0.6, 0.55), (0.5, 0.45), (0.0, 0.05), (1.0, 0.95)],
)
def test_edges_of_bins(confidence: float, partner: float) -> None:
    """Two confidences share a bin exactly if a hit and a miss offset each other there."""
    pair = np.array([confidence, partner])
    together = abs(1.0 - pair.sum()) / 2
    ours = classification.confidence_error(pair, np.array([1, 0]), 10)
    assert ours == pytest.approx(together, abs=1e-15)


def test_brier_and_nll_against_loops() -> None:
    probs, labels = rng(4).dirichlet(np.ones(3), 30), rng(5).integers(3, size=30)
    one_hot = np.eye(3)[labels]
    assert classification.brier(probs, labels) == pytest.approx(
        ((probs - one_hot) ** 2).sum(-1).mean(), rel=1e-12
    )
    chosen = [np.log(row[label]) for row, label in zip(probs, labels, strict=True)]
    assert classification.nll(probs, labels) == pytest.approx(-np.mean(chosen), rel=1e-12)
    certain = np.array([[1.0, 0.0]])
    assert classification.nll(certain, np.array([1])) == pytest.approx(-np.log(1e-12))


def test_mixture_is_no_moment_matched_normal() -> None:
    mean, scale = rng(6).normal(size=(4, 3)), np.exp(rng(7).normal(size=(4, 3)))
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    mixture = normal_mixture(mean, scale, weights)
    grid = np.linspace(-60.0, 60.0, 240_001)
    density = np.exp(mixture.log_density(np.repeat(grid[:, None], 3, 1)))
    step = grid[1] - grid[0]
    assert density.sum(0) * step == pytest.approx(np.ones(3), rel=1e-6)
    assert (density[grid <= 0.5].sum(0) - density[grid <= 0.5][-1] / 2) * step == pytest.approx(
        mixture.cdf(np.full(3, 0.5)), abs=1e-6
    )
    first, aleatoric, epistemic = mixture.moments()
    assert (grid[:, None] * density).sum(0) * step == pytest.approx(first, abs=1e-6)
    second = ((grid[:, None] - first) ** 2 * density).sum(0) * step
    assert second == pytest.approx(aleatoric + epistemic, rel=1e-6)
