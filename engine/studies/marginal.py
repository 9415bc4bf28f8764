"""The marginal agent of logistic regression: right for every single label, by one number for all.

It draws lambda ~ N(0, 1) and predicts sigmoid(lambda |x| / rho) (section 3 of arXiv:2202.13509), so
its joint likelihood is an integral over one variable: the trapezoidal rule in log |lambda| resolves
the step at 0 however small rho is. The integrand is log-concave; where its one peak is
sharp against its distance from 0 (many labels) the step is made smaller.
"""

from __future__ import annotations

import numpy as np
from scipy.special import logsumexp

from augury.engine.studies.anchors import Geometry, log_sigmoid, normal_rule

STEP = 0.1
DEEP = 33.0  # what is cut off near 0 is exp(-DEEP) of the whole
FAR = 40.0  # standard deviations of lambda that count
LARGEST = 2_000_000  # numbers in flight


def log_likelihoods(signed_slopes: np.ndarray) -> np.ndarray:
    """Log of E_lambda prod_t sigmoid(lambda s_t), nats.

    Args:
        signed_slopes: [batch, tau], s_t = +-|x_t| / rho, positive for label 1.
    """
    peak = np.abs(_peak(signed_slopes))
    p = np.exp(log_sigmoid(peak[:, None] * np.abs(signed_slopes)))
    width = (1.0 + np.sum(signed_slopes**2 * p * (1.0 - p), axis=1)) ** -0.5
    steps = np.exp2(np.floor(np.log2(np.minimum(STEP, 0.3 * width / peak))))
    found = np.empty(len(signed_slopes))
    for step in np.unique(steps):
        alike = np.flatnonzero(steps == step)
        nodes = 2 * int((DEEP + np.log(FAR)) / step)
        size = max(1, LARGEST // (nodes * signed_slopes.shape[1]))
        for rows in np.split(alike, range(size, len(alike), size)):
            found[rows] = _integral(signed_slopes[rows], step)
    return found


def _integral(s: np.ndarray, step: float) -> np.ndarray:
    low = -np.log(np.abs(s).sum(axis=1).max()) - DEEP  # nearer to 0 the integrand is constant
    v = np.arange(low, np.log(FAR), step)
    nodes = np.exp(v)
    log_weight = v - 0.5 * nodes**2 + np.log(step / np.sqrt(2.0 * np.pi))
    sides = [
        logsumexp(log_weight + log_sigmoid(sign * s[..., None] * nodes).sum(axis=1), axis=1)
        for sign in (1.0, -1.0)
    ]
    return np.logaddexp(*sides)


def _peak(s: np.ndarray) -> np.ndarray:
    """[batch]: where -lambda^2 / 2 + sum log sigmoid(lambda s) is greatest; bisection in asinh."""
    scale = 1.0 / np.abs(s).max(axis=1)
    high = np.arcsinh((1.0 + np.abs(s).sum(axis=1)) / scale)  # the slope there is negative
    low = -high
    for _ in range(70):
        middle = 0.5 * (low + high)
        place = scale * np.sinh(middle)
        rising = np.sum(s * np.exp(log_sigmoid(-place[:, None] * s)), axis=1) > place
        low, high = np.where(rising, middle, low), np.where(rising, high, middle)
    return scale * np.sinh(0.5 * (low + high))


def pattern_log_probabilities(geometry: Geometry, rho: float, tau: int) -> list[np.ndarray]:
    """As `anchors.pattern_probabilities`, for the marginal agent and as logs."""
    g, weights = normal_rule()
    tables = []
    for length in (geometry.first, geometry.second):
        up, down = log_sigmoid(length * g / rho), log_sigmoid(-length * g / rho)
        tables.append([_sides(up, down, n) for n in range(tau + 1)])
    found = []
    for n in range(tau + 1):
        (up1, down1), (up2, down2) = tables[0][n], tables[1][tau - n]
        found.append(np.log(0.5 * ((up1 * weights) @ up2.T + (down1 * weights) @ down2.T)))
    return found


def _sides(up: np.ndarray, down: np.ndarray, n: int) -> tuple[np.ndarray, np.ndarray]:
    """[n + 1, nodes] for k ones of n: at lambda and at -lambda."""
    k = np.arange(n + 1)[:, None]
    return np.exp(k * up + (n - k) * down), np.exp(k * down + (n - k) * up)
