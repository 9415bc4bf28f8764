"""Logistic regression at anchors: quadrature against sampling, limits and known integrals."""

import numpy as np
import pytest
from scipy.special import ndtr, xlogy

from augury.engine.studies import anchors, marginal
from augury.engine.studies.anchors import Geometry
from augury.engine.studies.draws import draw
from augury.engine.studies.dyads import dyadic_entropies

LN2 = np.log(2.0)


def sigmoid(z):
    return 1.0 / (1.0 + np.exp(-z))


@pytest.mark.parametrize("dim", [1, 2, 3, 10, 1000])
def test_lengths_have_the_moments_of_chi(dim):
    nodes, weights = anchors.length_rule(dim)
    assert weights @ nodes**2 == pytest.approx(dim, rel=1e-9)
    assert weights @ nodes**4 == pytest.approx(dim * (dim + 2), rel=1e-9)


def test_normal_rule():
    nodes, weights = anchors.normal_rule()
    assert [weights @ nodes**k for k in (0, 2, 4)] == pytest.approx([1.0, 1.0, 3.0], rel=1e-12)


def test_angles_of_random_vectors():
    x = np.random.default_rng(0).normal(size=(2, 20_000, 4))
    cosine = (x[0] * x[1]).sum(-1) / np.linalg.norm(x, axis=-1).prod(0)
    levels = np.array([0.1, 0.5, 0.9])
    below = (np.arccos(cosine) < anchors.angle_quantile(4, levels)[:, None]).mean(1)
    assert below == pytest.approx(levels, abs=0.01)
    assert anchors.angle_quantile(1, np.array([0.2, 0.7])) == pytest.approx([0.0, np.pi])


@pytest.mark.parametrize("rho", [1.0, 1e-2, 1e-5])
def test_patterns_are_a_distribution(rho):
    pair = Geometry(1.3, 0.7, 0.9)
    patterns = anchors.pattern_probabilities(pair, rho, 6)
    total = sum((n * p).sum() for n, p in zip(anchors.sequences(6), patterns, strict=True))
    assert total == pytest.approx(1.0, abs=1e-5)
    logs = marginal.pattern_log_probabilities(pair, rho, 6)
    total = sum((n * np.exp(q)).sum() for n, q in zip(anchors.sequences(6), logs, strict=True))
    assert total == pytest.approx(1.0, abs=1e-10)


def test_patterns_against_sampling():
    rng, pair, rho = np.random.default_rng(0), Geometry(1.3, 0.7, 0.9), 0.3
    g = rng.normal(size=(2, 400_000))
    z1 = pair.first * g[0] / rho
    z2 = pair.second * (np.cos(pair.angle) * g[0] + np.sin(pair.angle) * g[1]) / rho
    patterns = anchors.pattern_probabilities(pair, rho, 4)
    for n, k1, k2 in ((2, 1, 0), (3, 0, 1), (4, 3, 0), (0, 0, 2)):
        p = sigmoid(z1) ** k1 * sigmoid(-z1) ** (n - k1)
        p = p * sigmoid(z2) ** k2 * sigmoid(-z2) ** (4 - n - k2)
        assert abs(patterns[n][k1, k2] - p.mean()) < 4 * p.std() / p.size**0.5 + 1e-6


def test_half_spaces_are_angles():
    """rho -> 0: both labels 1 has probability (pi - angle) / (2 pi)."""
    pair = Geometry(1.0, 2.0, 0.8)
    p = anchors.pattern_probabilities(pair, 1e-7, 2)[1]
    assert p[1, 1] == pytest.approx((np.pi - 0.8) / (2 * np.pi), abs=2e-6)
    assert p[1, 0] == pytest.approx(0.8 / (2 * np.pi), abs=2e-6)


def test_one_label_is_a_fair_coin_whoever_is_asked():
    assert anchors.one_anchor_entropy(3, 0.1, 1) == pytest.approx(LN2, abs=1e-12)
    both = dyadic_entropies(3, 0.1, 1)
    assert both.own.value == pytest.approx(LN2, abs=1e-5)
    assert both.marginal.value == pytest.approx(LN2, abs=1e-5)


