"""Statistics of confidence: of whether the most probable class was right.

Every public function but the first two takes probabilities [rows, classes] and labels
[..., rows], and reduces the rows. Bins and orders are the mixture's, the same in all replicates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Bool, Float, Int


def equal_bins(confidence: Float[np.ndarray, "*size"], bins: int) -> Int[np.ndarray, "*size"]:
    """The number from 0 on of the bin (a, b] that each confidence in [0, 1] lies in; 0 in bin 0.

    `searchsorted` on `linspace(0, 1, bins + 1)`, side left: the one rule for edges as floats.
    """
    edges = np.linspace(0.0, 1.0, bins + 1)
    return np.clip(np.searchsorted(edges, confidence, side="left"), 1, bins) - 1


def confidence_error(
    confidence: Float[np.ndarray, " rows"], correct: Bool[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """Expected calibration error of confidences in [0, 1]: sum_b n_b/n |accuracy - confidence|."""
    hits, sums, _ = _by_bin(confidence, correct, equal_bins(confidence, bins))
    return np.abs(hits - sums).sum(-1) / len(confidence)


def largest_error(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """Largest |accuracy - confidence| of a bin that holds a row (MCE)."""
    confidence, correct = _top(probs, labels)
    hits, sums, counts = _by_bin(confidence, correct, equal_bins(confidence, bins))
    return (np.abs(hits - sums) / counts).max(-1)


def root_square_error(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """sqrt(sum_b n_b/n (accuracy - confidence)^2) over equal bins (RMSCE)."""
    confidence, correct = _top(probs, labels)
    hits, sums, counts = _by_bin(confidence, correct, equal_bins(confidence, bins))
    return np.sqrt(((hits - sums) ** 2 / counts).sum(-1) / len(confidence))


def adaptive_ece(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """`adaptive_error` of the most probable class."""
    confidence, correct = _top(probs, labels)
    return adaptive_error(confidence, correct, bins)


def adaptive_error(
    confidence: Float[np.ndarray, " rows"], correct: Bool[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """As `confidence_error` over bins of as many rows each (Nixon et al. 2019, arXiv:1904.01685).

    Rows go by ascending confidence, equals in their order; the first bins take what is left over.
    """
    rows = len(confidence)
    bin_of = np.empty(rows, np.int64)
    for number, part in enumerate(np.array_split(np.argsort(confidence, kind="stable"), bins)):
        bin_of[part] = number
    hits, sums, _ = _by_bin(confidence, correct, bin_of)
    return np.abs(hits - sums).sum(-1) / rows


def debiased_ece(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """`debiased_error` of the most probable class."""
    confidence, correct = _top(probs, labels)
    return debiased_error(confidence, correct, bins)


def debiased_error(
    confidence: Float[np.ndarray, " rows"], correct: Bool[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """Squared calibration error without the bias of few rows (Kumar et al. 2019, 1909.10155).

    sum_b n_b/n ((accuracy - confidence)^2 - accuracy (1 - accuracy) / (n_b - 1)) over equal bins
    of two rows or more. It may be negative.
    """
    hits, sums, counts = _by_bin(confidence, correct, equal_bins(confidence, bins))
    several = counts > 1
    hits, sums, counts = hits[..., several], sums[several], counts[several]
    right = hits / counts
    square = (right - sums / counts) ** 2 - right * (1.0 - right) / (counts - 1)
    return (counts * square).sum(-1) / len(confidence)


def cumulative_error(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Largest |cumsum(confidence - correct)| / n by ascending confidence: no bins.

    Kolmogorov-Smirnov calibration error (Gupta et al. 2021, arXiv:2006.12800).
    """
    confidence, correct = _top(probs, labels)
    order = np.argsort(confidence, kind="stable")
    gap = confidence[order] - correct[..., order]
    return np.abs(np.cumsum(gap, -1)).max(-1) / len(confidence)


def overconfidence(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Mean confidence minus accuracy: below 0 where the labels are better than expected."""
    confidence, correct = _top(probs, labels)
    return confidence.mean() - correct.mean(-1)


def risk_coverage(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Mean over i of the errors among the i most confident rows (AURC, Geifman et al. 2019)."""
    confidence, correct = _top(probs, labels)
    rows = len(confidence)
    weight = np.empty(rows)
    # An error at place j counts in every i from j on, as 1/i.
    weight[np.argsort(-confidence, kind="stable")] = np.cumsum(1.0 / np.arange(rows, 0, -1))[::-1]
    return np.where(correct, 0.0, weight).mean(-1)


def confident_accuracy(
    probs: Float[np.ndarray, "rows classes"],
    labels: Int[np.ndarray, "*size rows"],
    share: float = 0.1,
) -> Float[np.ndarray, "*size"]:
    """Accuracy among this share of the rows, the most confident ones; one row at least."""
    confidence, correct = _top(probs, labels)
    most = max(round(share * len(confidence)), 1)
    return correct[..., np.argsort(-confidence, kind="stable")[:most]].mean(-1)


def _top(probs: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return probs.max(-1), labels == probs.argmax(-1)


def _by_bin(
    confidence: np.ndarray, correct: np.ndarray, bin_of: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hits [..., bins], summed confidence and rows of every bin that holds a row."""
    order = np.argsort(bin_of, kind="stable")
    _, starts, counts = np.unique(bin_of[order], return_index=True, return_counts=True)
    hits = np.add.reduceat(correct[..., order], starts, axis=-1, dtype=np.int64)
    return hits, np.add.reduceat(confidence[order], starts), counts
