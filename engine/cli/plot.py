"""Curves as plain text: a letter for each, dots between its points; no colours, ASCII marks."""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence

from augury.engine.store.render import number

MARKS = string.ascii_uppercase + string.ascii_lowercase + string.digits
LEAST_WIDTH, LEAST_HEIGHT = 20, 4


def chart(
    curves: Mapping[str, Mapping[str, float | None]],
    places: Sequence[str],
    title: str,
    width: int = 80,
    height: int = 18,
) -> str:
    """Lines of text, the last one ending in a newline.

    Args:
        curves: values by name of the curve and place on the horizontal axis; missing ones are
            left out.
        places: the axis from left to right, evenly spaced.
        title: printed above.
        width: of the text at most, in characters, where the names in the legend fit.
        height: of the drawing in lines.
    """
    values = [v for curve in curves.values() for v in curve.values() if v is not None]
    if not values:
        return f"{title}\nnothing to draw: no value at these points.\n"
    low, high = _range(values)
    labels = [number(low), number(high)]
    margin = max(map(len, labels)) + 1
    wide = max(width - margin - 2, LEAST_WIDTH)
    tall = max(height, LEAST_HEIGHT)
    grid = [[" "] * wide for _ in range(tall)]
    columns = {place: _column(i, len(places), wide) for i, place in enumerate(places)}
    marks = dict(zip(curves, _marks(len(curves)), strict=True))
    for dots in (True, False):  # letters last: a dot never hides a point
        for name, curve in curves.items():
            points = [
                (columns[p], (1 - (curve[p] - low) / (high - low)) * (tall - 1))  # type: ignore[operator]
                for p in places
                if curve.get(p) is not None
            ]
            for (x, y), after in zip(points, [*points[1:], None], strict=True):
                if dots and after:
                    _between(grid, (x, y), after)
                elif not dots:
                    _put(grid, x, round(y), marks[name])
    lines = [title]
    for i, row in enumerate(grid):
        label = labels[1] if i == 0 else labels[0] if i == tall - 1 else ""
        lines.append(f"{label:>{margin - 1}} |{''.join(row)}".rstrip())
    lines.append(" " * margin + "+" + "-" * wide)
    lines.append(_axis(columns, margin + 1, margin + 1 + wide))
    lines += [f"{marks[name]} {name}" for name in curves]
    return "\n".join(lines) + "\n"


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(0.0, *values), max(values)
    return (low, high) if high > low else (low, low + 1.0)


def _marks(count: int) -> list[str]:
    return [MARKS[i % len(MARKS)] for i in range(count)]


def _column(place: int, count: int, wide: int) -> int:
    return round((place + 0.5) * wide / count - 0.5)


def _between(grid: list[list[str]], one: tuple[int, float], two: tuple[int, float]) -> None:
    (x, y), (end, last) = one, two
    for column in range(x + 1, end):
        height = y + (last - y) * (column - x) / (end - x)
        if grid[round(height)][column] == " ":
            grid[round(height)][column] = "."


def _put(grid: list[list[str]], x: int, y: int, mark: str) -> None:
    """A mark beside those that are there already: equal curves stay visible."""
    while x < len(grid[y]) - 1 and grid[y][x] not in " .":
        x += 1
    grid[y][x] = mark


def _axis(columns: Mapping[str, int], start: int, end: int) -> str:
    line = [" "] * end
    for place, column in columns.items():
        first = min(start + column - math.floor(len(place) / 2), end - len(place))
        line[first : first + len(place)] = place
    return "".join(line).rstrip()
