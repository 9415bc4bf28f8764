"""Coins against enumeration in fractions, and the two propositions."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from math import comb, lgamma, log

import jax
import numpy as np
import pytest

from augury.engine.agents import independent_coins, shared_bias
from augury.engine.studies import coins
from augury.engine.types import Data, Prior

LN2 = log(2.0)
FLAT = (1.0, 1.0)
# Coins as (heads, tails), what an agent believes of each, and what another believes of all.
CASES = [
    ([(1, 1)] * 3, [(1, 1)] * 3, (1, 1)),
    ([(2, 1), (1, 4), (1, 1)], [(1, 2), (1, 4), (3, 1)], (3, 5)),
]
POINTS = [(1, 0), (4, 0), (4, 1), (3, 2), (3, 3)]


def rising(a: int, n: int) -> Fraction:
    found = Fraction(1)
    for i in range(n):
        found *= a + i
    return found


def sequence(belief: tuple[int, int], heads: int, tails: int) -> Fraction:
    """P of one sequence with so many heads and tails under a Beta belief."""
    a, b = belief
    return rising(a, heads) * rising(b, tails) / rising(a + b, heads + tails)


def enumerated(truth, believed, shared, tau, kappa):
    """E log q of both agents: every input, every label sequence, in exact fractions."""
    size = len(truth)
    if kappa:
        draws = [
            tuple(anchors[i] for i in places)
            for anchors in product(range(size), repeat=kappa)
            for places in product(range(kappa), repeat=tau)
        ]
    else:
        draws = list(product(range(size), repeat=tau))
    apart = together = 0.0
    for x in draws:
        for y in product((0, 1), repeat=tau):
            p = q = Fraction(1)
            for coin in range(size):
                heads = sum(1 for a, b in zip(x, y, strict=True) if (a, b) == (coin, 1))
                tails = x.count(coin) - heads
                p *= sequence(truth[coin], heads, tails)
                q *= sequence(believed[coin], heads, tails)
            apart += float(p) * log(q)
            together += float(p) * log(sequence(shared, sum(y), tau - sum(y)))
    return apart / len(draws), together / len(draws)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(("tau", "kappa"), POINTS)
def test_enumeration(case, tau, kappa):
    truth, believed, shared = case
    apart, together = enumerated(truth, believed, shared, tau, kappa)
    assert coins.expected_independent(truth, believed, tau, kappa) == pytest.approx(apart, abs=1e-9)
    assert coins.expected_shared(truth, shared, tau, kappa) == pytest.approx(together, abs=1e-9)


def test_the_truth_is_an_integral():
    p = (np.arange(200_000) + 0.5) / 200_000
    entropy = p * np.log(p) + (1 - p) * np.log1p(-p)
    for a, b in ((1, 1), (3, 2)):
        density = p ** (a - 1) * (1 - p) ** (b - 1)
        wanted = float((density * entropy).sum() / density.sum())
        assert coins.expected_truth([(a, b)], 7) == pytest.approx(7 * wanted, abs=1e-7)


def single(tau):
    """KL at one uniform coin: every number of heads is equally likely, 1 / (tau + 1)."""
    log_q = [-log(tau + 1) - log(comb(tau, k)) for k in range(tau + 1)]
    return -0.5 * tau - sum(log_q) / (tau + 1)


def kl(num_coins, tau, kappa, subject):
    made = [FLAT] * num_coins
    believed = {
        "uniform": -tau * LN2,
        "posterior": coins.expected_independent(made, made, tau, kappa),
        "shared": coins.expected_shared(made, FLAT, tau, kappa),
    }[subject]
    return coins.expected_truth(made, tau) - believed


@pytest.mark.parametrize("tau", [1, 2, 10, 37, 100])
def test_one_anchor_in_closed_form(tau):
    for subject in ("posterior", "shared"):
        assert kl(50, tau, 1, subject) == pytest.approx(single(tau), abs=1e-9)
    assert kl(1, tau, 0, "shared") == pytest.approx(single(tau), abs=1e-9)


def test_two_anchors_in_closed_form():
    """Of 10 labels n are at one coin, n ~ Binomial(10, 1/2); anchors are alike once in M."""
    apart = sum(comb(10, n) / 1024 * (single(n) + single(10 - n)) for n in range(11))
    for size in (2, 7, 1000):
        wanted = single(10) / size + apart * (1 - 1 / size)
        assert kl(size, 10, 2, "posterior") == pytest.approx(wanted, abs=1e-9)


def test_iid_inputs_in_closed_form():
    """Each of M coins is tossed Binomial(tau, 1/M) times."""
    for size, tau in ((3, 20), (100, 50)):
        wanted = size * sum(
            comb(tau, n) * (1 / size) ** n * (1 - 1 / size) ** (tau - n) * single(n)
            for n in range(tau + 1)
        )
        assert kl(size, tau, 0, "posterior") == pytest.approx(wanted, abs=1e-9)


def test_two_coins_shared_in_closed_form():
    """The mean of two uniform biases has a triangular density: an integral over it."""
    tau = 400
    p = (np.arange(400_000) + 0.5) / 400_000
    density = np.minimum(p, 1 - p)
    k = np.arange(tau + 1)
    log_choose = np.array([lgamma(tau + 1) - lgamma(i + 1) - lgamma(tau - i + 1) for i in k])
    log_q = -log(tau + 1) - log_choose
    mean = np.array(
        [
            float(
                (density * np.exp(log_choose[i] + i * np.log(p) + (tau - i) * np.log1p(-p))).sum()
            )
            for i in k
        ]
    )
    wanted = float(mean @ log_q / density.sum())
    assert coins.expected_shared([FLAT, FLAT], FLAT, tau, 0) == pytest.approx(wanted, abs=1e-6)


def test_proposition_1_few_labels_among_many_coins():
    """tau << M: who knows each coin scores as who knows nothing; false ties are punished."""
    uniform, posterior, shared = (kl(1000, 10, 0, s) for s in ("uniform", "posterior", "shared"))
    assert 0 < (uniform - posterior) / uniform < 0.002
    assert shared > 1.2 * uniform
    # Far more labels than coins do tell them apart.
    assert kl(10, 1000, 0, "posterior") < 0.1 * kl(10, 1000, 0, "uniform")


def test_proposition_2_one_anchor_misses_false_ties():
    for tau in (5, 10, 100):
        assert kl(20, tau, 1, "shared") == pytest.approx(kl(20, tau, 1, "posterior"), abs=1e-9)
        assert kl(20, tau, 1, "shared") < kl(20, tau, 1, "uniform")
        assert kl(20, tau, 2, "shared") > 1.1 * kl(20, tau, 2, "posterior")


def test_many_anchors_are_iid_inputs():
    """Up to one part in kappa, which halves as kappa doubles."""
    for subject in ("posterior", "shared"):
        gaps = [abs(kl(5, 6, kappa, subject) - kl(5, 6, 0, subject)) for kappa in (10, 20, 40)]
        assert gaps[1] == pytest.approx(gaps[0] / 2, rel=0.1)
        assert gaps[2] == pytest.approx(gaps[1] / 2, rel=0.1)


@pytest.mark.parametrize("make", [independent_coins.make_agent, shared_bias.make_agent])
def test_samplers_agree_with_the_formulas(make):
    """The two-line contract at three coins: the mean of many samples is the beta-binomial."""
    data = Data(np.array([[0.0], [0.0], [1.0]]), np.array([[1], [1], [0]]))  # type: ignore[arg-type]
    sampler = make()(data, Prior(1, 3), jax.random.key(0))
    x = np.array([[0.0], [1.0], [1.0], [2.0]])
    y = np.array([0, 0, 1, 1])
    keys = jax.random.split(jax.random.key(1), 4_000)
    logits = jax.vmap(lambda key: sampler(x, key))(keys)
    p = np.exp(np.asarray(jax.nn.log_softmax(logits))[:, np.arange(4), y].sum(-1))
    apart = sequence((3, 1), 0, 1) * sequence((1, 2), 1, 1) * sequence((1, 1), 1, 0)
    wanted = apart if make is independent_coins.make_agent else sequence((3, 2), 2, 2)
    assert abs(p.mean() - float(wanted)) < 4 * p.std() / len(p) ** 0.5