def test_entropy_of_a_label_by_another_rule():
    dim, rho = 3, 0.5
    x, w = np.polynomial.hermite_e.hermegauss(150)
    r = np.sqrt(np.random.default_rng(0).chisquare(dim, 4_000))
    p = sigmoid(np.multiply.outer(r, x) / rho)
    entropy = -(xlogy(p, p) + xlogy(1 - p, 1 - p)) @ (w / w.sum())
    error = entropy.std() / len(r) ** 0.5
    assert abs(anchors.label_entropy(dim, rho) - entropy.mean()) < 4 * error


@pytest.mark.parametrize("kappa", [0, 1, 2])
def test_spread_of_the_truth_over_batches(kappa):
    drawn = [draw(6, 0.5, kappa, 10, "spread", j).true_ll[-1] for j in range(4_000)]
    assert np.mean(drawn) == pytest.approx(-10 * anchors.label_entropy(6, 0.5), rel=0.03)
    assert anchors.truth_deviation(6, 0.5, 10, kappa) == pytest.approx(np.std(drawn), rel=0.06)


def direct(slopes):
    """A dense grid of lambda on both sides of 0."""
    nodes, weights = anchors.normal_rule(0.004)
    sides = [sum(anchors.log_sigmoid(s * sign * nodes) for s in slopes) for sign in (1, -1)]
    return np.log(0.5 * weights @ (np.exp(sides[0]) + np.exp(sides[1])))


@pytest.mark.parametrize("rho", [1.0, 1e-2, 1e-5])
@pytest.mark.parametrize("tau", [1, 3, 100])
def test_marginal_agent_by_a_dense_grid(rho, tau):
    rng = np.random.default_rng(tau)
    slopes = rng.chisquare(3, (5, tau)) ** 0.5 * rng.choice([-1, 1], (5, tau)) / rho
    slopes[0] = np.abs(slopes[0])  # all labels alike: half a normal density
    wanted = [direct(row) for row in slopes]
    assert marginal.log_likelihoods(slopes) == pytest.approx(wanted, abs=1e-8)


def test_marginal_agent_with_many_opposed_labels():
    """A sharp peak away from 0: the grid is made finer."""
    slopes = np.repeat([1.0, -0.4], [2_000, 3_000])[None] / 0.01
    x = np.linspace(-0.01, 0.02, 400_001)
    log_f = 2_000 * anchors.log_sigmoid(100 * x) + 3_000 * anchors.log_sigmoid(-40 * x)
    top = log_f.max()
    density = np.exp(log_f - top - 0.5 * x**2) / np.sqrt(2 * np.pi)
    wanted = top + np.log(density.sum() * (x[1] - x[0]))
    assert marginal.log_likelihoods(slopes)[0] == pytest.approx(wanted, abs=1e-6)


def test_marginal_patterns_are_its_likelihoods():
    pair, rho = Geometry(1.3, 0.7, 0.9), 0.01
    logs = marginal.pattern_log_probabilities(pair, rho, 10)
    slopes = np.repeat([1.3, -1.3, 0.7, -0.7], [3, 2, 1, 4])[None] / rho
    assert logs[5][3, 1] == pytest.approx(marginal.log_likelihoods(slopes)[0], abs=1e-9)


def test_one_anchor_is_the_marginal_agent():
    """At one anchor lambda |x| is as good as theta.x: the same integral over both."""
    lengths, masses = anchors.length_rule(2)
    total = 0.0
    for length, mass in zip(lengths, masses, strict=True):
        for k, many in enumerate((1, 4, 6, 4, 1)):
            slopes = np.repeat([length, -length], [k, 4 - k])[None] / 0.2
            log_q = marginal.log_likelihoods(slopes)[0]
            total -= mass * many * np.exp(log_q) * log_q
    assert anchors.one_anchor_entropy(2, 0.2, 4) == pytest.approx(total, abs=1e-8)


def test_half_normal_is_half():
    assert ndtr(0.0) == pytest.approx(np.exp(marginal.log_likelihoods(np.full((1, 1), 1e9))[0]))
