"""Statistics of regression: of F_i = F(y_i|x_i) under the mixture, or of the values themselves.

Every function takes [..., rows], reduces the last axis and treats each leading index as one
replicate. Formulas: arXiv:2112.01477 with Kuleshov et al. 2018 (arXiv:1807.00263).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float


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


def fraction_below_half(cdf: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Rows below the mixture's median."""
    return (cdf < 0.5).mean(-1)


def first_cdf(cdf: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """F of the first row alone: uniform in both modes, so p is F itself."""
    return cdf[..., 0]


def mean_value(values: Float[np.ndarray, "*size rows"]) -> Float[np.ndarray, "*size"]:
    """Mean of the values."""
    return values.mean(-1)
