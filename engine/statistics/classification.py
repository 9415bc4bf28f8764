"""Statistics of classification: of labels against the mixture's probabilities.

Every function takes probabilities [rows, classes] and labels [..., rows], and reduces the rows.
What depends on the probabilities alone is computed once for all replicates of a block. Those that
read the confidence alone are in `confidence`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from augury.engine.statistics.classes import FLOOR, picked
from augury.engine.statistics.confidence import confidence_error, equal_bins

if TYPE_CHECKING:
    from jaxtyping import Float, Int


def accuracy(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Labels that equal the most probable class (the first of equals)."""
    return (labels == probs.argmax(-1)).mean(-1)


def top_accuracy(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], k: int = 5
) -> Float[np.ndarray, "*size"]:
    """Labels among the k most probable classes (of equals the first)."""
    order = np.argsort(-probs, -1, kind="stable")[:, :k]
    among = np.zeros(probs.shape)
    np.put_along_axis(among, order, 1.0, -1)
    return picked(among, labels).mean(-1)


def ece(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """Expected calibration error (Guo et al. 2017, arXiv:1706.04599), equal bins (a, b].

    A confidence belongs to the bin that `searchsorted` on `linspace(0, 1, bins + 1)` with side
    left names; 0 belongs to the first. Empty bins add nothing.
    """
    return confidence_error(probs.max(-1), labels == probs.argmax(-1), bins)


def brier(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Squared error of the probabilities summed over classes, in [0, 2]."""
    squares = (probs**2).sum(-1)
    return (squares - 2.0 * picked(probs, labels) + 1.0).mean(-1)


def nll(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Mean of -log p(label) in nats; a probability counts as no less than `FLOOR`."""
    return -picked(np.log(np.maximum(probs, FLOOR)), labels).mean(-1)


def classwise_ece(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """`ece` of each class's probability against whether it is the label, mean over classes.

    Static calibration error (Nixon et al. 2019, arXiv:1904.01685).
    """
    hits, sums, _ = _by_class_and_bin(probs, labels, bins)
    return np.abs(hits - sums).sum(-1) / probs.size


def reliability(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """What `brier` owes to miscalibration: sum over classes and bins of n_b/n (share - mean p)^2.

    Murphy's decomposition: brier = reliability - resolution + a constant of the labels' shares,
    up to how the probabilities vary within a bin.
    """
    hits, sums, counts = _by_class_and_bin(probs, labels, bins)
    return ((hits - sums) ** 2 / np.maximum(counts, 1)).sum(-1) / len(probs)


def resolution(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """How far the bins' label shares lie from the overall ones, as in `reliability`."""
    rows, classes = probs.shape
    hits, _, counts = _by_class_and_bin(probs, labels, bins)
    share = hits.reshape(*hits.shape[:-1], classes, bins).sum(-1) / rows
    expected = np.repeat(share, bins, -1) * counts
    return ((hits - expected) ** 2 / np.maximum(counts, 1)).sum(-1) / rows


def label_cdf(
    probs: Float[np.ndarray, "rows classes"],
    labels: Int[np.ndarray, "*size rows"],
    uniform: float = 0.5,
) -> Float[np.ndarray, "*size rows"]:
    """P(class < label) + uniform * P(label) of every row, classes by number (PIT of labels).

    Uniform under the true model for a random number `uniform`; at 1/2 the mid-distribution.
    """
    return picked(np.cumsum(probs, -1) - (1.0 - uniform) * probs, labels)


def first_label(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """`label_cdf` at 1/2 of the first row alone: the same law in both modes."""
    return label_cdf(probs, labels)[..., 0]


def class_share(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], label: int = 0
) -> Float[np.ndarray, "*size"]:
    """Rows with this label."""
    return (labels == label).mean(-1)


def confusion(
    probs: Float[np.ndarray, "rows classes"],
    labels: Int[np.ndarray, "*size rows"],
    label: int = 0,
    predicted: int = 1,
) -> Float[np.ndarray, "*size"]:
    """Rows with this label for which another class, or the same, is the most probable."""
    here = probs.argmax(-1) == predicted
    return ((labels == label) & here).mean(-1)


def _by_class_and_bin(
    probs: np.ndarray, labels: np.ndarray, bins: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels [..., classes*bins], summed probabilities and rows in each class's bins."""
    classes = probs.shape[1]
    slot = equal_bins(probs, bins) + bins * np.arange(classes)
    size = classes * bins
    counts = np.bincount(slot.ravel(), minlength=size)
    sums = np.bincount(slot.ravel(), probs.ravel(), minlength=size)
    flat = labels.reshape(-1, labels.shape[-1])
    hits = np.stack([np.bincount(each, minlength=size) for each in picked(slot, flat)])
    return hits.reshape(*labels.shape[:-1], size).astype(np.float64), sums, counts
