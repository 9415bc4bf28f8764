"""What a cell costs, from what earlier cells of the same program cost."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

MEMORY = 64.0  # cells; older ones count less and less


@dataclass(slots=True)
class Timing:
    """Mean seconds a cell trains and evaluates, by batch key; compilation apart."""

    _mean: dict[str, tuple[float, float]] = field(default_factory=dict)  # mean, weight

    def learn(self, key: str, seconds: Iterable[float]) -> None:
        """Add what the cells of one batch took."""
        mean, weight = self._mean.get(key, (0.0, 0.0))
        for value in seconds:
            weight = min(weight + 1.0, MEMORY)
            mean += (value - mean) / weight
        if weight:
            self._mean[key] = (mean, weight)

    def expect(self, means: Mapping[str, tuple[float, int]]) -> None:
        """Start from what the store has: batch key -> (mean seconds, number of cells)."""
        for key, (mean, count) in means.items():
            self._mean.setdefault(key, (mean, min(float(count), MEMORY)))

    def of(self, key: str) -> float | None:
        """Mean seconds of one cell, or None where none was seen."""
        known = self._mean.get(key)
        return known[0] if known else None

    def left(self, cells: Mapping[str, int], workers: int) -> float | None:
        """Seconds until cells (batch key -> number) are done on so many workers.

        Keys never seen count as the mean of those that were; None where none was.
        """
        known = {key: seconds for key in cells if (seconds := self.of(key)) is not None}
        if not cells:
            return 0.0
        if not known:
            return None
        typical = sum(known.values()) / len(known)
        total = sum(number * known.get(key, typical) for key, number in cells.items())
        return total / max(workers, 1)
