"""Statistics of regression that read F_i = F(y_i|x_i) under the mixture alone.

Every function takes [..., rows], reduces the last axis and treats each leading index as one
replicate. Formulas: arXiv:2112.01477 with Kuleshov et al. 2018 (arXiv:1807.00263).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from scipy.special import ndtri

if TYPE_CHECKING:
    from jaxtyping import Float

_EDGE = 1e-12  # where the normal score of a distribution function is cut


def observed_fractions(
    cdf: Float[np.ndarray, "*size rows"], num_levels: int = 99
) -> Float[np.ndarray, "*size levels"]:
    """#{i: F_i <= p_j} / n at the levels p_j = j / (num_levels + 1)."""
    flat = np.reshape(cdf, (-1, np.shape(cdf)[-1]))
    levels = np.arange(1, num_levels + 1) / (num_levels + 1)
    bins = num_levels + 1
    slot = np.searchsorted(levels, flat, side="left")  # F equal to a level counts as below it
    slot += bins * np.arange(len(flat))[:, None]
    counts = np.bincount(slot.ravel(), minlength=bins * len(flat)).reshape(-1, bins)
    below = np.cumsum(counts, -1)[:, :-1] / flat.shape[1]
    return below.reshape(*np.shape(cdf)[:-1], num_levels)


def calibration_error(
    cdf: Float[np.ndarray, "*size rows"],
    num_levels: int = 99,
    reduce: Literal["mean", "sum", "absolute"] = "mean",
) -> Float[np.ndarray, "*size"]:
    """Squared (or absolute) gap of nominal and observed fractions, over the levels."""
    levels = np.arange(1, num_levels + 1) / (num_levels + 1)
    gap = observed_fractions(cdf, num_levels) - levels
    if reduce == "absolute":
        return np.abs(gap).mean(-1)
    return (gap**2).sum(-1) if reduce == "sum" else (gap**2).mean(-1)


def central_error(
    cdf: Float[np.ndarray, "*size rows"], num_levels: int = 99
) -> Float[np.ndarray, "*size"]:
    """Mean over levels p of (p - rows within the central interval of probability p)^2."""
    levels = np.arange(1, num_levels + 1) / (num_levels + 1)
    within = observed_fractions(np.abs(2.0 * cdf - 1.0), num_levels)
    return ((within - levels) ** 2).mean(-1)


def coverage(
    cdf: Float[np.ndarray, "*size rows"], level: float = 0.9
) -> Float[np.ndarray, "*size"]:
    """PICP: rows within the mixture's central interval of this probability, ends included."""
    tail = (1.0 - level) / 2.0
    return ((cdf >= tail) & (cdf <= 1.0 - tail)).mean(-1)


def cramer_von_mises(cdf: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """W2 = 1/(12 n) + sum_i ((2i-1)/(2n) - F_(i))^2; W2 / n is the exact integral."""
    rows = np.shape(cdf)[-1]
    middle = (2.0 * np.arange(1, rows + 1) - 1.0) / (2.0 * rows)
    return 1.0 / (12.0 * rows) + ((middle - np.sort(cdf, -1)) ** 2).sum(-1)


def kolmogorov_smirnov(cdf: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Largest distance between the distribution of the F_i and the uniform one."""
    rows = np.shape(cdf)[-1]
    ordered = np.sort(cdf, -1)
    above = np.arange(1, rows + 1) / rows - ordered
    below = ordered - np.arange(rows) / rows
    return np.maximum(above.max(-1), below.max(-1))


def fraction_below(
    cdf: Float[np.ndarray, "*size rows"], level: float = 0.5
) -> Float[np.ndarray, "*size"]:
    """Rows below the mixture's quantile of this level; .5: below its median."""
    return (cdf < level).mean(-1)


def tail_fraction(
    cdf: Float[np.ndarray, "*size rows"], level: float = 0.01
) -> Float[np.ndarray, "*size"]:
    """Extremes: rows with less than `level` of the mixture on one side of them."""
    return ((cdf < level) | (cdf > 1.0 - level)).mean(-1)


def quantile_histogram(
    cdf: Float[np.ndarray, "*size rows"], bins: int = 10
) -> Float[np.ndarray, "*size"]:
    """Chi-squared distance of the histogram of F (PIT) from equal shares: sum (n_b - n/B)^2 B/n.

    No chi-squared law is meant: the replicates give the law.
    """
    flat = np.reshape(cdf, (-1, np.shape(cdf)[-1]))
    slot = np.minimum((flat * bins).astype(np.int64), bins - 1)
    slot += bins * np.arange(len(flat))[:, None]
    counts = np.bincount(slot.ravel(), minlength=bins * len(flat)).reshape(-1, bins)
    expected = flat.shape[1] / bins
    return ((counts - expected) ** 2 / expected).sum(-1).reshape(np.shape(cdf)[:-1])


def lag_correlation(cdf: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Correlation of the normal score Phi^-1(F) of a row with that of the row before it.

    In the order of the data, about the expected mean, 0. F counts as no nearer to 0 or 1 than
    1e-12. It tells rows that one member pulls the same way.
    """
    z = ndtri(np.clip(cdf, _EDGE, 1.0 - _EDGE))
    with np.errstate(divide="ignore", invalid="ignore"):  # every F is 1/2: not finite
        return (z[..., 1:] * z[..., :-1]).sum(-1) / (z**2).sum(-1)


def first_cdf(cdf: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """F of the first row alone: uniform in both modes, so p is F itself."""
    return cdf[..., 0]
