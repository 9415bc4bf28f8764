"""What single test rows contribute to an error: so that agents scored on the same rows compare.

A mean over rows moves with each of them by its influence. Two agents that are scored on the same
rows move together, which their standard errors do not tell; the sums of influences over groups of
rows do, in a few hundred bytes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from augury.engine.types import RowSums

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Of so many groups the error of a difference is known to 9 %; of fewer rows each is its own.
GROUPS = 64


@lru_cache(maxsize=8)
def group_of(size: int) -> NDArray[np.intp]:
    """The group of each of `size` rows: the same for every agent, whatever order rows come in."""
    places = np.random.RandomState(size % 2**32).permutation(size)  # its stream is frozen for good
    return places % GROUPS


def row_sums(*influences: np.ndarray, own: float = 0.0) -> RowSums | None:
    """Sums over groups, and what of the standard error is the agent's own.

    Args:
        influences: [n] of each row (or drawn test batch) on the value, of mean zero; several where
            rows of different kinds move it, independently.
        own: standard error that nothing of is shared, as of epistemic samples.

    None where a number is not finite, or where there are fewer than two rows.
    """
    sums = np.zeros(min(GROUPS, max((each.size for each in influences), default=0)))
    for each in influences:
        sums += np.bincount(group_of(each.size), weights=each, minlength=sums.size)
    if sums.size < 2 or not np.isfinite(sums).all() or not np.isfinite(own):
        return None
    return RowSums(own, tuple(sums.tolist()))


def of_mean(values: np.ndarray) -> RowSums | None:
    """Those of a plain mean over rows."""
    values = np.asarray(values, np.float64)
    return row_sums((values - values.mean()) / values.size) if values.size else None
