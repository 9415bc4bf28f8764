"""Rows of one cell of the logistic study: exact where it can be, by particles elsewhere."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from augury.engine.catalog.problems import LogisticProblem
from augury.engine.catalog.settings import JointSettings
from augury.engine.metrics.rows import mean_row
from augury.engine.randomness import generator
from augury.engine.studies import dyads, marginal, naive, particles
from augury.engine.studies.anchors import label_entropy, one_anchor_entropy
from augury.engine.studies.cover import labelings
from augury.engine.studies.draws import Drawn, draw
from augury.engine.studies.dyads import dyadic_entropies
from augury.engine.studies.particles import Estimate
from augury.engine.types import MetricRow

Tick = Callable[[int, int], None]
Point = tuple[int, int]
FEW = 10  # labels up to which all J test batches are scored by particles, and J FEW / tau beyond
LEAST_BATCHES = 10
MOST_DIMENSIONS = 10  # in which particles move well, where labels are many
ONE_ANCHOR = 200  # labels whose counts at one anchor are summed over


def rows(
    card: LogisticProblem, subject: str, config: Any, settings: JointSettings, seed: int, tick: Tick
) -> list[MetricRow]:
    """KL at every point, for `prior` also by the naive estimator with its ESS; NLL.

    The rows of `prior` carry the least effective sample size of the particles (`ess`) and the bias
    that they leave (`kl_bias`). `floor` has no data to learn from, so it is the prior's KL.
    """
    points = settings.points
    if subject == "uniform":
        found = [_exact(card, tau, kappa, tau * math.log(2.0)) for tau, kappa in points]
    elif subject == "marginal":
        found = _marginal(card, settings, tick)
    else:
        found = list(_prior(card, settings, seed, _Silent(tick)))
        if subject == "prior":
            found += _naive(card, settings, seed, tick)
    return [*found, MetricRow("nll", math.log(2.0), 0.0)]


class _Silent:
    """A callback as an argument of a cache: equal to any other."""

    def __init__(self, call: Tick) -> None:
        self.call = call

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Silent)

    def __hash__(self) -> int:
        return 0


def _exact(
    card: LogisticProblem, tau: int, kappa: int, entropy: float, stderr: float = 0.0, size: int = 0
) -> MetricRow:
    kl = entropy - tau * label_entropy(card.input_dim, card.temperature)
    return MetricRow("kl", kl, stderr, tau, kappa, "", size)


def _known(card: LogisticProblem, point: Point, subject: str) -> MetricRow | None:
    """The row of a point that needs no test batches."""
    tau, kappa = point
    if tau == 1:
        return _exact(card, tau, kappa, math.log(2.0))
    if kappa == 1 and tau <= ONE_ANCHOR:
        # Here the marginal agent's one number is as good as theta.
        entropy = one_anchor_entropy(card.input_dim, card.temperature, tau)
        return _exact(card, tau, kappa, entropy)
    if kappa == 2 and tau <= dyads.MOST_LABELS:
        both = dyadic_entropies(card.input_dim, card.temperature, tau, card.environment)
        mean = both.marginal if subject == "marginal" else both.own
        pairs = dyads.REPLICATES * dyads.PAIRS
        return _exact(card, tau, kappa, mean.value, mean.stderr, pairs)
    return None


def num_batches(tau: int, settings: JointSettings) -> int:
    """Test batches that are scored by particles: fewer where they have many labels."""
    J = settings.num_test_batches
    return J if tau <= FEW else max(min(LEAST_BATCHES, J), J * FEW // tau)


def _batches(
    card: LogisticProblem, kappa: int, taus: list[int], settings: JointSettings
) -> list[tuple[Drawn, list[int]]]:
    """Every test batch, and the taus it is scored at; the same draws for all subjects."""
    found = []
    for j in range(num_batches(taus[0], settings)):
        here = [tau for tau in taus if j < num_batches(tau, settings)]
        batch = draw(
            card.input_dim, card.temperature, kappa, here[-1], card.setting, card.environment, j
        )
        found.append((batch, here))
    return found


def _sampled(points: list[Point]) -> dict[int, list[int]]:
    return {k: sorted(t for t, kappa in points if kappa == k) for _, k in points}


def _marginal(card: LogisticProblem, settings: JointSettings, tick: Tick) -> list[MetricRow]:
    known = {point: _known(card, point, "marginal") for point in settings.points}
    found = {point: row for point, row in known.items() if row is not None}
    for kappa, taus in _sampled([p for p, row in known.items() if row is None]).items():
        batches = _batches(card, kappa, taus, settings)
        for i, tau in enumerate(taus):
            tick(i, len(taus))
            mine = [batch for batch, here in batches if tau in here]
            log_q = marginal.log_likelihoods(np.stack([b.lengths[:tau] for b in mine]))
            truth = np.array([b.true_ll[tau - 1] for b in mine])
            found[tau, kappa] = mean_row("kl", truth - log_q, tau, kappa)
    return [found[point] for point in settings.points]


@lru_cache(maxsize=8)
def _prior(
    card: LogisticProblem, settings: JointSettings, seed: int, tick: _Silent
) -> tuple[MetricRow, ...]:
    known = {point: _known(card, point, "prior") for point in settings.points}
    found = [row for row in known.values() if row is not None]
    number = settings.num_epistemic
    for kappa, taus in _sampled([p for p, row in known.items() if row is None]).items():
        near = [tau for tau in taus if _within_reach(card.input_dim, tau, kappa)]
        found += [_beyond(card, tau, kappa) for tau in taus if tau not in near]
        if not near:
            continue
        estimates: dict[int, list[tuple[float, Estimate]]] = {tau: [] for tau in near}
        batches = _batches(card, kappa, near, settings)
        for j, (batch, here) in enumerate(batches):
            tick.call(j, len(batches))
            rng = generator(f"logistic/particles {card.setting}", kappa, card.environment, j, seed)
            scored = particles.estimate(batch.labels, here, number, rng)
            for tau, one in zip(here, scored, strict=True):
                estimates[tau].append((float(batch.true_ll[tau - 1]), one))
        for tau in near:
            found += _estimated(estimates[tau], tau, kappa, number)
    return tuple(found)


def _naive(
    card: LogisticProblem, settings: JointSettings, seed: int, tick: Tick
) -> list[MetricRow]:
    found, number = [], settings.num_epistemic
    for kappa, taus in _sampled(list(settings.points)).items():
        batches = _batches(card, kappa, taus, settings)
        for i, tau in enumerate(taus):
            tick(i, len(taus))
            mine = [batch for batch, here in batches if tau in here]
            rng = generator(f"logistic/naive {card.setting}", card.environment, seed)
            scores = naive.score(mine, tau, number, rng)
            kl, stderr = scores.mean_and_error(np.array([b.true_ll[tau - 1] for b in mine]))
            ess = float(scores.ess.min())
            found.append(MetricRow("kl_naive", kl, stderr, tau, kappa, "", len(mine)))
            found.append(MetricRow("ess_naive", ess, None, tau, kappa, "", number))
    return found


def _estimated(
    scored: list[tuple[float, Estimate]], tau: int, kappa: int, number: int
) -> list[MetricRow]:
    """KL over test batches, the least effective sample size, and the bias that it leaves."""
    ess = np.array([one.ess for _, one in scored])
    kl = np.array([truth - one.log_likelihood for truth, one in scored])
    bias = float(np.mean(0.5 * (1.0 / ess - 1.0 / number)))
    return [
        mean_row("kl", kl, tau, kappa),
        MetricRow("ess", float(ess.min()), None, tau, kappa, "", number),
        MetricRow("kl_bias", max(bias, 0.0), None, tau, kappa, "", number),
    ]


def _within_reach(dim: int, tau: int, kappa: int) -> bool:
    return min(dim, kappa or tau) <= MOST_DIMENSIONS


def _beyond(card: LogisticProblem, tau: int, kappa: int) -> MetricRow:
    bound = min(labelings(card.input_dim + 1, tau + 1), tau * math.log(2.0))
    # A label with noise is a half-space beside the origin: one through it in one dimension more.
    reason = (
        f"{tau} labels in {card.input_dim} dimensions are beyond the particles "
        f"(at most {MOST_DIMENSIONS}); it is at most {bound:.4g} nats"
    )
    return MetricRow("kl", None, None, tau, kappa, reason=reason)
