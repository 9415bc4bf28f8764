"""What trains a critic: functions of its scores whose gradient is followed upwards.

Estimators with one objective share one training of it, so each is named by `Entry.group`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import jax
import jax.numpy as jnp

from augury.engine.estimators.bounds import dv, infonce, nwj

if TYPE_CHECKING:
    from jaxtyping import Array, Float

Bound: TypeAlias = Callable[..., Any]  # (Float[Array, "pairs pairs"]) -> Float[Array, ""]


def jensen_shannon(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """Nowozin et al. 2016 (arXiv:1606.00709): the f-GAN bound, best at log r; in nats.

    Returns -mean softplus(-f) over the diagonal - mean softplus(f) over the rest; at most 0.
    """
    num_pairs = scores.shape[0]
    matched = jax.nn.softplus(-jnp.diagonal(scores))
    apart = jnp.where(jnp.eye(num_pairs, dtype=bool), 0.0, jax.nn.softplus(scores))
    return -jnp.mean(matched) - jnp.sum(apart) / (num_pairs * (num_pairs - 1))


OBJECTIVES: Mapping[str, Bound] = {
    "nwj": nwj,
    "infonce": infonce,
    "dv": dv,
    "js": jensen_shannon,
}
