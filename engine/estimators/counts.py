"""Mutual information of labels, from how often each combination occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from jaxtyping import Float, Int


class Counted(NamedTuple):
    """In nats."""

    terms: Float[np.ndarray, " rows"]  # log of the empirical density ratio, corrected
    correction: float  # what each term was lowered by


def counted(x: Int[np.ndarray, " rows"], y: Int[np.ndarray, " rows"]) -> Counted:
    """The empirical value, less its bias to first order (Miller 1955): (K_xy - K_x - K_y + 1) / 2N.

    K are the numbers of labels, and of combinations, that occur in N rows.
    """
    number = len(x)
    _, both, of_both = np.unique(
        np.stack([x, y], axis=1), axis=0, return_inverse=True, return_counts=True
    )
    _, at_x, of_x = np.unique(x, return_inverse=True, return_counts=True)
    _, at_y, of_y = np.unique(y, return_inverse=True, return_counts=True)
    correction = (len(of_both) - len(of_x) - len(of_y) + 1) / (2.0 * number)
    ratio = of_both[both.reshape(-1)] * float(number) / (of_x[at_x] * of_y[at_y].astype(float))
    return Counted(np.log(ratio) - correction, correction)
