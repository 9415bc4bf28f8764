"""Nearest neighbours where rows may coincide: numbers, labels and mixtures of both.

Functions of rows of x and y, on the host, in double precision; in nats. Distances are the largest
difference of a column. Not cut at 0: an estimate of nothing should scatter about it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist
from scipy.special import digamma

if TYPE_CHECKING:
    from jaxtyping import Float, Int


class Near(NamedTuple):
    """Of each row: others in the ball that holds its k-th neighbour."""

    both: Int[np.ndarray, " rows"]  # k, or all that coincide with the row
    x: Int[np.ndarray, " rows"]
    y: Int[np.ndarray, " rows"]


def ksg(near: Near) -> float:
    """Kraskov, Stoegbauer and Grassberger 2004 (arXiv:cond-mat/0305641), estimator 1.

    For rows that never coincide; `near` has counted the inside of each ball.
    """
    number = len(near.both)
    marginal = digamma(near.x + 1) + digamma(near.y + 1)
    return float(digamma(number) + np.mean(digamma(near.both) - marginal))


def mixed(near: Near) -> float:
    """Gao, Kannan, Oh and Viswanath 2017 (arXiv:1709.06212): any mixture of numbers and labels.

    `near` has counted each ball with its surface.
    """
    marginal = np.log(near.x + 1) + np.log(near.y + 1)
    return float(np.log(len(near.both)) + np.mean(digamma(near.both) - marginal))


def by_tree(
    x: Float[np.ndarray, "rows x_dim"], y: Float[np.ndarray, "rows y_dim"], rank: int, surface: bool
) -> Near:
    """Quick for few columns. `surface`: whether rows as far as the neighbour count."""
    both = np.hstack([x, y])
    tree = KDTree(both)
    radius = tree.query(both, k=[rank + 1], p=np.inf)[0][:, 0]  # the first is the row itself
    number = np.full(len(x), rank)
    tied = np.flatnonzero(radius == 0)
    if len(tied):
        number[tied] = tree.query_ball_point(both[tied], 0.0, np.inf, return_length=True) - 1
    reach = radius if surface else np.nextafter(radius, 0.0)
    return Near(number, _within(x, reach), _within(y, reach))


def _within(rows: np.ndarray, radius: np.ndarray) -> Int[np.ndarray, " rows"]:
    return KDTree(rows).query_ball_point(rows, radius, np.inf, return_length=True) - 1


def distances(rows: Float[np.ndarray, "rows dim"]) -> Float[np.ndarray, "rows rows"]:
    """Between each two rows; infinite from a row to itself."""
    found = cdist(rows, rows, "chebyshev")
    np.fill_diagonal(found, np.inf)
    return found


def by_distance(
    x: Float[np.ndarray, "rows rows"],
    y: Float[np.ndarray, "rows rows"],
    rank: int,
    surface: bool,
) -> Near:
    """As `by_tree`, of `distances`: as quick for many columns as for few."""
    both = np.maximum(x, y)
    radius = np.partition(both, rank - 1, axis=1)[:, rank - 1 : rank]
    number = np.where(radius[:, 0] == 0, (both == 0).sum(1), rank)
    if surface:
        return Near(number, (x <= radius).sum(1), (y <= radius).sum(1))
    return Near(number, (x < radius).sum(1), (y < radius).sum(1))
