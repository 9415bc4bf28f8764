"""What a chart is: named series on two axes, and how a person looks at it. Plain values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

Points: TypeAlias = tuple[tuple[float, float], ...]
MOST_SERIES = 6  # as many as a colour and a pattern tell apart


@dataclass(frozen=True, slots=True)
class Series:
    """One curve, row of bars or set of points, in ascending x. What is not finite leaves a hole."""

    name: str
    points: Points
    low: tuple[float, ...] = ()  # ends of an error band, one for each point; () for none
    high: tuple[float, ...] = ()
    kind: Literal["line", "bars", "points"] = "line"


@dataclass(frozen=True, slots=True)
class Axis:
    """A title with its unit, and the scale to begin with."""

    title: str = ""
    unit: str = ""
    log: bool = False
    names: tuple[tuple[float, str], ...] = ()  # places that have a name, in place of numbers

    @property
    def words(self) -> str:
        """Title and unit."""
        return ", ".join(part for part in (self.title, self.unit) if part)


@dataclass(frozen=True, slots=True)
class Mark:
    """A vertical line at a value of x: what was observed, say."""

    x: float
    name: str


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that is drawn, and the command that draws the same."""

    title: str = ""
    series: tuple[Series, ...] = ()
    x: Axis = Axis()
    y: Axis = Axis()
    marks: tuple[Mark, ...] = ()
    command: str = ""
    nothing: str = ""  # what is said where there is nothing to draw
    note: str = ""  # what it comes to, in one line above it
    panels: tuple[Chart, ...] = ()  # small multiples side by side, in place of series of its own

    @property
    def is_empty(self) -> bool:
        """Whether no point can be drawn."""
        if self.panels:
            return all(panel.is_empty for panel in self.panels)
        return not any(_finite(point) for series in self.series for point in series.points)


@dataclass(frozen=True, slots=True)
class View:
    """How a chart is looked at. None: as its axis says."""

    log_x: bool | None = None
    log_y: bool | None = None
    smooth: float = 0.0  # weight of what went before, 0 to below 1
    start: float = 0.0  # the part of the x axis in view, as shares of the whole
    end: float = 1.0

    def zoomed(self, step: int) -> View:
        """Twice as near (1) or as far (-1), about the middle."""
        middle, half = (self.start + self.end) / 2, (self.end - self.start) / 2
        half = min(max(half / 2**step, 1 / 128), 0.5)
        return self._about(middle, half)

    def panned(self, step: int) -> View:
        """A quarter of what is in view to the right (1) or left (-1)."""
        half = (self.end - self.start) / 2
        return self._about((self.start + self.end) / 2 + step * half / 2, half)

    def _about(self, middle: float, half: float) -> View:
        middle = min(max(middle, half), 1 - half)
        return replace(self, start=max(middle - half, 0.0), end=min(middle + half, 1.0))


def smoothed(points: Sequence[tuple[float, float]], weight: float) -> Points:
    """An exponential mean over the points so far, without bias to the first (Kingma and Ba 2015).

    Values that are not finite stay as they are and do not count.
    """
    if not weight:
        return tuple(points)
    mean, seen, found = 0.0, 0, []
    for x, y in points:
        if math.isfinite(y):
            seen += 1
            mean = weight * mean + (1 - weight) * y
            y = mean / (1 - weight**seen)
        found.append((x, y))
    return tuple(found)


def _finite(point: tuple[float, float]) -> bool:
    return math.isfinite(point[0]) and math.isfinite(point[1])
