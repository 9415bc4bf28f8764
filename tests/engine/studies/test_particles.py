"""Sequential Monte Carlo against quadrature, orthants and Cover's theorem."""

from math import comb, log
from typing import Any

import numpy as np
import pytest
from scipy.stats import multivariate_normal

from augury.engine.studies import anchors, marginal, naive, particles
from augury.engine.studies.anchors import Geometry
from augury.engine.studies.cover import labelings
from augury.engine.studies.draws import draw
from augury.engine.studies.particles import Labels


def repeated(labels, tau, times, number=300):
    """Likelihoods of independent runs, and the standard deviation they predict of their logs."""
    runs = [
        particles.estimate(labels, [tau], number, np.random.default_rng(s))[0] for s in range(times)
    ]
    spread = np.sqrt(np.mean([1 / run.ess - 1 / number for run in runs]))
    return np.array([run.log_likelihood for run in runs]), spread


def agree(logs, wanted, spread):
    """Likelihoods are unbiased: their mean is compared, not that of the logs."""
    ratios = np.exp(logs - wanted)
    error = max(ratios.std(ddof=1), spread) / len(ratios) ** 0.5
    assert abs(ratios.mean() - 1.0) < 4 * error
    assert 0.4 * spread < logs.std(ddof=1) < 2.5 * spread


@pytest.mark.parametrize("rho", [1.0, 1e-2, 1e-5])
def test_two_anchors_by_quadrature(rho):
    pair = Geometry(1.3, 0.7, 0.9)
    patterns = anchors.pattern_probabilities(pair, rho, 8)
    x = np.array([[1.3, 0.0], [0.7 * np.cos(0.9), 0.7 * np.sin(0.9)]]) / rho
    both = np.concatenate([x, -x])
    which = np.array([0, 1, 0, 1, 3, 0, 0, 1])  # 4 ones of 4 at the first, 3 of 4 at the second
    logs, spread = repeated(Labels(both, which), 8, 30)
    agree(logs, np.log(patterns[4][4, 3]), spread)


def test_one_dimension_by_quadrature():
    slopes = np.array([[2.0], [-1.0], [0.5]])
    which = np.repeat([0, 1, 2], [30, 12, 5])
    logs, spread = repeated(Labels(slopes, which), 47, 30)
    agree(logs, marginal.log_likelihoods(slopes[which].T)[0], spread)


def test_orthants():
    """rho -> 0 with no more labels than dimensions: a normal orthant probability."""
    batch = draw(6, 1e-6, 0, 5, "test")
    slopes = batch.signs[:, None] * batch.slopes * 1e-6
    covariance: Any = slopes @ slopes.T
    normal = multivariate_normal(np.zeros(5), covariance, maxpts=200_000, seed=0)
    logs, spread = repeated(batch.labels, 5, 30)
    agree(logs, np.log(normal.cdf(np.zeros(5))), spread)


def test_an_unlikely_label_comes_in_by_powers():
    slopes = np.array([[0.0, 50.0], [4.0, -50.0]]) / 0.01  # the second: an eighth's thin end
    logs, spread = repeated(Labels(slopes, np.array([0, 1])), 2, 40)
    angle = np.arctan2(4.0, 50.0)  # between the two lines
    agree(logs, np.log(angle / (2 * np.pi)), spread + 0.01)


def test_estimates_on_the_way_are_those_of_fewer_labels():
    batch = draw(3, 0.05, 0, 40, "test")
    rng = np.random.default_rng
    whole = particles.estimate(batch.labels, [1, 7, 8, 40], 200, rng(0))
    assert len(whole) == 4
    assert whole[1] == particles.estimate(batch.labels, [7], 200, rng(0))[0]
    assert whole[0].log_likelihood == pytest.approx(-log(2.0), abs=0.2)
    assert all(1 <= one.ess <= 200 for one in whole)


def test_draws_are_prefixes():
    long, short = draw(3, 0.1, 0, 20, "a", 5), draw(3, 0.1, 0, 6, "a", 5)
    np.testing.assert_array_equal(long.slopes[:6], short.slopes)
    np.testing.assert_array_equal(long.true_ll[:6], short.true_ll)
    assert draw(3, 0.1, 0, 6, "a", 6).true_ll[-1] != short.true_ll[-1]


def test_fewer_dimensions_say_the_same():
    batch = draw(50, 0.1, 0, 4, "a")
    assert batch.labels.slopes.shape == (8, 4)
    gram = batch.labels.slopes[:4] @ batch.labels.slopes[:4].T
    np.testing.assert_allclose(gram, batch.slopes @ batch.slopes.T, rtol=1e-9)


def test_covers_count():
    assert labelings(5, 10) == pytest.approx(log(2 * sum(comb(9, i) for i in range(5))))
    assert labelings(100, 10) == pytest.approx(10 * log(2.0))


def test_the_prior_stays_below_covers_bound():
    """KL of the prior agent, D = 5: far below the uniform agent's 693 nats at 1,000 labels."""
    taus, kl = [10, 30, 100, 1000], []
    for j in range(12):
        batch = draw(5, 1e-4, 0, taus[-1], "cover", j)
        scored = particles.estimate(batch.labels, taus, 200, np.random.default_rng(j))
        kl.append(
            [batch.true_ll[t - 1] - s.log_likelihood for t, s in zip(taus, scored, strict=True)]
        )
    mean, error = np.mean(kl, 0), np.std(kl, 0, ddof=1) / len(kl) ** 0.5
    assert (mean <= [labelings(5, tau) + 3 * e for tau, e in zip(taus, error, strict=True)]).all()
    assert (mean > [2.0, 5.0, 9.0, 14.0]).all()


def test_naive_estimates_need_as_many_weights_as_labelings():
    """Algorithm 1 at D = 10: right where weights cover what may happen, far too high elsewhere."""
    easy = [draw(2, 0.3, 0, 3, "naive", j) for j in range(200)]
    truth = np.array([b.true_ll[-1] for b in easy])
    scores = naive.score(easy, 3, 2_000, np.random.default_rng(0))
    kl, error = scores.mean_and_error(truth)
    exact = [
        truth[j]
        - particles.estimate(b.labels, [3], 300, np.random.default_rng(j))[0].log_likelihood
        for j, b in enumerate(easy)
    ]
    assert abs(kl - np.mean(exact)) < 4 * error and scores.ess.min() > 10
    hard = [draw(10, 0.01, 0, 10, "naive", j) for j in range(50)]
    scores = naive.score(hard, 10, 1_000, np.random.default_rng(0))
    assert scores.ess.min() < 1.5
    assert scores.mean_and_error(np.array([b.true_ll[-1] for b in hard]))[0] > 7.5
