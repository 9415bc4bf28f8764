"""Each statistic against a plain oracle, over leading replicate axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import cramervonmises, kstest, multivariate_normal

from augury.engine.catalog.entry import load
from augury.engine.catalog.statistics import REFUSED, STATISTICS
from augury.engine.statistics import calibration, classification
from augury.engine.statistics.binding import bind
from augury.engine.statistics.classes import categorical_mixture
from augury.engine.statistics.confidence import confidence_error
from augury.engine.statistics.latent import LatentNormal
from augury.engine.statistics.mixture import normal_mixture
from tests.engine.statistics import oracles

rng = np.random.default_rng


NUMBERS, LABELS = oracles.numbers(), oracles.labels()


def test_every_line_of_the_table_has_an_oracle_and_a_docstring() -> None:
    assert {*NUMBERS, *LABELS} == set(STATISTICS)
    assert all(load(card.target).__doc__ for card in STATISTICS.values())
    assert not set(STATISTICS) & set(REFUSED)


@pytest.mark.parametrize("name", NUMBERS)
def test_statistics_of_numbers_against_loops(name: str) -> None:
    """Seven unequal members, forty rows, six replicates in two axes."""
    draw, rows = rng(0), 40
    mean, scale = draw.normal(size=(7, rows)), np.exp(0.5 * draw.normal(size=(7, rows)))
    weights = np.array([0.05, 0.1, 0.3, 0.2, 0.15, 0.2, 0.0])
    covariate = draw.integers(4, size=rows).astype(float)
    y = 0.5 + 1.5 * draw.normal(size=(2, 3, rows))
    mixture = normal_mixture(mean, scale, weights)
    found = np.asarray(bind([name], mixture, covariate=covariate)(y)[name])
    assert found.shape == (2, 3)
    single = bind([name], mixture, covariate=covariate)(y[1, 2])[name]
    assert np.shape(single) == () and found[1, 2] == pytest.approx(single, rel=1e-12)
    for place in [(0, 0)] if name in ("crps", "winkler90") else np.ndindex(2, 3):
        expected = NUMBERS[name](mean, scale, weights, covariate, y[place])
        assert found[place] == pytest.approx(expected, rel=1e-8 if name == "crps" else 1e-10)


@pytest.mark.parametrize("name", LABELS)
def test_statistics_of_labels_against_loops(name: str) -> None:
    """Three members, sixty rows, seven classes."""
    draw, rows = rng(1), 60
    probs, weights = draw.dirichlet(np.full(7, 0.4), size=(3, rows)), np.array([0.5, 0.2, 0.3])
    labels = draw.integers(7, size=(2, 3, rows))
    labels[0, 0] = np.einsum("m,mrk->rk", weights, probs).argmax(-1)  # all of them right
    mixture = categorical_mixture(probs, weights)
    found = np.asarray(bind([name], mixture)(labels)[name])
    assert found.shape == (2, 3)
    single = bind([name], mixture)(labels[1, 2])[name]
    assert np.shape(single) == () and found[1, 2] == pytest.approx(single, rel=1e-12)
    for place in np.ndindex(2, 3):
        expected = LABELS[name](mixture.members, weights, labels[place])
        assert found[place] == pytest.approx(expected, rel=1e-11, abs=1e-15)


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
    ours = confidence_error(pair, np.array([1, 0]), 10)
    assert ours == pytest.approx(together, abs=1e-15)


def test_a_probability_under_the_logarithm_has_a_floor() -> None:
    certain = np.array([[1.0, 0.0]])
    assert classification.nll(certain, np.array([1])) == pytest.approx(-np.log(1e-12))
    model = categorical_mixture([certain, certain])
    for name in ("nll", "joint_nll"):
        assert bind([name], model)(np.array([1]))[name] == pytest.approx(-np.log(1e-12))


def test_brier_is_reliability_less_resolution_and_the_spread_of_labels() -> None:
    """Exactly where the probabilities do not vary within a bin."""
    probs = np.tile([[0.7, 0.2, 0.1], [0.1, 0.3, 0.6]], (30, 1))
    labels = rng(3).integers(3, size=60)
    share = np.bincount(labels, minlength=3) / 60
    reliable = classification.reliability(probs, labels)
    resolved = classification.resolution(probs, labels)
    whole = reliable - resolved + (share * (1 - share)).sum()
    assert classification.brier(probs, labels) == pytest.approx(whole, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "options", "same"),
    [("calibration", {"num_levels": 9}, lambda f: calibration.calibration_error(f, 9)),
     ("picp90", {"level": 0.5}, lambda f: calibration.coverage(f, 0.5)),
     ("tails", {"level": 0.2}, lambda f: calibration.tail_fraction(f, 0.2))],
)  # fmt: skip
def test_options_reach_the_function(name: str, options: dict, same: Any) -> None:
    model = normal_mixture(np.zeros((2, 9)), np.ones((2, 9)))
    y = rng(0).normal(size=9)
    assert bind([name], model, {name: options})(y)[name] == same(model.cdf(y))


def test_ranks_are_put_into_bins_of_known_shares() -> None:
    """Thirteen ranks in ten bins: three of them hold two ranks."""
    mean = np.arange(12.0)[:, None] + np.zeros((12, 1300))
    model = normal_mixture(mean, np.ones(mean.shape))
    y = np.repeat(np.arange(13) - 0.5, 100)
    assert bind(["rank_histogram"], model)(y)["rank_histogram"] == pytest.approx(0.0, abs=1e-12)


def test_joint_density_of_one_latent_mean_is_that_of_a_correlated_normal() -> None:
    model = LatentNormal(0.3, 2.0, 0.7, 4)
    y = rng(4).normal(size=(5, 4))
    covariance: Any = 0.7 * np.eye(4) + 2.0
    expected = multivariate_normal.logpdf(y, np.full(4, 0.3), covariance)
    assert -4 * bind(["joint_nll"], model)(y)["joint_nll"] == pytest.approx(expected)


def test_scores_of_one_latent_mean_are_those_of_equal_members() -> None:
    latent = LatentNormal(0.3, 2.0, 0.25, 6)
    equal = normal_mixture(np.full((2, 6), 0.3), np.full((2, 6), 1.5))
    y = rng(5).normal(size=(3, 6))
    names = ["crps", "winkler90", "rmse", "nll", "calibration", "bias"]
    ours, theirs = bind(names, latent)(y), bind(names, equal)(y)
    for name in names:
        assert ours[name] == pytest.approx(theirs[name], rel=1e-12)


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
