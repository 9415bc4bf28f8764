"""Test rows whose label is given, and which of them joint predictions are asked of together.

In the limit of low temperature a label is certain given its input, so that the true log-likelihood
is 0 and KL is minus the agent's joint log-likelihood (arXiv:2202.13509, section 5).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import jax
import jax.numpy as jnp
import numpy as np

from augury.engine.metrics.patterns import summable
from augury.engine.metrics.pool import Point
from augury.engine.metrics.test_sets import draw_places
from augury.engine.randomness import stream

if TYPE_CHECKING:
    from jaxtyping import Array, Bool, Float, Int, PRNGKeyArray

MOST_PAIRS = 2**19  # of test rows that are all scored: up to 1,023 rows


class Anchors(NamedTuple):
    """Rows that share batches of tau labels."""

    rows: Int[Array, "batch k"]
    counts: Float[Array, "batch k"] | None  # labels at each; None: every way is summed over
    every: Bool[Array, ""] | None = None  # there: these are all unordered pairs of the rows


class Labelled(NamedTuple):
    """Test rows, each of which is also a single label, and the anchors of every (tau, kappa)."""

    x: Float[Array, "row dim"]
    truth: Float[Array, "row class"]  # one-hot
    anchors: Mapping[Point, Anchors]


def exact_pairs(point: Point, num_rows: int) -> bool:
    """Whether all pairs of so few rows are scored, with all ways in which labels fall on them."""
    tau, kappa = point
    pairs = num_rows * (num_rows + 1) // 2
    return kappa == 2 and pairs <= MOST_PAIRS and summable(tau, kappa, 1)


def draw_anchors(
    key: PRNGKeyArray, point: Point, num_rows: int, num_batches: int, exact: bool = True
) -> Anchors:
    """Rows uniformly with replacement for each batch; one by one or in pairs, all there are.

    A lone row is never drawn: each is a batch. Pairs are all taken where they are few.

    Args:
        key: depends on the point, so that none's draws depend on what else is asked for.
        point: (tau, kappa); kappa 0 means tau rows.
        num_rows: test rows.
        num_batches: J, where not all pairs are taken.
        exact: how often each of the rows is drawn again is summed over; else it is drawn too.
    """
    tau, kappa = point
    if tau == 1 or (exact and kappa == 1):
        return Anchors(jnp.arange(num_rows)[:, None], None)
    if exact and exact_pairs(point, num_rows):
        pairs = np.stack(np.triu_indices(num_rows), 1).astype(np.int32)
        return Anchors(jnp.asarray(pairs), None, jnp.asarray(True))
    rows = jax.random.randint(stream(key, "rows"), (num_batches, kappa or tau), 0, num_rows)
    if kappa == 0:
        return Anchors(rows, jnp.ones(rows.shape))
    if exact and summable(tau, kappa, 1):
        return Anchors(rows, None)
    places = draw_places(stream(key, "places"), num_batches, tau, jnp.int32(kappa))
    return Anchors(rows, jax.nn.one_hot(places, kappa).sum(1))
