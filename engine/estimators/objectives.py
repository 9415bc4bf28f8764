"""What trains a critic: functions of its scores whose gradient is followed upwards.

Estimators with one objective share one training of it, so each is named by `Entry.group`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import jax
import jax.numpy as jnp

from augury.engine.catalog.entry import load
from augury.engine.catalog.estimators import ESTIMATORS
from augury.engine.estimators.bounds import (
    dv,
    infonce,
    infonce_symmetric,
    interpolated,
    log_mean_exp_off,
    matched,
    nwj,
    tuba,
)

if TYPE_CHECKING:
    from jaxtyping import Array, Float

Bound: TypeAlias = Callable[..., Any]  # (Float[Array, "pairs pairs"], ...) -> Float[Array, ""]
KEPT = 0.9  # weight of the batch before in the partition function that MINE divides by
LEAST = 1e-4  # floor of that partition function


class Read(NamedTuple):
    """What bounds are functions of."""

    scores: Float[Array, "*batches pairs pairs"]
    log_baseline: Float[Array, "*batches pairs"] | float = 0.0


class Objective(NamedTuple):
    """One way to train a critic."""

    value: Bound
    optimum: float  # the best critic is log r + this number, or that plus any constant
    extra: str = ""  # baseline: a network of the row; share: its weight too; memory: of Z


def jensen_shannon(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """Nowozin et al. 2016 (arXiv:1606.00709): the f-GAN bound, best at log r; in nats.

    Returns -mean softplus(-f) over the diagonal - mean softplus(f) over the rest; at most 0.
    """
    return -jnp.mean(jax.nn.softplus(-matched(scores))) - _mean_off(jax.nn.softplus(scores))


def mine(
    scores: Float[Array, "pairs pairs"], log_memory: Float[Array, ""] | float = 0.0
) -> Float[Array, ""]:
    """Belghazi et al. 2018 (arXiv:1801.04062), as published results have it; only its slope counts.

    The partition function Z is divided by B = .9 Z of the batch before + .1 Z, which takes no
    gradient and is at least 1e-4: the average has no longer memory than one step.
    """
    log_z = log_mean_exp_off(scores)
    mixed = jnp.logaddexp(math.log(KEPT) + log_memory, math.log(1.0 - KEPT) + log_z)
    divisor = jax.lax.stop_gradient(jnp.maximum(mixed, math.log(LEAST)))
    return jnp.mean(matched(scores)) - jnp.exp(log_z - divisor)


def hellinger(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """HD-DIME (Letizia et al. 2024, arXiv:2305.20025): squared Hellinger distance, at most 2.

    With D = exp(-f/2), best at r^(-1/2): 2 - mean D over the diagonal - mean 1/D over the rest.
    """
    near = jnp.mean(jnp.exp(-0.5 * matched(scores)))
    return 2.0 - near - jnp.exp(log_mean_exp_off(0.5 * scores))


def classifier(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """DEMI (Liao et al. 2020, arXiv:2010.01766): log loss of "is this pair of the joint?".

    Every entry is a case, so the odds of the joint are 1 : K - 1; f - ln(K - 1) is the logit, and
    f is best at log r. Divided by the number of rows.
    """
    apart = scores.shape[-1] - 1
    logits = scores - math.log(apart)
    joint = jnp.mean(jax.nn.softplus(-matched(logits)))
    return -joint - apart * _mean_off(jax.nn.softplus(logits))


def anchored(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """InfoNCE-anchor (Ryu et al. 2025, arXiv:2510.25983): which column matches the row, or none.

    The class "none", as likely as each of the others, fixes the constant of each row that InfoNCE
    leaves open: best at log r. A row is seen twice, with K - 1 columns each time: without the
    column behind its match, and, for the anchor class, without its match.
    """
    num_pairs = scores.shape[-1]
    one = jnp.eye(num_pairs, dtype=bool)
    anchor = jnp.zeros(())  # score of the class "none"
    with_match = jnp.where(jnp.roll(one, 1, axis=-1), -jnp.inf, scores)
    without = jnp.where(one, -jnp.inf, scores)
    found = matched(scores) - jnp.logaddexp(jax.nn.logsumexp(with_match, axis=-1), anchor)
    none = -jnp.logaddexp(jax.nn.logsumexp(without, axis=-1), anchor)
    return ((num_pairs - 1) * jnp.mean(found) + jnp.mean(none)) / num_pairs


def _mean_off(values: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """Mean over the off-diagonal entries."""
    num_pairs = values.shape[-1]
    apart = jnp.where(jnp.eye(num_pairs, dtype=bool), 0.0, values)
    return jnp.sum(apart) / (values.size - values.size // num_pairs)


OBJECTIVES: Mapping[str, Objective] = {
    "nwj": Objective(nwj, 1.0),
    "infonce": Objective(infonce, 0.0),
    "infonce-symmetric": Objective(infonce_symmetric, 0.0),
    "infonce-anchor": Objective(anchored, 0.0),
    "dv": Objective(dv, 0.0),
    "mine": Objective(mine, 0.0, "memory"),
    "js": Objective(jensen_shannon, 0.0),
    "tuba": Objective(tuba, 0.0, "baseline"),
    "interpolated": Objective(interpolated, 0.0, "share"),
    "hellinger": Objective(hellinger, 0.0),
    "demi": Objective(classifier, 0.0),
}


def bounds_of(objective: str) -> dict[str, Bound]:
    """The estimators that read a critic of this objective, and their bounds."""
    return {n: load(e.target) for n, e in sorted(ESTIMATORS.items()) if e.group == objective}


def told(objective: str, read: Read, share: Float[Array, ""] | float) -> tuple[Any, ...]:
    """The arguments of a bound of this objective."""
    extra = OBJECTIVES[objective].extra
    if extra == "share":
        return read.scores, read.log_baseline, share
    return (read.scores, read.log_baseline) if extra == "baseline" else (read.scores,)
