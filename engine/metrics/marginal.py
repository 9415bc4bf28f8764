"""Metrics of one label at a time."""

from __future__ import annotations

import numpy as np

from augury.engine.metrics.rows import mean_row
from augury.engine.types import MetricRow


def accuracy_row(probabilities: np.ndarray, y: np.ndarray) -> MetricRow:
    """Fraction of labels that equal the most probable class; the first of equals counts.

    Args:
        probabilities: [rows, classes].
        y: [rows] labels.
    """
    correct = np.where(np.isfinite(probabilities).all(-1), probabilities.argmax(-1) == y, np.nan)
    return mean_row("accuracy", correct)


def nll_row(log_likelihood: np.ndarray) -> MetricRow:
    """Mean of -log p(y|x), nats.

    Args:
        log_likelihood: [rows] of the mixture at the observed labels.
    """
    return mean_row("nll", -np.asarray(log_likelihood))
