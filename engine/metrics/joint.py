"""Joint log-likelihoods of many labels under a mixture of epistemic samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.metrics.rows import mean_row
from augury.engine.metrics.test_sets import weighted

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int

    from augury.engine.types import MetricRow


def joint_log_likelihood(
    logits: Float[Array, "m batch k classes"], counts: Float[Array, "batch k classes"]
) -> Float[Array, " batch"]:
    """Log mean over m of prod over labels of softmax(logits_m)[label], nats.

    Computed from log-softmax throughout, so that nothing underflows
    (equation 5 of arXiv:2202.13509 with the M samples equally likely).
    """
    each = jnp.sum(weighted(counts[None], jax.nn.log_softmax(logits)), axis=(-2, -1))
    return log_mean_exp(each)


def log_mean_exp(values: Float[Array, "m ..."]) -> Float[Array, ...]:
    """Log of the mean of exp over the first axis; -inf where all are."""
    return jax.nn.logsumexp(values, axis=0) - jnp.log(jnp.float32(values.shape[0]))


def label_counts(y: Int[Array, "batch tau"], num_classes: int) -> Float[Array, "batch tau classes"]:
    """Counts of labels whose inputs are all distinct: one-hot."""
    return jax.nn.one_hot(y, num_classes)


def kl_row(true_ll: np.ndarray, agent_ll: np.ndarray, tau: int, kappa: int) -> MetricRow:
    """KL of the agent from the truth: mean over J test batches, standard error std/sqrt(J)."""
    return mean_row(
        "kl", np.asarray(true_ll, float) - np.asarray(agent_ll, float), tau=tau, kappa=kappa
    )
