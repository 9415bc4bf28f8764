"""Statistics that read the whole mixture: scores and errors of its mean.

Every function takes the mixture and observations [..., rows], and gives [...].
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    from jaxtyping import Float


def nll(belief: Any, y: Any) -> Float[np.ndarray, "*size"]:
    """-log density or probability of a row under the mixture, mean over rows, in nats."""
    return -belief.log_density(y).mean(-1)


def joint_nll(belief: Any, y: Any) -> Float[np.ndarray, "*size"]:
    """-log of what the belief gives to all rows together, per row, in nats.

    One member makes all rows and is unknown: -log sum_m w_m prod_i p_m(y_i). What `nll` exceeds
    it by is the evidence, per row, for one member for all rows against one for each.
    """
    return -belief.joint_log_density(y) / belief.num_rows


def crps(mixture: Any, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Continuous ranked probability score of the mixture, in the unit of y, mean over rows."""
    return mixture.crps(y).mean(-1)


def interval_score(
    mixture: Any, y: Float[np.ndarray, "*size rows"], level: float = 0.9
) -> Float[np.ndarray, "*size"]:
    """Winkler's score of the mixture's central interval: its width, and 2/a of each way outside.

    a = 1 - level; mean over rows (Gneiting and Raftery 2007, eq. 43).
    """
    tail = (1.0 - level) / 2.0
    low, high = mixture.quantile(tail), mixture.quantile(1.0 - tail)
    outside = np.maximum(low - y, 0.0) + np.maximum(y - high, 0.0)
    return (high - low).mean() + outside.mean(-1) / tail


def bias(mixture: Any, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Mean of y minus the mixture's mean."""
    return _residuals(mixture, y).mean(-1)


def root_square_error(
    mixture: Any, y: Float[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Root of the mean squared distance from the mixture's mean (RMSE)."""
    return np.sqrt((_residuals(mixture, y) ** 2).mean(-1))


def absolute_error(mixture: Any, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Mean distance from the mixture's mean (MAE)."""
    return np.abs(_residuals(mixture, y)).mean(-1)


def explained(mixture: Any, y: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """R^2: 1 - squared errors of the mixture's mean over those of the values' own mean."""
    square = (_residuals(mixture, y) ** 2).mean(-1)
    with np.errstate(divide="ignore", invalid="ignore"):  # one row only: not finite, and says so
        return 1.0 - square / y.var(-1)


def covariate_correlation(
    mixture: Any, y: Float[np.ndarray, "*size rows"], covariate: Float[np.ndarray, " rows"]
) -> Float[np.ndarray, "*size"]:
    """Correlation over rows of the residuals, in standard deviations, with a covariate."""
    apart = covariate - covariate.mean()
    z = _scaled(mixture, y)
    z = z - z.mean(-1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):  # a constant covariate: not finite
        return z @ apart / np.sqrt((z**2).sum(-1) * (apart**2).sum())


def group_bias(
    mixture: Any, y: Float[np.ndarray, "*size rows"], covariate: Float[np.ndarray, " rows"]
) -> Float[np.ndarray, "*size"]:
    """Largest |mean residual| of rows that share a value of the covariate."""
    _, group, counts = np.unique(covariate, return_inverse=True, return_counts=True)
    order = np.argsort(group, kind="stable")
    starts = np.cumsum(counts) - counts
    sums = np.add.reduceat(_residuals(mixture, y)[..., order], starts, axis=-1)
    return np.abs(sums / counts).max(-1)


def rank_histogram(
    mixture: Any, y: Float[np.ndarray, "*size rows"], bins: int = 10
) -> Float[np.ndarray, "*size"]:
    """Chi-squared distance of the ranks of y among the members' means from equal shares.

    A row's rank is the number of means below y, 0 to M; ranks are put into equal bins, no more
    than there are ranks. No chi-squared law is meant: the replicates give the law.

    Raises:
      UsageError: there are no members.
    """
    if mixture.num_members < 1:
        raise UsageError("ranks need members; this predictive draws a fresh one each time.")
    rank = np.zeros(np.shape(y), np.int64)
    for mean in mixture.mean:
        rank += mean < y
    ranks = mixture.num_members + 1
    used = min(bins, ranks)
    flat = (rank * used // ranks).reshape(-1, np.shape(y)[-1])
    flat += used * np.arange(len(flat))[:, None]
    counts = np.bincount(flat.ravel(), minlength=used * len(flat)).reshape(-1, used)
    held = np.bincount(np.arange(ranks) * used // ranks, minlength=used)
    expected = np.shape(y)[-1] * held / ranks
    return ((counts - expected) ** 2 / expected).sum(-1).reshape(np.shape(y)[:-1])


def _residuals(mixture: Any, y: Any) -> Any:
    return y - mixture.moments()[0]


def _scaled(mixture: Any, y: Any) -> Any:
    mean, aleatoric, epistemic = mixture.moments()
    return (y - mean) / np.sqrt(aleatoric + epistemic)
