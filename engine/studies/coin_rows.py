"""Rows of one cell of the coin study: KL in closed form at every (tau, kappa)."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from augury.engine.catalog.problems import CoinsProblem
from augury.engine.catalog.settings import JointSettings
from augury.engine.randomness import generator
from augury.engine.studies import coins
from augury.engine.studies.coins import Beta
from augury.engine.types import MetricRow

Tick = Callable[[int, int], None]
Score = Callable[[CoinsProblem, Any, int, int], float]  # (card, config, tau, kappa) -> E log q


@lru_cache(maxsize=8)
def tosses(card: CoinsProblem) -> tuple[np.ndarray, np.ndarray]:
    """Training inputs (numbers of coins) and labels, each [num_train]."""
    rng = generator("coins", card.num_coins, card.num_train, card.environment)
    biases = rng.random(card.num_coins)
    which = rng.integers(0, card.num_coins, card.num_train)
    return which, (rng.random(card.num_train) < biases[which]).astype(np.int64)


def beliefs(card: CoinsProblem, heads: float = 1.0, tails: float = 1.0) -> tuple[Beta, ...]:
    """Each coin's Beta after the training tosses, from Beta(heads, tails) before them."""
    which, y = tosses(card)
    ones = np.bincount(which, y, card.num_coins)
    seen = np.bincount(which, minlength=card.num_coins)
    return tuple((heads + float(a), tails + float(n - a)) for a, n in zip(ones, seen, strict=True))


def _uniform(card: CoinsProblem, config: Any, tau: int, kappa: int) -> float:
    return -tau * math.log(2.0)


def _posterior(card: CoinsProblem, config: Any, tau: int, kappa: int) -> float:
    believed = beliefs(card, config.heads, config.tails)
    return coins.expected_independent(beliefs(card), believed, tau, kappa)


def _floor(card: CoinsProblem, config: Any, tau: int, kappa: int) -> float:
    return coins.expected_independent(beliefs(card), beliefs(card), tau, kappa)


def _shared(card: CoinsProblem, config: Any, tau: int, kappa: int) -> float:
    y = tosses(card)[1]
    belief = config.heads + float(y.sum()), config.tails + float(len(y) - y.sum())
    return coins.expected_shared(beliefs(card), belief, tau, kappa)


SCORES: dict[str, Score] = {
    "uniform": _uniform,
    "posterior": _posterior,
    "shared-bias": _shared,
    "floor": _floor,
}


def rows(
    card: CoinsProblem, subject: str, config: Any, settings: JointSettings, seed: int, tick: Tick
) -> list[MetricRow]:
    """KL at every point, and NLL. Nothing is sampled, so errors are 0 and the seed is not used."""
    found = []
    for i, (tau, kappa) in enumerate(settings.points):
        tick(i, len(settings.points))
        believed = SCORES[subject](card, config, tau, kappa)
        kl = coins.expected_truth(beliefs(card), tau) - believed
        found.append(MetricRow("kl", kl, 0.0, tau, kappa))
    nll = -SCORES[subject](card, config, 1, 0)
    return [*found, MetricRow("nll", nll, 0.0)]
