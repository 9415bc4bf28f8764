"""Canonical correlations from second moments: as quick for many rows as for few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float

_RANK = 1e-9  # of a direction's variance to the largest: below, it is none
_ONE = 1e-9  # of 1 - rho^2: below, rounding alone may be left


def gaussian_information(
    x: Float[np.ndarray, "rows x_dim"], y: Float[np.ndarray, "rows y_dim"]
) -> float:
    """-1/2 sum ln(1 - rho^2), in nats: exact for jointly normal rows, else a limit from below.

    With p and q columns of N rows too high by about p q / (2 N). Infinite where a part of x is a
    linear function of y.
    """
    one, other = _white(x), _white(y)
    rho = np.linalg.svd(one.T @ other / len(x), compute_uv=False)
    left = 1.0 - np.minimum(rho, 1.0) ** 2
    return float("inf") if (left < _ONE).any() else float(-0.5 * np.sum(np.log(left)))


def _white(rows: Float[np.ndarray, "rows dim"]) -> Float[np.ndarray, "rows rank"]:
    centred = rows - rows.mean(axis=0)
    variance, directions = np.linalg.eigh(centred.T @ centred / len(rows))
    kept = variance > _RANK * max(float(variance[-1]), np.finfo(np.float64).tiny)
    return centred @ (directions[:, kept] / np.sqrt(variance[kept]))
