"""Joint scores of test batches: labels integrated out where there are few patterns of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp

from augury.engine.catalog.settings import PROJECTED
from augury.engine.metrics.mixtures import LOWEST, Mixture, mixture
from augury.engine.metrics.patterns import patterns
from augury.engine.metrics.pool import SINGLES, Point, Pool
from augury.engine.metrics.products import cut_patterns, halves
from augury.engine.metrics.projection import projected_log_likelihood

if TYPE_CHECKING:
    from jaxtyping import Array, Float, PRNGKeyArray

LIKELY = 1e-3  # patterns of less probability do not count towards the least ESS
IMPOSSIBLE = LOWEST / 2  # a log-likelihood below is -inf
MANY = 100  # samples that are worth matrix products


class PointScores(NamedTuple):
    """What one (tau, kappa) yields for each batch.

    From `left_out` to `inverse_ess` for drawn samples only.
    """

    kl: Float[Array, " batch"]  # log P(labels | truth) - log P(labels | agent), nats
    controls: Float[Array, "batch q"] | None = None  # of mean zero, and alike `kl`
    left_out: Float[Array, "batch group"] | None = None  # kl without one group of samples
    ess: Float[Array, " batch"] | None = None  # effective samples, the least over likely labels
    inverse_ess: Float[Array, " batch"] | None = None  # mean of 1 / ESS over labels
    degree: Float[Array, " batch"] | None = None  # 2: means over pairs, of each of their members


class SingleScores(NamedTuple):
    """Log-probabilities of the mixture at inputs by themselves, and what was seen there."""

    log_p: Float[Array, "batch k classes"]
    truth: Float[Array, "batch k classes"]  # probability of each label; one-hot where one was seen


def score_pool(
    log_p: Float[Array, "m classes b width"],
    pool: Pool,
    drawn: bool,
    projection: PRNGKeyArray | None = None,
) -> tuple[dict[Point, PointScores], SingleScores]:
    """Scores of `b` batches of a pool at all of its points; traceable.

    Args:
        log_p: finite, `LOWEST` for impossible labels.
        pool: those batches.
        drawn: the samples are draws (they are all there are, if not).
        projection: for the published estimator above tau 10.
    """
    exact = pool.labels is None
    if pool.given is not None:
        at = jnp.broadcast_to(pool.given[None, None], (log_p.shape[0], 1, *pool.given.shape))
        log_p = jnp.take_along_axis(log_p, at, 1)
    single = mixture(log_p[..., :SINGLES], drawn and exact and (1, 0) in pool.counts)
    log_q = jnp.moveaxis(single.log_mean, 0, -1)  # [b, k, label]
    truth = pool.truth[:, :SINGLES]
    wide = log_q
    if pool.truth.shape[1] > SINGLES:
        wide = jnp.moveaxis(mixture(log_p, False).log_mean, 0, -1)
    marginal = _expected(pool.truth, pool.truth - wide)  # KL of one label, [b, width]
    scores = {}
    for (tau, kappa), counts in pool.counts.items():
        wanted = kappa or tau
        if counts is not None and projection is not None and tau > PROJECTED:
            scores[tau, kappa] = _projected(log_p, pool.truth, counts, projection)
        elif counts is not None:
            scores[tau, kappa] = _sampled(
                log_p, pool.truth, counts, drawn, (wide, marginal, kappa) if exact else None
            )
        elif tau == 1:
            scores[tau, kappa] = _single(single, truth)
        else:
            found = summed(log_p[..., :wanted], pool.truth[:, :wanted], tau, drawn)
            slots = _slots(marginal, wanted)
            scores[tau, kappa] = found._replace(
                controls=None if slots is None else jnp.stack([slots], -1)
            )
    if pool.labels is None:
        return scores, SingleScores(log_q, jnp.exp(truth))
    seen = pool.labels[..., None] == jnp.arange(truth.shape[-1])
    return scores, SingleScores(log_q, seen.astype(jnp.float32))


def _single(single: Mixture, truth: Float[Array, "b k label"]) -> PointScores:
    """One label: the mean over the single inputs of each batch, each integrated over labels."""
    order = lambda leaf: jnp.moveaxis(leaf, -3, -1)  # noqa: E731  [label, b, k] -> [b, k, label]
    kl = _expected(truth, truth - order(single.log_mean)).mean(-1)
    if single.log_ess is None:
        return PointScores(kl)
    left = None
    if single.left_out is not None:
        left = _expected(truth, truth - order(single.left_out)).mean(-1).T
    log_ess = order(single.log_ess)
    least = jnp.where(truth >= jnp.log(LIKELY), log_ess, jnp.inf).min((-2, -1))
    return PointScores(kl, None, left, jnp.exp(least), _expected(truth, jnp.exp(-log_ess)).mean(-1))


def summed(
    log_p: Float[Array, "m label b k"],
    truth: Float[Array, "b k label"],
    tau: int,
    drawn: bool,
) -> PointScores:
    """The sum over all label-count patterns at the k anchors of each batch."""
    samples, labels, batches, anchors = log_p.shape
    table = patterns(tau, anchors, labels)
    places = [(a, y) for a in range(anchors) for y in range(labels)]

    def each(log_p: Any) -> Any:
        # Products that the compiler joins with the sums over samples, unlike a matrix product.
        return sum(log_p[:, y, :, a, None] * table.counts[:, i] for i, (a, y) in enumerate(places))

    known = jnp.maximum(truth, LOWEST).reshape(batches, -1) @ table.counts.T
    weight = known + table.log_ways
    cut = halves(tau, anchors, labels)
    if cut is None or samples < MANY or jax.default_backend() != "cpu":
        mixed = mixture(log_p, drawn, each)
    else:
        mixed = cut_patterns(log_p, jnp.exp(weight), table.counts, cut, drawn)
    kl = _expected(weight, known - mixed.log_mean)
    if mixed.log_ess is None:
        return PointScores(kl)
    left = None
    if mixed.left_out is not None:
        left = _expected(weight, known - mixed.left_out).T
    least = jnp.where(weight >= jnp.log(LIKELY), mixed.log_ess, jnp.inf).min(-1)
    return PointScores(kl, None, left, jnp.exp(least), _expected(weight, jnp.exp(-mixed.log_ess)))


def _sampled(
    log_p: Float[Array, "m label b width"],
    truth: Float[Array, "b width label"],
    counts: Float[Array, "b k label"],
    drawn: bool,
    told: tuple[Any, Any, int] | None,
) -> PointScores:
    """One draw of labels for each batch, and what is known to have mean zero about it."""
    wanted = counts.shape[1]
    truth, log_p = truth[:, :wanted], log_p[..., :wanted]
    each = jnp.einsum("mybk,bky->mb", log_p, counts)
    known = jnp.where(counts > 0, counts * truth, 0.0).sum((1, 2))
    found = scored_labels(each, known, drawn)
    if told is None:
        return found
    log_q, marginal, kappa = told
    times = counts.sum(-1)
    off = jnp.where(counts > 0, counts * (truth - log_q[:, :wanted]), 0.0).sum((1, 2))
    controls = [off - (times * marginal[:, :wanted]).sum(1)]
    if kappa:
        controls.append(
            ((times - times.sum(1, keepdims=True) / kappa) * marginal[:, :wanted]).sum(1)
        )
    slots = _slots(marginal, wanted)
    controls += [] if slots is None else [slots]
    return found._replace(controls=jnp.stack(controls, -1))


def _projected(
    log_p: Float[Array, "m label b width"],
    truth: Float[Array, "b width label"],
    counts: Float[Array, "b k label"],
    key: PRNGKeyArray,
) -> PointScores:
    """The published estimator; no error is known of what it makes of drawn samples."""
    wanted = counts.shape[1]
    known = jnp.where(counts > 0, counts * truth[:, :wanted], 0.0).sum((1, 2))
    batches = jnp.moveaxis(log_p[..., :wanted], 2, 0), counts
    agent = jax.lax.map(lambda batch: projected_log_likelihood(batch[0], batch[1], key), batches)
    return PointScores(known - agent)


def scored_labels(each: Float[Array, "m b"], known: Float[Array, " b"], drawn: bool) -> PointScores:
    """Scores of one draw of labels for each batch: log-likelihoods of samples and of the truth."""
    mixed = mixture(each, drawn)
    kl = _difference(known, mixed.log_mean)
    if mixed.log_ess is None:
        return PointScores(kl)
    left = None if mixed.left_out is None else _difference(known, mixed.left_out).T
    return PointScores(kl, None, left, jnp.exp(mixed.log_ess), jnp.exp(-mixed.log_ess))


def _slots(marginal: Float[Array, "b width"], wanted: int) -> Any:
    """How far the inputs a point takes are from the mean of the batch's, in KL of one label."""
    if wanted >= SINGLES:
        return None
    return marginal[:, :wanted].mean(1) - marginal[:, :SINGLES].mean(1)


def _difference(known: Any, agent: Any) -> Any:
    return jnp.where(agent < IMPOSSIBLE, jnp.inf, known - agent)


def _expected(log_weight: Any, values: Any) -> Any:
    """Mean of values over the last axis; what is impossible adds nothing."""
    weight = jnp.exp(log_weight)
    terms = jnp.where(values > -IMPOSSIBLE, jnp.inf, values)
    # A weight that is no number makes a mean that is none.
    return jnp.where(weight == 0, 0.0, weight * terms).sum(-1)
