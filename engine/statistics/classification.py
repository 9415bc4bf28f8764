"""Statistics of classification: of labels against the mixture's probabilities.

Every function takes probabilities [rows, classes] and labels [..., rows], and reduces the rows.
What depends on the probabilities alone is computed once for all replicates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float, Int

FLOOR = 1e-12  # of a probability under the logarithm


def accuracy(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Labels that equal the most probable class (the first of equals)."""
    return (labels == probs.argmax(-1)).mean(-1)


def ece(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """Expected calibration error (Guo et al. 2017, arXiv:1706.04599), equal bins (a, b].

    A confidence belongs to the bin that `searchsorted` on `linspace(0, 1, bins + 1)` with side
    left names; 0 belongs to the first. Empty bins add nothing.
    """
    confidence = probs.max(-1)
    return confidence_error(confidence, labels == probs.argmax(-1), bins)


def confidence_error(
    confidence: Float[np.ndarray, " rows"], correct: Int[np.ndarray, "*size rows"], bins: int = 15
) -> Float[np.ndarray, "*size"]:
    """`ece` of confidences in [0, 1] and of whether the predicted class was right."""
    edges = np.linspace(0.0, 1.0, bins + 1)
    member = np.clip(np.searchsorted(edges, confidence, side="left"), 1, bins) - 1
    one_hot = (member[:, None] == np.arange(bins)).astype(np.float64)
    hits = np.asarray(correct, np.float64) @ one_hot
    return np.abs(hits - confidence @ one_hot).sum(-1) / len(confidence)


def brier(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Squared error of the probabilities summed over classes, in [0, 2]."""
    squares = (probs**2).sum(-1)
    return (squares - 2.0 * _picked(probs, labels) + 1.0).mean(-1)


def nll(
    probs: Float[np.ndarray, "rows classes"], labels: Int[np.ndarray, "*size rows"]
) -> Float[np.ndarray, "*size"]:
    """Mean of -log p(label) in nats; a probability counts as no less than `FLOOR`."""
    return -_picked(np.log(np.maximum(probs, FLOOR)), labels).mean(-1)


def _picked(values: np.ndarray, labels: np.ndarray) -> np.ndarray:
    return values[np.arange(len(values)), labels]
