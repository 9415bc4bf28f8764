"""Nearest neighbours where rows may coincide: numbers, labels and mixtures of both.

Functions of rows of x and y, on the host, in double precision. Distances are the largest
difference of a column.
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
    """Others inside a ball about each row: nearer than its k-th neighbour in x and y.

    Where that coincides with the row, those that coincide.
    """

    both: Int[np.ndarray, " rows"]  # in x and in y: k - 1 where distances differ
    x: Int[np.ndarray, " rows"]
    y: Int[np.ndarray, " rows"]


def information(near: Near) -> float:
    """psi(N) + <psi(n_xy + 1) - psi(n_x + 1) - psi(n_y + 1)>, in nats.

    Of rows that never coincide it is estimator 1 of Kraskov, Stoegbauer and Grassberger 2004
    (arXiv:cond-mat/0305641); of labels and numbers that of Ross 2014 (doi 10.1371/journal.pone.
    0087357); of labels alone the frequencies', less their bias to first order. Mixtures as Gao et
    al. 2017 (arXiv:1709.06212). Not cut at 0: an estimate of nothing should scatter about it.
    """
    terms = digamma(near.both + 1) - digamma(near.x + 1) - digamma(near.y + 1)
    return float(digamma(len(terms)) + np.mean(terms))


def by_tree(
    x: Float[np.ndarray, "rows x_dim"], y: Float[np.ndarray, "rows y_dim"], rank: int
) -> Near:
    """The balls to each row's neighbour of this rank; quick for few columns."""
    both = np.hstack([x, y])
    radius = KDTree(both).query(both, k=rank + 1, p=np.inf)[0][:, rank]  # at 0: the row itself
    reach = np.where(radius > 0, np.nextafter(radius, 0.0), 0.0)
    return Near(_within(both, reach), _within(x, reach), _within(y, reach))


def _within(rows: np.ndarray, reach: np.ndarray) -> Int[np.ndarray, " rows"]:
    return KDTree(rows).query_ball_point(rows, reach, np.inf, return_length=True) - 1


def distances(rows: Float[np.ndarray, "rows dim"]) -> Float[np.ndarray, "rows rows"]:
    """Between each two rows; infinite from a row to itself."""
    found = cdist(rows, rows, "chebyshev")
    np.fill_diagonal(found, np.inf)
    return found


def by_distance(
    x: Float[np.ndarray, "rows rows"], y: Float[np.ndarray, "rows rows"], rank: int
) -> Near:
    """As `by_tree`, of `distances`: as quick for many columns as for few."""
    both = np.maximum(x, y)
    radius = np.partition(both, rank - 1, axis=1)[:, rank - 1 : rank]
    reach = np.where(radius > 0, np.nextafter(radius, 0.0), 0.0)
    return Near((both <= reach).sum(1), (x <= reach).sum(1), (y <= reach).sum(1))
