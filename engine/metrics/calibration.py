"""Expected calibration error."""

from __future__ import annotations

import numpy as np

from augury.engine.metrics.marginal import hits
from augury.engine.metrics.row_sums import of_mean
from augury.engine.metrics.rows import standard_error
from augury.engine.types import MetricRow


def ece_row(probabilities: np.ndarray, truth: np.ndarray, num_bins: int = 10) -> MetricRow:
    """ECE over equal bins (a, b] of confidence (arXiv:1706.04599).

    Args:
        probabilities: [rows, classes].
        truth: [rows, classes] probability of each label, one-hot where one was seen.
        num_bins: names the metric, `ece10`.

    The standard error holds the sign of each bin's gap fixed (delta method), which understates
    the error where a gap is about zero. ECE itself is biased upward by its noise in small bins.
    """
    name = f"ece{num_bins}"
    probabilities = np.asarray(probabilities, np.float64)
    finite = np.isfinite(probabilities).all(-1) & np.isfinite(truth).all(-1)
    if not finite.all():
        bad = int((~finite).sum())
        reason = f"{bad} of {len(truth)} rows are not finite"
        return MetricRow(name, None, num_samples=len(truth), reason=reason)
    confidence = probabilities.max(-1)
    gap = confidence - hits(probabilities, truth)
    bins = np.clip(np.ceil(confidence * num_bins).astype(int) - 1, 0, num_bins - 1)
    sums = np.bincount(bins, weights=gap, minlength=num_bins)
    signed = gap * np.sign(sums)[bins]
    value = float(np.abs(sums).sum() / len(truth))
    return MetricRow(
        name, value, standard_error(signed), num_samples=len(truth), sums=of_mean(signed)
    )
