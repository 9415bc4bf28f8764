"""What an estimator reports, read from K x K matrices of critic scores.

Row i and column j hold the critic's score of the pair (x_i, y_j) or (y_i, x_j): only `infonce`,
`tuba` and `interpolated` mind which. The diagonal holds draws of the joint distribution; the
K^2 - K other entries serve as draws of the product of the marginals. Leading axes are further
batches: all of them share one partition function, so a value of 25 batches of 64 pairs rests on
1,600 draws of the joint distribution and 100,800 of the product. All functions take
`Float[Array, "*batches pairs pairs"]` with at least two pairs, return one number in nats and never
clip unless they say so: a score that overflows gives a value that is not finite, which the caller
must count.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jaxtyping import Array, Float

BITS = 1.0 / math.log(2.0)  # bits in one nat


def matched(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, "*batches pairs"]:
    """Scores of the draws of the joint distribution."""
    return jnp.diagonal(scores, axis1=-2, axis2=-1)


def log_mean_exp_off(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """Log of the mean of exp(score) over the off-diagonal entries of all batches."""
    num_pairs = scores.shape[-1]
    off = jnp.where(jnp.eye(num_pairs, dtype=bool), -jnp.inf, scores)
    return jax.nn.logsumexp(off) - math.log(scores.size - scores.size // num_pairs)


def dv(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """Donsker-Varadhan 1983: best at log r + any constant, r the density ratio.

    A lower bound in the limit of many pairs only: the log of a sample mean biases it upwards.
    """
    return jnp.mean(matched(scores)) - log_mean_exp_off(scores)


def nwj(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """Nguyen, Wainwright and Jordan 2010 (arXiv:0809.0853): best at 1 + log r, unbiased there."""
    return jnp.mean(matched(scores)) - jnp.exp(log_mean_exp_off(scores) - 1.0)


def infonce(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """Van den Oord et al. 2018 (arXiv:1807.03748): a lower bound that never exceeds ln K."""
    log_sums = jax.nn.logsumexp(scores, axis=-1)
    return jnp.mean(matched(scores) - log_sums) + math.log(scores.shape[-1])


def infonce_symmetric(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """Each pair against the rest of its row and of its column: never above ln(2K - 1).

    The 2K - 2 negatives of a pair are twice those of `infonce` at the same batch size.
    """
    num_pairs = scores.shape[-1]
    apart = jnp.where(jnp.eye(num_pairs, dtype=bool), -jnp.inf, jnp.swapaxes(scores, -1, -2))
    log_sums = jnp.logaddexp(jax.nn.logsumexp(scores, axis=-1), jax.nn.logsumexp(apart, axis=-1))
    return jnp.mean(matched(scores) - log_sums) + math.log(2 * num_pairs - 1)


def tuba(
    scores: Float[Array, "*batches pairs pairs"],
    log_baseline: Float[Array, "*batches pairs"] | float = 0.0,
) -> Float[Array, ""]:
    """Barber and Agakov 2003, tractable form of Poole et al. 2019 (arXiv:1905.06922).

    Best where score - log baseline of the row is log r; then as `nwj`.
    """
    return nwj(scores - jnp.asarray(log_baseline)[..., None] + 1.0)


def interpolated(
    scores: Float[Array, "*batches pairs pairs"],
    log_baseline: Float[Array, "*batches pairs"] | float = 0.0,
    share: Float[Array, ""] | float = 0.5,
) -> Float[Array, ""]:
    """Poole et al. 2019 (arXiv:1905.06922), equation 14: `tuba` against a mixed baseline.

    The baseline of a pair mixes the mean of exp(score) over the others of its row, with weight
    `share`, and the learned baseline of the row: 0 is `tuba`, 1 bounded by ln K as `infonce` is.
    """
    num_pairs = scores.shape[-1]
    one = jnp.eye(num_pairs, dtype=bool)
    share = jnp.asarray(share, scores.dtype)
    # Entry j: the mean over all columns of the row but j.
    others = jnp.where(one, -jnp.inf, scores[..., :, None, :])
    means = jax.nn.logsumexp(others, axis=-1) - math.log(num_pairs - 1)
    learned = jnp.asarray(log_baseline, scores.dtype)[..., None]
    mixed = jnp.logaddexp(jnp.log(share) + means, jnp.log1p(-share) + learned)
    # A draw of the joint distribution is set against rows that hold it but lack one other draw; a
    # draw of the product against rows without their own pair.
    joint = jnp.where(one, 0.0, matched(scores)[..., None] - mixed)
    mean = jnp.sum(joint) / (scores.size - scores.size // num_pairs)
    return 1.0 + mean - jnp.exp(log_mean_exp_off(scores - matched(mixed)[..., None]))


def is_mean_of_batches(bound: object) -> bool:
    """Whether a value of many batches is the mean of their own values; else it has a log of one."""
    return bound not in (dv, smile_1, smile_5, smile_inf)


def plug_in(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """Mean score of the joint draws: the value of a critic that is log r (arXiv:2305.20025).

    It rests on no partition function, so its spread is small, and no bound in either direction.
    """
    return jnp.mean(matched(scores))


def plug_in_nwj(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """`plug_in` of a critic of the NWJ objective, which is best at 1 + log r."""
    return plug_in(scores) - 1.0


def js(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """The NWJ bound of a critic that was trained by the Jensen-Shannon objective.

    That objective is best at log r, the NWJ bound at 1 + log r, hence the 1 that is added here.
    """
    return nwj(scores + 1.0)


def js_compat(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """As published results report it: NWJ at log r, 1/e nats (0.53 bits) below `js` at its best."""
    return nwj(scores)


def smile(scores: Float[Array, "*batches pairs pairs"], clip: float) -> Float[Array, ""]:
    """Song and Ermon 2020 (arXiv:1910.06222): DV with the off-diagonal scores clipped to +-`clip`.

    The joint term is not clipped, so a small `clip` biases upwards: no bound in either direction.
    """
    return jnp.mean(matched(scores)) - log_mean_exp_off(jnp.clip(scores, -clip, clip))


def smile_1(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """`smile` at 1 nat."""
    return smile(scores, 1.0)


def smile_5(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """`smile` at 5 nats."""
    return smile(scores, 5.0)


def smile_inf(scores: Float[Array, "*batches pairs pairs"]) -> Float[Array, ""]:
    """`smile` without a clip: `dv` of a critic trained by the Jensen-Shannon objective."""
    return dv(scores)
