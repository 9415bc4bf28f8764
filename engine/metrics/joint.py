"""Joint log-likelihoods of many labels under a mixture of epistemic samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

from augury.engine.metrics.mixtures import log_mean_exp
from augury.engine.metrics.test_sets import weighted

if TYPE_CHECKING:
    from jaxtyping import Array, Float, Int


def joint_log_likelihood(
    logits: Float[Array, "m batch k classes"], counts: Float[Array, "batch k classes"]
) -> Float[Array, " batch"]:
    """Log mean over m of prod over labels of softmax(logits_m)[label], nats.

    Computed from log-softmax throughout, so that nothing underflows
    (equation 5 of arXiv:2202.13509 with the M samples equally likely).
    """
    each = jnp.sum(weighted(counts[None], jax.nn.log_softmax(logits)), axis=(-2, -1))
    return log_mean_exp(each)


def label_counts(y: Int[Array, "batch tau"], num_classes: int) -> Float[Array, "batch tau classes"]:
    """Counts of labels whose inputs are all distinct: one-hot."""
    return jax.nn.one_hot(y, num_classes)
