"""Estimators that take samples and train nothing: nearest neighbours, canonical correlations.

Functions of rows of x and y, on the host, in double precision; they return one number in nats.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from scipy.spatial import KDTree
from scipy.spatial.distance import cdist
from scipy.special import digamma

if TYPE_CHECKING:
    from jaxtyping import Float

    from augury.engine.catalog.critic_config import CorrelationConfig, NeighbourConfig

_BLOCK = 2**23  # distances in memory at once
_RANK = 1e-10  # of singular values, relative: below, a direction is none


def ksg(
    x: Float[np.ndarray, "rows x_dim"], y: Float[np.ndarray, "rows y_dim"], config: NeighbourConfig
) -> float:
    """Kraskov, Stoegbauer and Grassberger 2004 (arXiv:cond-mat/0305641), estimator 1; at least 0.

    psi(k) + psi(N) - <psi(n_x + 1) + psi(n_y + 1)>, n the rows nearer than the k-th neighbour in
    the larger of the two Euclidean distances; averaged over `config.neighbours`, columns
    standardised first. Costs N^2 distances but for pairs of numbers.
    """
    x, y = _standardised(x), _standardised(y)
    number = len(x)
    ranks = [k for k in config.neighbours if k < number]
    if x.shape[1] == y.shape[1] == 1:
        counts = _counted_by_tree(x, y, ranks)
    else:
        counts = _counted_by_distance(x, y, ranks)
    found = [
        digamma(k) + digamma(number) - np.mean(digamma(near_x + 1) + digamma(near_y + 1))
        for k, (near_x, near_y) in zip(ranks, counts, strict=True)
    ]
    return max(0.0, float(np.mean(found)))


def cca(
    x: Float[np.ndarray, "rows x_dim"],
    y: Float[np.ndarray, "rows y_dim"],
    config: CorrelationConfig,
) -> float:
    """-1/2 sum ln(1 - rho^2) over canonical correlations: exact for Gaussian pairs, else too low.

    Infinite where a part of x is a linear function of y. With p and q columns and N rows it is too
    high by about p q / (2 N) nats.
    """
    one, other = _basis(x), _basis(y)
    rho = np.linalg.svd(one.T @ other, compute_uv=False)
    with np.errstate(divide="ignore"):
        return float(-0.5 * np.sum(np.log1p(-(np.minimum(rho, 1.0) ** 2))))


def _standardised(values: Float[np.ndarray, "rows dim"]) -> Float[np.ndarray, "rows dim"]:
    values = np.asarray(values, np.float64)
    spread = values.std(axis=0)
    return (values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0)


def _basis(values: Float[np.ndarray, "rows dim"]) -> Float[np.ndarray, "rows rank"]:
    """Orthonormal columns that span those of the centred values."""
    centred = _standardised(values)
    found, size, _ = np.linalg.svd(centred, full_matrices=False)
    return found[:, size > _RANK * max(size[0], np.finfo(np.float64).tiny)]


def _counted_by_tree(
    x: Float[np.ndarray, "rows 1"], y: Float[np.ndarray, "rows 1"], ranks: list[int]
) -> list[tuple[np.ndarray, np.ndarray]]:
    both = np.concatenate([x, y], axis=1)
    far = KDTree(both).query(both, k=max(ranks) + 1, p=np.inf)[0][:, ranks]  # 0: a row itself
    sides = [np.sort(side[:, 0]) for side in (x, y)]
    found = []
    for column in range(len(ranks)):
        near = [
            _within(side, values[:, 0], far[:, column])
            for side, values in zip(sides, (x, y), strict=True)
        ]
        found.append((near[0], near[1]))
    return found


def _within(
    side: Float[np.ndarray, " rows"],
    values: Float[np.ndarray, " rows"],
    radius: Float[np.ndarray, " rows"],
) -> np.ndarray:
    """How many others are nearer than the radius; `side` holds the values in order."""
    # The neighbour at the radius itself must not count, though value + radius is rounded.
    reach = radius - 4 * np.finfo(np.float64).eps * (np.abs(values) + radius)
    below = np.searchsorted(side, values - reach, "left")
    return np.maximum(np.searchsorted(side, values + reach, "right") - below - 1, 0)


def _counted_by_distance(
    x: Float[np.ndarray, "rows x_dim"], y: Float[np.ndarray, "rows y_dim"], ranks: list[int]
) -> list[tuple[np.ndarray, np.ndarray]]:
    number = len(x)
    step = max(1, _BLOCK // number)
    parts: list[list[tuple[np.ndarray, np.ndarray]]] = [[] for _ in ranks]
    for start in range(0, number, step):
        rows = slice(start, start + step)
        apart_x, apart_y = cdist(x[rows], x), cdist(y[rows], y)
        own = np.arange(start, min(start + step, number))
        apart_x[np.arange(len(own)), own] = apart_y[np.arange(len(own)), own] = np.inf
        both = np.maximum(apart_x, apart_y)
        order = np.partition(both, [k - 1 for k in ranks], axis=1)
        for place, k in enumerate(ranks):
            radius = order[:, k - 1 : k]
            near = (apart_x < radius).sum(1), (apart_y < radius).sum(1)
            parts[place].append(near)
    return [
        (np.concatenate([near for near, _ in part]), np.concatenate([near for _, near in part]))
        for part in parts
    ]
