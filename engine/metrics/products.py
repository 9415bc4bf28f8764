"""Likelihoods of all label-count patterns as matrix products over epistemic samples.

A pattern's likelihood under a sample is a product of powers of the sample's probabilities. Cut in
two, prod_i p_i^counts_i = prod_i p_i^first_i prod_i p_i^rest_i, its sum over samples is an entry of
a matrix product: 56 exponentials and 672 multiplications do for the 286 patterns of 10 labels at
two anchors and two classes, which have an exponential each otherwise.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations_with_replacement
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.metrics.mixtures import LEAST, Mixture, log_left, others, parted
from augury.engine.metrics.patterns import patterns

if TYPE_CHECKING:
    from jaxtyping import Array, Bool, Float

FEW = 40  # patterns that are not worth a product
# Nanoseconds of one core for a sample: an exponential kept in memory, and a multiplication.
EXPONENTIAL, MULTIPLICATION = 0.8, 0.054
LOST = 1.2e-38  # numbers of 32 bits below may end as 0
PRECISION = 1e-7  # of sums whose lost terms may be forgotten
# Off by more (nats of KL; mean of 1 / ESS), products give way to an exponential for each pattern.
DOUBT, DOUBT_ESS = 1e-6, 1e-8


class Halves(NamedTuple):
    """Counts of the two parts of every pattern: `first[i // columns]` and `powers[i % columns]`."""

    powers: np.ndarray  # [powers, places] float32; the leading ones are the second parts
    first: np.ndarray  # [rows]: numbers of the powers that are first parts
    columns: int
    entry: np.ndarray  # [patterns]: in the product [rows, columns], laid flat


class _Sums(NamedTuple):
    """Over samples, of each pattern's likelihoods in units of exp(most)."""

    most: Float[Array, " pattern"]
    whole: Float[Array, " pattern"]
    others: Float[Array, "group pattern"] | None = None  # without one group of samples each
    squares: Float[Array, " pattern"] | None = None


