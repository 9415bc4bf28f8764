"""How known numbers are set beside ours."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Row(NamedTuple):
    """One number beside the known one."""

    name: str
    golden: float
    ours: float
    tolerance: float

    @property
    def ok(self) -> bool:
        """Within tolerance, ends included."""
        return abs(self.ours - self.golden) <= self.tolerance


def show(rows: Iterable[Row]) -> int:
    """Print each row as it is computed; 1 if a number is out of tolerance, else 0."""
    wrong = 0
    print(f"{'':46} {'golden':>12} {'ours':>12} {'tolerance':>10}")
    for row in rows:
        wrong += not row.ok
        print(
            f"{row.name:46} {row.golden:12.7g} {row.ours:12.7g} {row.tolerance:10.2g} "
            f"{'ok' if row.ok else 'WRONG'}",
            flush=True,
        )
    return int(wrong > 0)
