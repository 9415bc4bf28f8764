"""What an estimator reports, read from one K x K matrix of critic scores.

Row i and column j hold the critic's score of the pair (x_i, y_j) or (y_i, x_j): only `infonce`
minds which. The diagonal holds draws of the joint distribution; the K^2 - K other entries serve as
draws of the product of the marginals. All functions take `Float[Array, "pairs pairs"]` with at
least two pairs, return one number in nats and never clip unless they say so: a score that
overflows gives a value that is not finite, which the caller must count.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jaxtyping import Array, Float

BITS = 1.0 / math.log(2.0)  # bits in one nat


def log_mean_exp_off(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """Log of the mean of exp(score) over the off-diagonal entries."""
    num_pairs = scores.shape[0]
    off = jnp.where(jnp.eye(num_pairs, dtype=bool), -jnp.inf, scores)
    return jax.nn.logsumexp(off) - math.log(num_pairs * (num_pairs - 1))


def dv(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """Donsker-Varadhan 1983: best at log r + any constant, r the density ratio.

    A lower bound in the limit of many pairs only: the log of a sample mean biases it upwards.
    """
    return jnp.mean(jnp.diagonal(scores)) - log_mean_exp_off(scores)


def nwj(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """Nguyen, Wainwright and Jordan 2010 (arXiv:0809.0853): best at 1 + log r, unbiased there."""
    return jnp.mean(jnp.diagonal(scores)) - jnp.exp(log_mean_exp_off(scores) - 1.0)


def infonce(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """Van den Oord et al. 2018 (arXiv:1807.03748): a lower bound that never exceeds ln K."""
    log_sums = jax.nn.logsumexp(scores, axis=1)
    return jnp.mean(jnp.diagonal(scores) - log_sums) + math.log(scores.shape[0])


def js(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """The NWJ bound of a critic that was trained by the Jensen-Shannon objective.

    That objective is best at log r, the NWJ bound at 1 + log r, hence the 1 that is added here.
    """
    return nwj(scores + 1.0)


def js_compat(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """As published results report it: NWJ at log r, 1/e nats (0.53 bits) below `js` at its best."""
    return nwj(scores)


def smile(scores: Float[Array, "pairs pairs"], clip: float) -> Float[Array, ""]:
    """Song and Ermon 2020 (arXiv:1910.06222): DV with the off-diagonal scores clipped to +-`clip`.

    The joint term is not clipped, so a small `clip` biases upwards: no bound in either direction.
    """
    return jnp.mean(jnp.diagonal(scores)) - log_mean_exp_off(jnp.clip(scores, -clip, clip))


def smile_1(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """`smile` at 1 nat."""
    return smile(scores, 1.0)


def smile_5(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """`smile` at 5 nats."""
    return smile(scores, 5.0)


def smile_inf(scores: Float[Array, "pairs pairs"]) -> Float[Array, ""]:
    """`smile` without a clip: `dv` of a critic trained by the Jensen-Shannon objective."""
    return dv(scores)
