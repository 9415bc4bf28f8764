"""One temperature for all members, by likelihood of the mixture on clean images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

if TYPE_CHECKING:
    from jaxtyping import Float, Int

LOW, HIGH = -2.0, 3.0  # of log T


def fit_temperature(
    logits: Float[np.ndarray, "members rows classes"], labels: Int[np.ndarray, " rows"]
) -> float:
    """T that minimises the mean over rows of -log mean_m softmax(logits_m / T)[label].

    Members are scaled before they are mixed: a mixture scaled afterwards has no members to draw a
    replicate from. Bounded search over log T in [-2, 3].
    """
    z = np.asarray(logits, np.float64)
    own = np.take_along_axis(z, labels[None, :, None], 2)[..., 0]

    def loss(log_temperature: float) -> float:
        scale = np.exp(-log_temperature)
        each = scale * own - logsumexp(scale * z, axis=2)
        return float(-np.mean(logsumexp(each, axis=0)))

    found = minimize_scalar(loss, bounds=(LOW, HIGH), method="bounded", options={"xatol": 1e-4})
    return float(np.exp(found.x))  # type: ignore[attr-defined]


def probabilities(
    logits: Float[np.ndarray, "members rows classes"], temperature: float = 1.0
) -> Float[np.ndarray, "members rows classes"]:
    """softmax(logits / T), in double precision."""
    z = np.asarray(logits, np.float64) / temperature
    z -= z.max(-1, keepdims=True)
    np.exp(z, out=z)
    return z / z.sum(-1, keepdims=True)
