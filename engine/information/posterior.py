"""How well a class can be told from what is seen: a calibrated linear classifier, cross-fitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, log_expit

if TYPE_CHECKING:
    from jaxtyping import Float, Int

COMPONENTS = 64  # principal components, whitened
PENALTY = 1.0  # half of it times the squared weights is added to the summed log loss
CALIBRATED = 0.25  # of the fitting rows: they fit slope and offset of the logit only


class Rows(NamedTuple):
    """What is seen, and its class."""

    seen: Float[np.ndarray, "rows dim"]
    classes: Int[np.ndarray, " rows"]


class Classifier(NamedTuple):
    """A linear logit of centred, whitened components."""

    centre: Float[np.ndarray, " dim"]
    components: Float[np.ndarray, "dim kept"]
    weights: Float[np.ndarray, " kept_and_one"]
    slope: float
    offset: float
    most: float  # no row is surer than as many rows as calibrated can show: ln of their number

    def logits(self, seen: Float[np.ndarray, "rows dim"]) -> Float[np.ndarray, " rows"]:
        """Log odds of class 1."""
        raw = _scores((seen - self.centre) @ self.components, self.weights)
        return np.clip(self.slope * raw + self.offset, -self.most, self.most)


def fit(rows: Rows) -> Classifier:
    """A logistic regression on principal components, then Platt's two numbers on rows kept apart.

    Rows must come in random order.
    """
    cut = int(len(rows.classes) * (1 - CALIBRATED))
    seen = np.asarray(rows.seen, np.float64)
    centre = seen[:cut].mean(axis=0)
    spread, directions = np.linalg.eigh(np.cov(seen[:cut], rowvar=False).reshape(seen.shape[1], -1))
    kept = spread > 1e-9 * spread[-1]
    kept[: -min(COMPONENTS, len(spread))] = False
    components = directions[:, kept] / np.sqrt(spread[kept])
    parts = (seen - centre) @ components
    weights = _minimum(parts[:cut], rows.classes[:cut].astype(np.float64), PENALTY)
    logits = _scores(parts[cut:], weights)[:, None]
    slope, offset = _minimum(logits, _targets(rows.classes[cut:]), 0.0)
    most = float(np.log(len(rows.classes) - cut))
    return Classifier(centre, components, weights, float(slope), float(offset), most)


def _targets(classes: Int[np.ndarray, " rows"]) -> Float[np.ndarray, " rows"]:
    """Platt 1999: as if each class had one more row on both sides, so that the slope has an end."""
    ones = classes.sum()
    return np.where(classes == 1, (ones + 1) / (ones + 2), 1 / (len(classes) - ones + 2))


def _scores(
    parts: Float[np.ndarray, "rows kept"], weights: Float[np.ndarray, " kept_and_one"]
) -> Float[np.ndarray, " rows"]:
    return parts @ weights[:-1] + weights[-1]


def _minimum(
    parts: Float[np.ndarray, "rows kept"], targets: Float[np.ndarray, " rows"], penalty: float
) -> Float[np.ndarray, " kept_and_one"]:
    """Weights and offset of the least log loss; targets are probabilities of class 1."""

    def loss(weights: Float[np.ndarray, " kept_and_one"]) -> tuple[float, np.ndarray]:
        logits = _scores(parts, weights)
        pull = expit(logits) - targets
        slope = np.append(parts.T @ pull + penalty * weights[:-1], pull.sum())
        value = -(targets * log_expit(logits) + (1 - targets) * log_expit(-logits)).sum()
        return value + 0.5 * penalty * weights[:-1] @ weights[:-1], slope

    return minimize(loss, np.zeros(parts.shape[1] + 1), jac=True, method="L-BFGS-B").x
