"""Deep kernel: an MLP whose last hidden layer is the kernel of a Gaussian process.

Choose it for joint beliefs at the price of a single network, where the features that a point
estimate learned are trusted. It costs an MLP, and one pass over the training rows.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

import jax.numpy as jnp
import numpy as np
from scipy.linalg import solve_triangular

from augury.engine.catalog.agent_configs.heads import DeepKernelConfig
from augury.engine.learning.contract import LearnerAgent
from augury.engine.learning.epistemic import Known, Learned, Learner
from augury.engine.networks import mlp
from augury.engine.networks.ensemble import ensemble_learner
from augury.engine.randomness import normal

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

BLOCK_ROWS = 4_096
FLOOR = 1e-6  # added to the length that features are divided by


class Heads(NamedTuple):
    """Samples of a linear head on normalised features, beside the network's own."""

    params: mlp.Params
    weights: Float[Array, "m classes features"]


def build(config: DeepKernelConfig, input_dim: int, num_classes: int) -> Learner:
    """Logits f(x) + c phi(x)' L^-T eps, with L L' = s2 I + Phi' Phi over the training rows.

    phi is the last hidden layer over its length, s2 = sigma_squared_factor temperature, and
    c = scale_factor sqrt(s2 / (num_train temperature)). A sample is one head, hence joint over
    all inputs.
    """
    network = ensemble_learner(config, input_dim, num_classes, 1)

    def finish(learned: Learned, x: Any, known: Known) -> Learned:
        rows = np.asarray(x[: min(int(known.num_train), config.num_inference_rows)])
        noise = float(known.hyper["sigma_squared_factor"]) * float(known.temperature)
        return Learned(learned.params, jnp.asarray(_root(learned.params, rows, noise)))

    def draw(learned: Learned, key: PRNGKeyArray, count: int) -> Heads:
        root = learned.fixed
        drawn = normal(key, (count, num_classes, root.shape[0]))
        return Heads(learned.params, drawn @ root.T)

    def apply(samples: Heads, x: Any, known: Known) -> Float[Array, "m classes n"]:
        *body, head = samples.params
        hidden = mlp.hidden(tuple(body), x)
        phi = hidden[0] / (FLOOR + jnp.sqrt(jnp.sum(hidden[0] ** 2, 0)))
        factor = known.hyper["sigma_squared_factor"] / known.num_train
        scale = known.hyper["scale_factor"] * jnp.sqrt(factor)
        return mlp.dense(*head, hidden) + scale * samples.weights @ phi

    return replace(network, draw=draw, apply=apply, num_members=None, finish=finish)


def _root(params: mlp.Params, rows: np.ndarray, noise: float) -> np.ndarray:
    """L^-T of the Cholesky factor L of noise I + Phi' Phi, in double precision on the host.

    In single precision the sum over many thousand rows would drown a small noise.
    """
    layers = [(np.asarray(w[0], float), np.asarray(b[0], float)) for w, b in params[:-1]]
    width = layers[-1][0].shape[0]
    precision = noise * np.eye(width)
    for start in range(0, len(rows), BLOCK_ROWS):
        phi = rows[start : start + BLOCK_ROWS].astype(float)
        for weight, bias in layers:
            phi = np.maximum(phi @ weight.T + bias, 0.0)
        phi /= FLOOR + np.sqrt((phi**2).sum(1, keepdims=True))
        precision += phi.T @ phi
    lower = np.linalg.cholesky(precision)
    return solve_triangular(lower, np.eye(width), lower=True).T.astype(np.float32)


def make_agent(config: DeepKernelConfig | None = None) -> LearnerAgent:
    """The two-line contract."""
    return LearnerAgent(config or DeepKernelConfig(), build)
