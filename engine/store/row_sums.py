"""How two subjects' errors go together on test rows that both were scored on.

Cells keep the sums of their rows' influences over groups of rows (`RowSums`). All that is scored
on the same rows has the same groups, so sums of seeds and regimes are averaged group by group.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import duckdb
    import numpy as np
    from numpy.typing import NDArray

    Floats: TypeAlias = NDArray[np.float64]

# A cell's (own standard error, bytes of groups), (None, None) where it has none.
Stored: TypeAlias = tuple[float | None, bytes | None]


class Rows(NamedTuple):
    """Errors of both values of a unit: by groups of rows [G], and what each has of its own."""

    above: Floats
    below: Floats
    above_own: float = 0.0
    below_own: float = 0.0

    def variance(self, ratio: float = 1.0) -> float:
        """That of above - ratio * below."""
        size = len(self.above)
        shared = float(((self.above - ratio * self.below) ** 2).sum()) * size / (size - 1)
        return shared + self.above_own**2 + (ratio * self.below_own) ** 2


def kept(cursor: duckdb.DuckDBPyConnection) -> bool:
    """Whether the store has a table of sums: one that an earlier version wrote may lack it."""
    found = cursor.execute(
        "SELECT count(*) FROM duckdb_tables() WHERE table_name = 'row_sums'"
    ).fetchone()
    return bool(found and found[0])


def together(above: Iterable[Stored], below: Iterable[Stored]) -> Rows | None:
    """Sums of a unit: means over its cells. None where one has none, or other groups."""
    one, two = _mean(list(above)), _mean(list(below))
    if one is None or two is None or len(one[0]) != len(two[0]):
        return None
    return Rows(one[0], two[0], one[1], two[1])


def _mean(cells: Sequence[Stored]) -> tuple[Floats, float] | None:
    import numpy as np

    groups: list[Any] = []
    squares = 0.0
    for own, raw in cells:
        if own is None or raw is None:
            return None
        groups.append(np.frombuffer(raw, "<f4"))
        squares += own**2
    if len({len(each) for each in groups}) != 1 or len(groups[0]) < 2:
        return None
    # The samples of a cell are its own, so their errors average out.
    mean = np.asarray(groups, np.float64).mean(axis=0)
    return mean, float(np.sqrt(squares)) / len(groups)
