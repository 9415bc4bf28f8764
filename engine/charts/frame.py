"""What a chart and a view of it come to: the points in view, both scales, whether each is log."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from augury.engine.charts.chart import MOST_SERIES, Chart, Series, View, smoothed
from augury.engine.charts.scales import Scale, scale


@dataclass(frozen=True, slots=True)
class Frame:
    """What is left to do is to draw it."""

    series: tuple[Series, ...]
    x: Scale
    y: Scale
    left_out: int = 0  # series beyond those that can be told apart


def frame(chart: Chart, view: View) -> Frame:
    """Smooth, choose the part in view and fit the scales to it."""
    shown = [
        replace(s, points=smoothed(s.points, view.smooth) if s.kind == "line" else s.points)
        for s in chart.series[:MOST_SERIES]
    ]
    log_x = chart.x.log if view.log_x is None else view.log_x
    log_y = chart.y.log if view.log_y is None else view.log_y
    every = [*(x for s in shown for x in _ends(s)), *(mark.x for mark in chart.marks)]
    x = scale(every, log_x)
    if (view.start, view.end) != (0.0, 1.0):
        x = x.part(view.start, view.end)
    inside = [s if s.kind == "bars" else replace(s, **_near(s, x)) for s in shown]
    y = scale([value for s in inside for value in _heights(s, x)])
    positive = all(p[1] > 0 for s in inside for p in s.points if math.isfinite(p[1]))
    if log_y and positive and not any(s.kind == "bars" for s in inside):
        # A band may reach below 0, where a logarithmic axis ends.
        values = [v for s in inside for v in _heights(s, x) if v > 0]
        y = scale(values, log=True)
    return Frame(tuple(inside), x, y, max(len(chart.series) - MOST_SERIES, 0))


def half_width(series: Series, n: int) -> float:
    """Half of the n-th bar's width: bars touch."""
    xs = [x for x, _ in series.points]
    gaps = [abs(xs[m] - xs[m - 1]) for m in (n, n + 1) if 0 < m < len(xs)]
    return min(gaps, default=1.0) / 2


def coarser(series: Series, x: Scale, columns: int) -> Series:
    """Bars that are as wide as a column at least: of narrower ones neighbours are added up.

    All are then as high as the highest would be, for the scale of y is that of the narrow ones.
    """
    if series.kind != "bars" or len(series.points) < 2:
        return series
    width = 2 * half_width(series, 0)
    share = x.place(series.points[0][0] + width) - x.place(series.points[0][0])
    together = min(math.ceil(1 / max(share * columns, 1e-9) - 1e-9), len(series.points))
    if together < 2:
        return series
    heights = [sum(y for _, y in series.points[n : n + together])
               for n in range(0, len(series.points), together)]  # fmt: skip
    scale = max(y for _, y in series.points) / (max(heights) or 1.0)
    begin = series.points[0][0] + width * (together - 1) / 2
    points = tuple((begin + n * together * width, y * scale) for n, y in enumerate(heights))
    return replace(series, points=points)


def _ends(series: Series) -> Iterator[float]:
    for n, (x, y) in enumerate(series.points):
        if math.isfinite(y):
            yield x
            if series.kind == "bars":
                half = half_width(series, n)
                yield from (x - half, x + half)


def _near(series: Series, x: Scale) -> dict[str, Any]:
    """The points in view and one more on each side, for the lines that leave the picture."""
    places = [x.place(p[0]) for p in series.points]
    inside = [n for n, place in enumerate(places) if -1e-9 <= place <= 1 + 1e-9]
    if series.kind == "points":  # no line leads to the next one
        parts = {"points": series.points, "low": series.low, "high": series.high}
        return {name: tuple(part[n] for n in inside if part) for name, part in parts.items()}
    if not inside:
        after = next((n for n, place in enumerate(places) if place > 1), 0)
        inside = [max(after - 1, 0), after] if 0 < after < len(places) else []
    if not inside:
        return {"points": (), "low": (), "high": ()}
    kept = slice(max(inside[0] - 1, 0), inside[-1] + 2)
    points, low, high = list(series.points[kept]), list(series.low[kept]), list(series.high[kept])
    for end, other, edge in ((0, 1, x.low), (-1, -2, x.high)):
        if len(points) > 1 and not -1e-9 <= x.place(points[end][0]) <= 1 + 1e-9:
            _to_edge(points, low, high, end, other, edge)
    return {"points": tuple(points), "low": tuple(low), "high": tuple(high)}


def _to_edge(
    points: list[tuple[float, float]],
    low: list[float],
    high: list[float],
    end: int,
    other: int,
    edge: float,
) -> None:
    """Put the point beyond an edge onto it, along the line to its neighbour."""
    (x0, y0), (x1, y1) = points[other], points[end]
    share = (edge - x0) / (x1 - x0) if x1 != x0 else 1.0
    points[end] = (edge, y0 + (y1 - y0) * share)
    for ends in (low, high):
        if ends:
            ends[end] = ends[other] + (ends[end] - ends[other]) * share


def _heights(series: Series, x: Scale) -> Iterator[float]:
    in_view = [n for n, p in enumerate(series.points) if -1e-9 <= x.place(p[0]) <= 1 + 1e-9]
    for n in in_view or range(len(series.points)):
        yield series.points[n][1]
        if series.low:
            yield from (series.low[n], series.high[n])
    if series.kind == "bars":
        yield 0.0