@lru_cache(maxsize=32)
def halves(tau: int, anchors: int, labels: int) -> Halves | None:
    """The cheapest cut of `patterns(tau, anchors, labels)`; None where there are few of them.

    Of equal blocks of places, one holds at least tau / blocks of the labels: as many of its own
    are a pattern's first part, so that first parts are few.
    """
    counts = patterns(tau, anchors, labels).counts.astype(int)
    if len(counts) <= FEW or tau < 2:
        return None
    places = anchors * labels
    cuts = [
        (blocks, taken)
        for blocks in range(1, places + 1)
        if places % blocks == 0
        for taken in range(1, min(-(-tau // blocks), tau - 1) + 1)
    ]
    blocks, taken = min(cuts, key=lambda cut: _cost(tau, places, *cut))
    size = places // blocks
    second = _powers(tau - taken, range(places), places)
    first = [
        power
        for start in range(0, places, size)
        for power in _powers(taken, range(start, start + size), places)
    ]
    powers = list(dict.fromkeys([*second, *first]))
    row, column = ({power: i for i, power in enumerate(part)} for part in (first, second))
    entry = []
    for count in counts:
        start = size * int(np.argmax(count.reshape(blocks, size).sum(1) >= taken))
        own = np.zeros(places, int)
        own[start : start + size] = count[start : start + size]
        # The first `taken` labels of the block.
        own = np.diff(np.minimum(np.cumsum(own), taken), prepend=0)
        entry.append(row[tuple(own)] * len(second) + column[tuple(count - own)])
    at = {power: i for i, power in enumerate(powers)}
    return Halves(
        np.array(powers, np.float32), np.array([at[p] for p in first]), len(second), np.array(entry)
    )


def _cost(tau: int, places: int, blocks: int, taken: int) -> float:
    size = places // blocks
    rows = blocks * comb(taken + size - 1, taken)
    columns = comb(tau - taken + places - 1, tau - taken)
    powers = columns + (0 if 2 * taken == tau else rows)
    return EXPONENTIAL * powers + MULTIPLICATION * rows * columns


def _powers(degree: int, places: range, width: int) -> list[tuple[int, ...]]:
    """Counts on all places of every way in which `degree` labels fall on some of them."""
    return [
        tuple(np.bincount(chosen, minlength=width).tolist())
        for chosen in combinations_with_replacement(places, degree)
    ]


def cut_patterns(
    log_p: Float[Array, "m label b k"],
    weight: Float[Array, "b pattern"],
    counts: np.ndarray,
    cut: Halves,
    drawn: bool,
) -> Mixture:
    """Mixtures of all patterns at the anchors of each batch, [..., b, pattern].

    Args:
        log_p: as `mixture` takes them.
        weight: how much of a batch's scores each pattern is.
        counts: those of `patterns`, [patterns, places].
        cut: their halves.
        drawn: as `mixture` takes it.
    """
    count, labels, batches, anchors = log_p.shape
    most, least = (
        jnp.moveaxis(leaf, 0, 2).reshape(batches, -1) for leaf in (log_p.max(0), log_p.min(0))
    )
    flat = jnp.transpose(log_p, (2, 0, 3, 1)).reshape(batches, count, anchors * labels)
    # At most so far off is the log of a sum of which nothing is left.
    reach = (most - least) @ counts.T + 100.0

    def one(batch: tuple[Any, Any, Any]) -> _Sums:
        off, weight, loss = batch
        off = parted(off) if drawn else off[None]
        found, sure = _products(off, weight, loss, cut, drawn)
        return jax.lax.cond(sure, lambda: found, lambda: _one_by_one(off, counts, drawn))

    # Batch after batch: the powers of one stay in cache.
    sums = jax.lax.map(one, (flat - most[:, None], weight, weight * reach))
    most = most @ counts.T + sums.most
    log_sum = jnp.log(jnp.maximum(sums.whole, LEAST))
    log_mean = most + log_sum - jnp.log(jnp.float32(count))
    if sums.squares is None:
        return Mixture(log_mean)
    # No fewer than one sample counts, also where squares are lost.
    log_ess = jnp.maximum(2.0 * log_sum - jnp.log(jnp.maximum(sums.squares, LEAST)), 0.0)
    if sums.others is None:
        return Mixture(log_mean, None, log_ess)
    left = log_left(jnp.moveaxis(sums.others, 1, 0), count)
    return Mixture(log_mean, most + left, log_ess)


def _products(
    off: Float[Array, "group size place"], weight: Any, loss: Any, cut: Halves, drawn: bool
) -> tuple[_Sums, Bool[Array, ""]]:
    """Sums of one batch, and whether 32 bits were enough for all of them that count."""
    # Samples within powers and powers within samples: the layouts for which the product of two
    # matrices is quickest on CPU. Stored, or they are computed again for each use.
    powers = sum(off[:, :, i, None] * cut.powers[:, i] for i in range(off.shape[2]))
    powers = jax.lax.optimization_barrier(jnp.exp(powers))
    first = jax.lax.optimization_barrier(jnp.swapaxes(powers[:, :, cut.first], 1, 2))
    second = powers[:, :, : cut.columns]
    sums = _of_groups(jnp.zeros_like(weight), (first @ second).reshape(len(off), -1)[:, cut.entry])
    # Factors are at most 1: of each sample no more than LOST can have gone.
    enough = off.shape[0] * off.shape[1] * LOST / PRECISION
    # What is no number is not small.
    bad = (sums.whole if sums.others is None else sums.others.min(0)) < enough
    sure = jnp.where(bad, loss, 0.0).sum() <= DOUBT
    if not drawn:
        return sums, sure
    squares = ((first * first) @ (second * second)).sum(0).reshape(-1)[cut.entry]
    bad = (sums.whole < enough) | (squares < enough)
    sure = sure & (jnp.where(bad, weight, 0.0).sum() <= DOUBT_ESS)
    return sums._replace(squares=squares), sure


def _one_by_one(off: Float[Array, "group size place"], counts: np.ndarray, drawn: bool) -> _Sums:
    """The same from an exponential for each pattern."""
    values = off[:, :, 0, None] * counts[:, 0]
    for i in range(1, counts.shape[1]):
        values = values + off[:, :, i, None] * counts[:, i]
    most = values.max((0, 1))
    each = jnp.exp(values - most)
    sums = _of_groups(most, each.sum(1))
    return sums._replace(squares=(each * each).sum((0, 1))) if drawn else sums


def _of_groups(most: Any, groups: Float[Array, "group pattern"]) -> _Sums:
    return _Sums(most, groups.sum(0), others(groups) if len(groups) > 1 else None)
