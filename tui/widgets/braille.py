"""Curves as braille dots: pure functions from points to lines of text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Points = Sequence[tuple[float, float]]
_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))  # [row][column] of one cell
_AXIS_WIDTH = 8


@dataclass(frozen=True, slots=True)
class Series:
    """A named curve; points in ascending x. Values that are not finite leave a hole."""

    name: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """Lines of text: the axis column on the left, and for each cell of the canvas its series."""

    lines: tuple[str, ...]
    owners: tuple[tuple[int, ...], ...]  # [line][column] -> number of the series, -1 for none
    axis_width: int = _AXIS_WIDTH


def draw(series: Sequence[Series], width: int, height: int, log: bool = False) -> Plot:
    """Draw curves with axes into `width` x `height` characters.

    Args:
        series: curves; the last one wins a cell that several cross.
        width: characters, axis included.
        height: lines, the x axis included.
        log: logarithmic y, if all values are positive; linear otherwise.
    """
    columns, rows = width - _AXIS_WIDTH, height - 2
    curves = [[p for p in s.points if math.isfinite(p[1])] for s in series]
    points = [p for curve in curves for p in curve]
    if columns < 4 or rows < 1 or not points:
        return Plot(tuple(" " * max(width, 0) for _ in range(max(height, 0))), ())
    log = log and min(y for _, y in points) > 0
    scale = math.log10 if log else float
    low, high = _range([scale(y) for _, y in points])
    left, right = _range([x for x, _ in points])
    bits = [[0] * columns for _ in range(rows)]
    owners = [[-1] * columns for _ in range(rows)]
    for number, curve in enumerate(curves):
        dots = [
            (
                round((x - left) / (right - left) * (columns * 2 - 1)),
                round((high - scale(y)) / (high - low) * (rows * 4 - 1)),
            )
            for x, y in curve
        ]
        for start, end in zip(dots, dots[1:] or dots, strict=False):
            for x, y in _segment(start, end):
                bits[y // 4][x // 2] |= _DOTS[y % 4][x % 2]
                owners[y // 4][x // 2] = number
    lines = [
        _label(rows, row, low, high, _power if log else float)
        + "".join(chr(0x2800 + b) if b else " " for b in line)
        for row, line in enumerate(bits)
    ]
    lines.append(" " * (_AXIS_WIDTH - 1) + "└" + "─" * columns)
    lines.append(_ticks(left, right, columns))
    return Plot(tuple(lines), tuple(map(tuple, owners)))


def compact(value: float) -> str:
    """A number in at most six characters: 1.2k, 0.08, 3e-05."""
    size = abs(value)
    for limit, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= limit:
            return f"{value / limit:.3g}{sign}"
    return f"{value:.2g}" if size < 0.1 else f"{value:.3g}"


def _power(value: float) -> float:
    return 10.0**value


def _range(values: Sequence[float]) -> tuple[float, float]:
    low, high = min(values), max(values)
    if low == high:
        pad = abs(low) / 10 or 1.0
        return low - pad, high + pad
    return low, high


def _segment(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [
        (
            start[0] + round((end[0] - start[0]) * i / steps),
            start[1] + round((end[1] - start[1]) * i / steps),
        )
        for i in range(steps + 1)
    ]


def _label(rows: int, row: int, low: float, high: float, undo: Callable[[float], float]) -> str:
    marks = {0, rows - 1} | ({rows // 2} if rows >= 5 else set())
    if row not in marks:
        return " " * (_AXIS_WIDTH - 1) + "│"
    value = undo(high - (high - low) * row / max(rows - 1, 1))
    return compact(value).rjust(_AXIS_WIDTH - 1) + "┤"


def _ticks(left: float, right: float, columns: int) -> str:
    line = [" "] * (_AXIS_WIDTH + columns)
    count = max(min(columns // 12, 6), 1)
    for tick in range(count + 1):
        text = compact(left + (right - left) * tick / count)
        middle = _AXIS_WIDTH + round((columns - 1) * tick / count)
        start = min(max(middle - len(text) // 2, _AXIS_WIDTH - 1), len(line) - len(text))
        line[start : start + len(text)] = text
    return "".join(line)
