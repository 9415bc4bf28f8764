"""Logistic regression seen at one or two anchors: what needs no sampling of weights.

P(y=1|x, theta) = sigmoid(theta.x / rho) with theta, x ~ N(0, I_D) (section 3 of arXiv:2202.13509;
the text prints rho as a factor, only division fits "temperature"). At anchors x_1, x_2 of lengths
r_1, r_2 and angle alpha only the plane they span matters: theta there is R (cos, sin) with
R^2 ~ chi^2_2, so all label probabilities are integrals over R and an angle. Both are done by the
trapezoidal rule in variables in which everything is analytic, however small rho is: log R, and the
logit of the angle within each of the sectors that the two decision lines cut.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import betaincinv, gammaln, xlogy
from scipy.stats import chi, qmc

STEP = 0.3  # of the trapezoidal rules: errors are some exp(-2 pi (pi/4) / STEP) = 1e-7
DEEP = 17.0  # what is cut off is exp(-DEEP) of the whole


class Geometry(NamedTuple):
    """Lengths of two anchors, and the angle between them."""

    first: float
    second: float
    angle: float


def log_sigmoid(z: np.ndarray) -> np.ndarray:
    """Log of 1 / (1 + exp(-z)), exact for large |z|."""
    return np.minimum(z, 0.0) - np.log1p(np.exp(-np.abs(z)))


def log_joint(logits: np.ndarray, counts: np.ndarray) -> np.ndarray:
    """Sum over rows of counts * log sigmoid(logits).

    Args:
        logits: [rows, columns].
        counts: [rows, 1], or one number for all.
    """
    small = np.exp(-np.abs(logits))
    total = np.sum(counts * np.minimum(logits, 0.0), axis=0)
    if not (counts == 1.0).all():
        return total - np.sum(counts * np.log1p(small), axis=0)
    small += 1.0  # of a product of up to 500 of these a float holds the value
    for i in range(0, len(small), 500):
        total -= np.log(np.prod(small[i : i + 500], axis=0))
    return total


def normal_rule(step: float = 0.1) -> tuple[np.ndarray, np.ndarray]:
    """Nodes g > 0 and weights of E f(g), g ~ N(0, 1), for even f with features down to 1e-17."""
    v = np.arange(-40.0, 3.7, step)
    g = np.exp(v)
    return g, 2.0 * step * g * np.exp(-0.5 * g**2) / np.sqrt(2.0 * np.pi)


def length_rule(dim: int) -> tuple[np.ndarray, np.ndarray]:
    """Nodes and weights of E f(|x|), x ~ N(0, I_dim): the trapezoidal rule in log |x|."""
    spread = (2.0 * dim) ** -0.5  # of log |x| about its mode
    step = min(0.5 * spread, 0.15)
    v = 0.5 * np.log(dim) + np.arange(-45.0 / dim - 10.0 * spread, 10.0 * spread, step)
    log_density = dim * v - 0.5 * np.exp(2.0 * v)
    kept = log_density > log_density.max() - 40.0
    weights = np.exp(log_density[kept] - log_density.max())
    return np.exp(v[kept]), weights / weights.sum()


@lru_cache(maxsize=64)
def label_entropy(dim: int, rho: float) -> float:
    """E H(y|x, theta) of one label, nats."""
    g, weights = normal_rule()
    lengths, masses = length_rule(dim)
    z = np.multiply.outer(lengths, g) / rho
    p, q = np.exp(log_sigmoid(z)), np.exp(log_sigmoid(-z))
    return float(masses @ -(p * log_sigmoid(z) + q * log_sigmoid(-z)) @ weights)


def truth_deviation(dim: int, rho: float, tau: int, kappa: int) -> float:
    """Standard deviation of log P(y_1..y_tau|x, theta) over test batches, nats.

    Some thousand draws estimate it badly: as rho -> 0 nearly all labels are certain. All labels
    share |theta|, those at one anchor (one pair in kappa) their logit as well.
    """
    g, weights = normal_rule()
    lengths, masses = length_rule(dim)
    z = np.multiply.outer(lengths, g) / rho
    up, down = log_sigmoid(z), log_sigmoid(-z)
    p, q = np.exp(up), np.exp(down)
    mean = label_entropy(dim, rho)
    alone = masses @ (p * up**2 + q * down**2) @ weights - mean**2
    given = p * up + q * down
    by_logit = masses @ given**2 @ weights - mean**2
    by_length = masses @ (given @ weights) ** 2 - mean**2
    share = 1.0 / kappa if kappa else 0.0
    pair = share * by_logit + (1.0 - share) * by_length
    return float(np.sqrt(tau * (alone + (tau - 1) * pair)))


def one_anchor_entropy(dim: int, rho: float, tau: int) -> float:
    """E H(y_1..y_tau|x) where all labels are at one anchor, nats; weights integrated out."""
    g, weights = normal_rule(min(0.1, 0.3 * tau**-0.5))
    k = np.arange(tau // 2 + 1)  # k and tau - k are equally likely
    choose = np.where(2 * k == tau, 1.0, 2.0) * np.exp(
        gammaln(tau + 1.0) - gammaln(k + 1.0) - gammaln(tau - k + 1.0)
    )
    total = 0.0
    for length, mass in zip(*length_rule(dim), strict=True):
        up, down = log_sigmoid(length * g / rho), log_sigmoid(-length * g / rho)
        p = np.empty(len(k))
        for i in k:
            log_both = np.logaddexp(i * up + (tau - i) * down, (tau - i) * up + i * down)
            p[i] = 0.5 * (weights @ np.exp(log_both))
        total -= mass * float(choose @ xlogy(p, p))
    return total


def pattern_probabilities(geometry: Geometry, rho: float, tau: int) -> list[np.ndarray]:
    """For n labels at the first anchor, n = 0..tau: P of each label sequence by its counts.

    Each is [n + 1, tau - n + 1], by the number of ones at the first and at the second anchor. A
    sequence's probability, not a count's.
    """
    plane = _plane(geometry, rho)
    first, second = (_powers(z, tau) for z in plane[:2])
    found = []
    for n in range(tau + 1):
        # Half of the plane; the other half is the same with all labels exchanged.
        half = (first[n] * plane.weights) @ second[tau - n].T
        found.append(half + half[::-1, ::-1])
    return found


def sequences(tau: int) -> list[np.ndarray]:
    """Numbers of sequences behind `pattern_probabilities`, with the law of n: they sum to one.

    The anchor of each label is a fair coin, so n ~ Binomial(tau, 1/2).
    """
    found = []
    for n in range(tau + 1):
        log_n = _log_choose(tau, n) - tau * np.log(2.0)
        ones = _log_choose(n, np.arange(n + 1)), _log_choose(tau - n, np.arange(tau - n + 1))
        found.append(np.exp(log_n + np.add.outer(*ones)))
    return found


def draw_geometries(dim: int, count: int, seed: int) -> list[Geometry]:
    """Scrambled Sobol points as pairs of anchors x ~ N(0, I_dim); `count` a power of two."""
    points = qmc.Sobol(3, rng=np.random.default_rng(seed)).random_base2(count.bit_length() - 1)
    points = np.clip(points, 1e-12, 1.0 - 1e-12)
    lengths = chi.ppf(points[:, :2], dim)
    angles = angle_quantile(dim, points[:, 2])
    return [Geometry(*map(float, row)) for row in np.column_stack([lengths, angles])]


def angle_quantile(dim: int, u: np.ndarray) -> np.ndarray:
    """The angle between two vectors N(0, I_dim), of density sin^(dim - 2)."""
    if dim == 1:
        return np.where(u < 0.5, 0.0, np.pi)
    half = 0.5 * (dim - 1)
    return 2.0 * np.arcsin(np.sqrt(betaincinv(half, half, u)))  # (1 - cos) / 2 is Beta(half, half)


def limit_entropy(angle: float | np.ndarray, tau: int) -> np.ndarray:
    """H(y_1..y_tau|x) for rho -> 0: ln 2, and whether the anchors agree if both were drawn."""
    p = np.asarray(angle) / np.pi
    agree = -(xlogy(p, p) + xlogy(1.0 - p, 1.0 - p))
    return np.log(2.0) + (1.0 - 2.0 ** (1 - tau)) * agree


class _Plane(NamedTuple):
    first: np.ndarray  # logit at the first anchor, [points], positive
    second: np.ndarray
    weights: np.ndarray  # add up to one half


def _plane(geometry: Geometry, rho: float) -> _Plane:
    v = np.arange(-0.5 * DEEP, 2.2, STEP)
    radius = np.exp(v)
    radial = STEP * radius**2 * np.exp(-0.5 * radius**2)
    t = np.arange(-DEEP, DEEP + STEP, STEP)
    near, far = 1.0 / (1.0 + np.exp(-t)), 1.0 / (1.0 + np.exp(t))
    parts = []
    # Between two decision lines the logits are r R sin(distance to the line) / rho; a sector as
    # wide as the angle has labels apart, one as wide as the rest of a half-turn has them agree.
    for width, sign in ((np.pi - geometry.angle, 1.0), (geometry.angle, -1.0)):
        z1 = np.multiply.outer(radius, geometry.first / rho * np.sin(width * near)).ravel()
        z2 = np.multiply.outer(radius, sign * geometry.second / rho * np.sin(width * far)).ravel()
        angular = STEP * width * near * far / (2.0 * np.pi)
        parts.append((z1, z2, np.multiply.outer(radial, angular).ravel()))
    return _Plane(*(np.concatenate(leaf) for leaf in zip(*parts, strict=True)))


def _powers(z: np.ndarray, tau: int) -> list[np.ndarray]:
    """For n = 0..tau: [n + 1, points], sigmoid(z)^k sigmoid(-z)^(n - k)."""
    up, down = np.exp(log_sigmoid(z)), np.exp(log_sigmoid(-z))
    ups, downs = [np.ones_like(z)], [np.ones_like(z)]
    for _ in range(tau):
        ups.append(ups[-1] * up)
        downs.append(downs[-1] * down)
    return [np.stack([ups[k] * downs[n - k] for k in range(n + 1)]) for n in range(tau + 1)]


def _log_choose(n: int, k: int | np.ndarray) -> np.ndarray:
    return gammaln(n + 1.0) - gammaln(np.asarray(k) + 1.0) - gammaln(n - np.asarray(k) + 1.0)
