"""Metrics of one label at a time."""

from __future__ import annotations

import numpy as np

from augury.engine.metrics.rows import row_of_rows
from augury.engine.types import MetricRow


def accuracy_row(probabilities: np.ndarray, truth: np.ndarray) -> MetricRow:
    """Fraction of labels that equal the most probable class; the first of equals counts.

    Args:
        probabilities: [rows, classes].
        truth: [rows, classes] probability of each label, one-hot where one was seen.
    """
    finite = np.isfinite(probabilities).all(-1)
    return row_of_rows("accuracy", np.where(finite, hits(probabilities, truth), np.nan))


def hits(probabilities: np.ndarray, truth: np.ndarray) -> np.ndarray:
    """Probability that a label is the most probable class, [rows]; the first of equals counts."""
    return np.take_along_axis(truth, probabilities.argmax(-1)[:, None], -1)[:, 0]


def nll_row(log_likelihood: np.ndarray) -> MetricRow:
    """Mean of -log p(y|x), nats.

    Args:
        log_likelihood: [rows] of the mixture, at the label seen or in expectation over labels.
    """
    return row_of_rows("nll", -np.asarray(log_likelihood))


def brier_row(probabilities: np.ndarray, truth: np.ndarray) -> MetricRow:
    """Squared distance of the probabilities from one-hot labels, summed over classes: 0 to 2.

    Args:
        probabilities: [rows, classes].
        truth: [rows, classes], one-hot.
    """
    return row_of_rows("brier", np.square(np.asarray(probabilities) - truth).sum(-1))
