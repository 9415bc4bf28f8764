"""Two anchors in logistic regression, averaged over where they lie: exact up to quadrature."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import xlogy

from augury.engine.studies import marginal
from augury.engine.studies.anchors import (
    angle_quantile,
    draw_geometries,
    limit_entropy,
    pattern_probabilities,
    sequences,
)

REPLICATES = 8  # of scrambled Sobol points: their spread is the standard error
PAIRS = 32  # anchor pairs in each
MOST_LABELS = 12  # beyond, there are too many patterns: draw batches instead


class Mean(NamedTuple):
    """An average and its standard error, nats."""

    value: float
    stderr: float


class Entropies(NamedTuple):
    """Of tau labels at two anchors, weights integrated out."""

    own: Mean  # -E log P(y|x): what an agent with the right prior pays
    marginal: Mean  # -E log Q(y|x) of the marginal agent


@lru_cache(maxsize=64)
def dyadic_entropies(dim: int, rho: float, tau: int, seed: int = 0) -> Entropies:
    """The mean over anchor pairs x ~ N(0, I_dim); all label patterns are summed over.

    The limit rho -> 0, which is known for every angle, is taken off each pair and its mean over
    angles added, so that only the difference is averaged by Sobol points.
    """
    counts = sequences(tau)
    own, other = np.empty((2, REPLICATES))
    for i in range(REPLICATES):
        pairs = draw_geometries(dim, PAIRS, seed * REPLICATES + i)
        found = []
        for pair in pairs:
            p = pattern_probabilities(pair, rho, tau)
            log_q = marginal.pattern_log_probabilities(pair, rho, tau)
            entropy = -sum(float(np.sum(n * xlogy(a, a))) for n, a in zip(counts, p, strict=True))
            cross = -sum(float(np.sum(n * a * b)) for n, a, b in zip(counts, p, log_q, strict=True))
            found.append((entropy - float(limit_entropy(pair.angle, tau)), cross))
        own[i], other[i] = np.mean(found, axis=0)
    middles = (np.arange(10_000) + 0.5) / 10_000
    limit = float(np.mean(limit_entropy(angle_quantile(dim, middles), tau)))
    return Entropies(_mean(own + limit), _mean(other))


def _mean(values: np.ndarray) -> Mean:
    return Mean(float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5))
