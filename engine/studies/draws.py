"""Test batches of logistic regression: weights, inputs and labels drawn anew for each batch."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from augury.engine.randomness import generator
from augury.engine.studies.anchors import log_sigmoid
from augury.engine.studies.particles import Labels


class Drawn(NamedTuple):
    """One batch of tau labels."""

    slopes: np.ndarray  # [distinct inputs, dim]: x / rho
    place: np.ndarray  # [tau]: which input a label is at
    signs: np.ndarray  # [tau]: 1 for label 1, else -1
    true_ll: np.ndarray  # [tau]: log-likelihood of the labels so far under the weights, nats

    @property
    def labels(self) -> Labels:
        """The same as a likelihood of weights, in as few dimensions as it has."""
        slopes = self.slopes
        if slopes.shape[0] < slopes.shape[1]:
            slopes = np.linalg.qr(slopes.T)[1].T  # N(0, I) is the same from all sides
        both = np.concatenate([slopes, -slopes])
        return Labels(both, self.place + len(slopes) * (self.signs < 0))

    @property
    def lengths(self) -> np.ndarray:
        """[tau]: +-|x| / rho, as the marginal agent sees labels."""
        return self.signs * np.linalg.norm(self.slopes, axis=1)[self.place]


def draw(dim: int, rho: float, kappa: int, tau: int, stream: str, *seeds: int) -> Drawn:
    """Labels 1..tau at iid inputs (kappa 0) or at kappa anchors; fewer are the first of more."""
    rng = generator(f"logistic/weights {stream}", kappa, *seeds)
    theta = rng.standard_normal(dim)
    slopes = rng.standard_normal((kappa or tau, dim)) / rho
    chances = generator(f"logistic/labels {stream}", kappa, *seeds).random((tau, 2))
    place = (chances[:, 0] * kappa).astype(np.int64) if kappa else np.arange(tau)
    z = (slopes @ theta)[place]
    signs = np.where(np.log(chances[:, 1]) < log_sigmoid(z), 1.0, -1.0)
    return Drawn(slopes, place, signs, np.cumsum(log_sigmoid(signs * z)))
