"""Observations around one latent mean: the posterior predictive check in closed form.

y_i|theta ~ N(theta, 1) and theta ~ N(0, 1) (Eq. 3.1 of arXiv:2112.01477). The truth draws theta
once for all rows (`latent`) or once for each row (`iid`): the model's own two modes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri, owens_t

from augury.engine.catalog.problems import NormalProblem
from augury.engine.statistics.predictive import Mode

if TYPE_CHECKING:
    from jaxtyping import Float

NOISE_VARIANCE = 1.0


class NormalData(NamedTuple):
    """The observed rows, and the mean behind them where there is one for all."""

    y: Float[np.ndarray, " rows"]
    theta: float | None


def generate(problem: NormalProblem, rng: np.random.Generator) -> NormalData:
    """The observed rows of an environment."""
    theta = float(rng.standard_normal())
    noise = rng.standard_normal(problem.num_rows)
    if problem.truth == "iid":
        return NormalData(rng.standard_normal(problem.num_rows) + noise, None)
    return NormalData(theta + noise, theta)


def limit_p_value(problem: NormalProblem, theta: float | None, mode: Mode) -> float | None:
    """The p-value of the calibration error for infinitely many rows; None where it is random.

    One latent mean: bayesian 2 Phi(|theta|) - 1, independent 1. A fresh mean for each row:
    bayesian 0, independent uniform.
    """
    if problem.truth == "iid":
        return 0.0 if mode == "bayesian" else None
    return float(2.0 * ndtr(abs(theta or 0.0)) - 1.0) if mode == "bayesian" else 1.0


def limit_fraction(theta: Any, level: Any) -> Any:
    """P(F_i <= level | theta) = Phi(sqrt 2 Phi^-1(level) - theta), Eq. 3.2."""
    return ndtr(np.sqrt(2.0) * ndtri(level) - theta)


def limit_error(theta: Any) -> Any:
    """Calibration error for infinitely many rows and levels: int (a - limit_fraction)^2 da."""
    c = np.asarray(theta, np.float64) / np.sqrt(3.0)
    return -2.0 / 3.0 + _both_below(c, 1.0 / 3.0) + _both_below(-c, 2.0 / 3.0)


def limit_error_levels(theta: Any, num_levels: int = 99, absolute: bool = False) -> Any:
    """`limit_error` as the mean over equally spaced levels. theta: [...]; returns [...].

    With `absolute`, of |gap| in place of its square.
    """
    levels = np.arange(1, num_levels + 1) / (num_levels + 1)
    gap = levels - limit_fraction(np.asarray(theta, np.float64)[..., None], levels)
    return (np.abs(gap) if absolute else gap**2).mean(-1)


def expected_error(num_rows: int, mode: Mode, num_levels: int = 99) -> float:
    """Exact mean of the calibration error of a replicate of `num_rows` rows."""
    levels = np.arange(1, num_levels + 1) / (num_levels + 1)
    alone = levels * (1.0 - levels) / num_rows
    if mode == "independent":
        return float(alone.mean())
    together = _both_below(ndtri(levels), 0.5) - levels**2
    return float((together * (num_rows - 1) / num_rows + alone).mean())


def _both_below(h: Any, rho: float) -> Any:
    """P(X <= h, Y <= h) of a standard bivariate normal pair with correlation rho."""
    return ndtr(h) - 2.0 * owens_t(h, np.sqrt((1.0 - rho) / (1.0 + rho)))
