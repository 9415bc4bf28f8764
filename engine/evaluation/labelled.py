"""Scores at labelled rows: the network sees each row once, whatever is made of it afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp

from augury.engine.evaluation.blocks import Logits, over_blocks
from augury.engine.evaluation.points import PointScores, SingleScores, scored_labels, summed
from augury.engine.metrics.mixtures import log_mean_exp
from augury.engine.metrics.patterns import num_patterns

if TYPE_CHECKING:
    from collections.abc import Mapping

    from augury.engine.metrics.labelled import Anchors, Labelled
    from augury.engine.metrics.pool import Point

# Samples x patterns x batches in flight: on a CPU they stay in cache, a GPU wants more at once.
CPU_VALUES, GPU_VALUES = 2**18, 2**26


def score_labelled(
    logits: Logits, tests: Labelled, num_samples: int, drawn: bool, x: Any
) -> tuple[dict[Point, PointScores], SingleScores]:
    """Scores at every point, and of single labels; traceable.

    Args:
        logits: as `score_tests` takes them.
        tests: rows and anchors.
        num_samples: samples that `logits` answers for.
        drawn: they are draws of infinitely many; else they are all there are.
        x: what `logits` takes, [row, 1, ...].
    """

    def at_rows(log_p: Any, truth: Any) -> Any:
        log_p = log_p[..., 0]  # [m, classes, b]
        return jnp.einsum("mcb,bc->bm", log_p, truth), log_mean_exp(log_p).T

    seen, log_q = over_blocks(logits, x, tests.truth, num_samples, at_rows)
    joint = score_anchors(seen, tests.anchors, drawn)
    return joint, SingleScores(log_q[:, None], tests.truth[:, None])


def score_anchors(
    seen: Any, anchors: Mapping[Point, Anchors], drawn: bool
) -> dict[Point, PointScores]:
    """Scores at every point from `seen` [row, m], the log-probabilities of labels; traceable.

    Drawn batches have a control variate: how far single labels at their rows are from the mean
    over all rows, which is known.
    """
    found, single = {}, -log_mean_exp(seen.T)
    for (tau, kappa), asked in anchors.items():
        scores = _scored(seen, tau, asked, drawn)
        if asked.every is not None:
            scores = _by_row(scores, asked.rows, len(seen))
        elif tau > 1 and kappa != 1:
            share = 1.0 / asked.rows.shape[1] if asked.counts is None else asked.counts / tau
            off = (share * (single - single.mean())[asked.rows]).sum(1)
            scores = scores._replace(controls=off[:, None])
        found[tau, kappa] = scores
    return found


def _scored(seen: Any, tau: int, asked: Anchors, drawn: bool) -> PointScores:
    """Scores of each batch, some batches at a time."""
    batches, width = asked.rows.shape
    ways = num_patterns(tau, width, 1) if asked.counts is None else 1
    most = CPU_VALUES if jax.default_backend() == "cpu" else GPU_VALUES
    size = max(1, min(batches, most // (seen.shape[1] * max(ways, width))))
    blocks = -(-batches // size)

    def cut(leaf: Any) -> Any:
        extra = jnp.repeat(leaf[:1], blocks * size - batches, 0)
        return jnp.concatenate([leaf, extra]).reshape(blocks, size, *leaf.shape[1:])

    def block(part: tuple[Any, Any]) -> PointScores:
        rows, counts = part
        log_p = jnp.moveaxis(seen[rows], 2, 0)  # [m, b, k]
        if counts is not None:
            each = jnp.einsum("mbk,bk->mb", log_p, counts)
            return scored_labels(each, jnp.zeros(size), drawn)
        return summed(log_p[:, None], jnp.zeros((size, width, 1)), tau, drawn)

    scores = jax.lax.map(block, jax.tree.map(cut, (asked.rows, asked.counts)))
    return jax.tree.map(lambda leaf: leaf.reshape(-1, *leaf.shape[2:])[:batches], scores)


def _by_row(scores: PointScores, pairs: Any, num_rows: int) -> PointScores:
    """Of each row, the mean over all rows it is paired with: of all pairs, their mean is the mean.

    Of ordered pairs with replacement, that is; a score does not depend on the order. Twice the
    standard error of these means is the mean's, to first order (Hajek's projection).
    """
    first, second = pairs.T

    def mean(values: Any) -> Any:
        same = (first == second).reshape(-1, *[1] * (values.ndim - 1))
        sums = jnp.zeros((num_rows, *values.shape[1:])).at[first].add(values)
        return sums.at[second].add(jnp.where(same, 0.0, values)) / num_rows

    kl, _, left_out, _, inverse, _ = scores
    left_out = None if left_out is None else mean(left_out)
    inverse = None if inverse is None else mean(inverse)
    # The least over half a million pairs would say nothing of their mean.
    ess = None if inverse is None else 1.0 / inverse
    return PointScores(mean(kl), None, left_out, ess, inverse, jnp.full((num_rows,), 2.0))
