"""Coins (Example 1 of arXiv:2202.13509) in closed form: expected log-likelihoods, no sampling.

An input is the number of a coin, a label is its toss. Given the training tosses the biases are
independent Beta(a_i, b_i); everything here is the mean over biases, inputs and labels given those
tosses. A point (tau, kappa) is tau tosses: of coins drawn afresh (kappa 0) or of kappa anchors.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import TypeVar

import numpy as np
from scipy.special import digamma, gammaln

from augury.engine.studies.quadrature import Rule, add, beta_rule, compress, outer

T = TypeVar("T")
Beta = tuple[float, float]  # pseudo-counts of heads (label 1) and tails (label 0)
LEAST_NODES = 32
MOST_NODES = 50_000  # before a rule is compressed
NEGLIGIBLE = 1e-20  # probability of a number of tosses that is left out


def expected_truth(coins: Sequence[Beta], tau: int) -> float:
    """E log P(y|biases), nats: tau E[p log p + (1 - p) log(1 - p)]."""
    a, b = np.array(coins, np.float64).T
    n = a + b
    heads = a / n * (digamma(a + 1.0) - digamma(n + 1.0))
    tails = b / n * (digamma(b + 1.0) - digamma(n + 1.0))
    return float(tau * np.mean(heads + tails))


def expected_independent(
    coins: Sequence[Beta], believed: Sequence[Beta], tau: int, kappa: int
) -> float:
    """E log of the product of beta-binomials of an agent that keeps its coins apart, nats.

    A sum over the number of tosses of each coin, and over how many of them are heads.
    """
    tosses = tosses_of_a_coin(len(coins), tau, kappa)
    numbers = np.flatnonzero(tosses > NEGLIGIBLE)
    total = 0.0
    for (truth, belief), count in Counter(zip(coins, believed, strict=True)).items():
        table = _Sequences(truth, belief, tau)
        total += count * sum(tosses[n] * table.expected(int(n)) for n in numbers)
    return float(total)


def expected_shared(coins: Sequence[Beta], belief: Beta, tau: int, kappa: int) -> float:
    """E log of the one beta-binomial of an agent that takes all coins for the same, nats.

    Given biases and anchors the labels are independent with one probability of heads: the mean
    bias of what can be drawn. So the number of heads is a mixture of binomials over the law of that
    mean, for which a Gauss rule is built coin by coin.
    """
    # Exact up to degree 2 size - 1, and the log-likelihood is a polynomial of degree tau in the
    # mean bias, with features of size 1 / sqrt(tau): the rest is below 1e-6 nats.
    size = min(tau // 2 + 1, max(LEAST_NODES, int(1.6 * tau**0.5)))
    law = mean_bias(coins, kappa, size)
    heads = np.arange(tau + 1)
    log_q = _log_beta(belief[0] + heads, belief[1] + tau - heads) - _log_beta(*belief)
    p = np.clip(law.nodes, 1e-300, 1.0 - 1e-16)[:, None]
    log_pmf = _log_choose(tau, heads) + heads * np.log(p) + (tau - heads) * np.log1p(-p)
    return float(law.weights @ (np.exp(log_pmf) @ log_q))


def tosses_of_a_coin(num_coins: int, tau: int, kappa: int) -> np.ndarray:
    """Probabilities [tau + 1] of how many of tau tosses are of one given coin."""
    if kappa == 0:
        return _binomial(tau, 1.0 / num_coins)
    anchors = _binomial(kappa, 1.0 / num_coins)
    return sum(p * _binomial(tau, a / kappa) for a, p in enumerate(anchors) if p > NEGLIGIBLE)  # type: ignore[return-value]


def mean_bias(coins: Sequence[Beta], kappa: int, size: int) -> Rule:
    """The law of the mean bias over all coins (kappa 0), or over kappa anchors among them."""
    kinds = Counter(coins)
    if kappa == 0:
        plus = partial(add, size=size)
        parts = [_power(beta_rule(*coin, size), count, plus) for coin, count in kinds.items()]
        return reduce(plus, parts).scaled(1.0 / len(coins))
    if kappa == 1:
        rules = [
            Rule(rule.nodes, rule.weights * count / len(coins))
            for coin, count in kinds.items()
            for rule in (beta_rule(*coin, size),)
        ]
        return compress(_union(rules), size)
    times = partial(_series_product, size=size)
    series = [
        _power(_series(beta_rule(*coin, size), kappa, len(coins)), count, times)
        for coin, count in kinds.items()
    ]
    whole = reduce(times, series)[kappa]
    assert whole is not None
    return Rule(whole.nodes, whole.weights / whole.weights.sum())


# A series holds, for each number of anchors j, the law of the sum over its coins of
# (anchors at a coin) * bias / kappa, weighted by the Poisson probability of j anchors: given
# kappa anchors in all, independent Poisson numbers of mean kappa / coins are multinomial.
Series = list[Rule | None]


def _series(rule: Rule, kappa: int, num_coins: int) -> Series:
    anchors = np.arange(kappa + 1)
    mean = kappa / num_coins
    mass = np.exp(anchors * np.log(mean) - mean - gammaln(anchors + 1.0))
    some: Series = [Rule(rule.nodes * j / kappa, rule.weights * mass[j]) for j in anchors]
    some[0] = Rule(np.zeros(1), mass[:1])
    return some


def _series_product(first: Series, second: Series, size: int) -> Series:
    found: Series = []
    for total in range(len(first)):
        parts: list[Rule] = []
        for j in range(total + 1):
            one, other = first[j], second[total - j]
            if one is not None and other is not None:
                parts.append(outer(one, other))
                if sum(len(part.nodes) for part in parts) > MOST_NODES:
                    parts = [compress(_union(parts), size)]
        whole = compress(_union(parts), size)
        found.append(whole if whole.weights.sum() > 0 else None)
    return found


def _union(rules: Sequence[Rule]) -> Rule:
    return Rule(
        np.concatenate([r.nodes for r in rules]), np.concatenate([r.weights for r in rules])
    )


def _power(one: T, count: int, times: Callable[[T, T], T]) -> T:
    """`one` times itself, `count` of them in all, by doubling."""
    found = None
    while count:
        if count & 1:
            found = one if found is None else times(found, one)
        count >>= 1
        one = times(one, one) if count else one
    assert found is not None
    return found


class _Sequences:
    """Log-probabilities of toss sequences of one coin under its truth and an agent's belief."""

    def __init__(self, truth: Beta, belief: Beta, most: int) -> None:
        counts = np.arange(most + 1)
        self.factorial = gammaln(counts + 1.0)
        self.truth = _Gammas(truth, counts)
        self.belief = self.truth if belief == truth else _Gammas(belief, counts)

    def expected(self, n: int) -> float:
        """E log q(y_1..y_n) over the truth's beta-binomial."""
        if n == 0:
            return 0.0
        choose = self.factorial[n] - self.factorial[: n + 1] - self.factorial[n::-1]
        return float(np.exp(choose + self.truth.log_p(n)) @ self.belief.log_p(n))


class _Gammas:
    """Log-probability of one sequence with k heads of n, from tables of log-gammas."""

    def __init__(self, beta: Beta, counts: np.ndarray) -> None:
        a, b = beta
        self.heads, self.tails = gammaln(a + counts), gammaln(b + counts)
        self.both = gammaln(a + b + counts)
        self.start = _log_beta(a, b)

    def log_p(self, n: int) -> np.ndarray:
        """[n + 1], for k = 0..n."""
        return self.heads[: n + 1] + self.tails[n::-1] - self.both[n] - self.start


def _log_beta(a: float | np.ndarray, b: float | np.ndarray) -> np.ndarray:
    return gammaln(a) + gammaln(b) - gammaln(np.asarray(a) + b)


def _log_choose(n: int, k: np.ndarray) -> np.ndarray:
    return gammaln(n + 1.0) - gammaln(k + 1.0) - gammaln(n - k + 1.0)


def _binomial(n: int, p: float) -> np.ndarray:
    k = np.arange(n + 1)
    if p >= 1.0:
        return (k == n).astype(np.float64)
    if p <= 0.0:
        return (k == 0).astype(np.float64)
    return np.exp(_log_choose(n, k) + k * np.log(p) + (n - k) * np.log1p(-p))
