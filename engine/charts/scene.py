"""A chart as lines, areas and words on a page: what SVG and PNG are both written from."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from augury.engine.charts import scales
from augury.engine.charts.chart import Chart, Series, View
from augury.engine.charts.frame import Frame, frame, half_width

INK, GREY, PALE, PAPER = "#222222", "#666666", "#dddddd", "#ffffff"
# Okabe and Ito's colours, told apart with any kind of colour vision; yellow is too pale on paper.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
DASHES: tuple[tuple[float, ...], ...] = ((), (9, 4), (2, 3), (9, 3, 2, 3), (5, 3), (14, 5))
WIDTH, HEIGHT = 800, 480
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 20, 40, 52
_FEW = 40  # points that are marked one by one
_ACROSS = 3  # small multiples in a row
Place: TypeAlias = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Path:
    """A line through points."""

    points: tuple[Place, ...]
    colour: str
    width: float = 1.0
    dash: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Area:
    """A filled polygon."""

    points: tuple[Place, ...]
    colour: str
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Words:
    """Text; `turned` reads from bottom to top."""

    x: float
    y: float  # of the base line
    text: str
    size: float = 13.0
    anchor: Literal["start", "middle", "end"] = "start"
    colour: str = INK
    turned: bool = False


Shape: TypeAlias = Path | Area | Words


def scene(chart: Chart, view: View | None = None) -> list[Shape]:
    """All shapes in the order they are drawn, on a page of WIDTH x HEIGHT."""
    shapes: list[Shape] = [Area(_box(0, 0, WIDTH, HEIGHT), PAPER)]
    shapes.append(Words(_LEFT, 24, chart.title, 15))
    if chart.is_empty:
        nothing = chart.nothing or "nothing to draw"
        return [*shapes, Words(WIDTH / 2, HEIGHT / 2, nothing, 14, "middle", GREY)]
    start = _TOP
    if chart.note:
        shapes.append(Words(_LEFT, 44, chart.note, 13, colour=GREY))
        start += 16
    if chart.panels:
        return [*shapes, *_grid(chart, view or View(), start)]
    found = frame(chart, view or View())
    legend = list(_legend(chart, found))
    top = start + 20.0 * (1 + max((row for row, *_ in legend), default=-1))
    page = _Page(found, (_LEFT, top, WIDTH - _RIGHT, HEIGHT - _BOTTOM))
    shapes += page.axes(chart)
    bottom = HEIGHT - 12
    shapes.append(Words((_LEFT + WIDTH - _RIGHT) / 2, bottom, page.x_words(chart), 13, "middle"))
    shapes.append(Words(18, (top + HEIGHT - _BOTTOM) / 2, page.y_words(chart), 13, "middle", INK,
                        True))  # fmt: skip
    shapes += page.contents(chart)
    for row, x, name, number in legend:
        y = start + 20.0 * row
        bars = number >= 0 and found.series[number].kind == "bars"
        if number < 0:
            shapes.append(Path(((x + 13, y - 4), (x + 13, y + 8)), INK, 2.0, (6, 3)))
        elif bars:
            shapes.append(Area(_box(x + 6, y - 4, 14, 11), COLOURS[number]))
        else:
            if found.series[number].kind == "line":
                ends = ((x, y + 2), (x + 26, y + 2))
                shapes.append(Path(ends, COLOURS[number], 2.0, DASHES[number]))
            shapes += _marker(number, (x + 13, y + 2))
        shapes.append(Words(x + 32, y + 7, name))
    return shapes


def _grid(chart: Chart, view: View, top: float) -> Iterator[Shape]:
    """Small multiples in rows of at most three, each with its own scales."""
    count = len(chart.panels)
    deep = -(-count // _ACROSS)
    across = -(-count // deep)
    wide, tall = (WIDTH - _RIGHT - 20) / across, (HEIGHT - top - 10) / deep
    for n, panel in enumerate(chart.panels):
        left, up = 20 + n % across * wide, top + n // across * tall
        box = (left + 40, up + 22, left + wide - 14, up + tall - 40)
        yield Words(box[0], up + 14, panel.title.strip(" >"), 13)
        if panel.is_empty:
            yield Words(box[0], up + 44, panel.nothing, 12, colour=GREY)
            continue
        page = _Page(frame(panel, view), box, (4, 3))
        yield from page.axes(panel)
        yield Words((box[0] + box[2]) / 2, box[3] + 34, page.x_words(panel), 12, "middle", GREY)
        yield from page.contents(panel)


@dataclass(frozen=True, slots=True)
class _Page:
    frame: Frame
    box: tuple[float, float, float, float]  # left, top, right, bottom of the plot
    most: tuple[int, int] = (9, 7)  # ticks across and up

    def at(self, x: float, y: float) -> Place:
        """Where a point lies; what is outside stays on the edge."""
        across = min(max(self.frame.x.place(x), -0.5), 1.5)
        up = min(max(self.frame.y.place(y), 0.0), 1.0)
        left, top, right, bottom = self.box
        return (left + across * (right - left), bottom - up * (bottom - top))

    def x_words(self, chart: Chart) -> str:
        """The title of the x axis, and how it is scaled."""
        return chart.x.words + ", log scale" * self.frame.x.log

    def y_words(self, chart: Chart) -> str:
        """The same of y."""
        return chart.y.words + ", log scale" * self.frame.y.log

    def axes(self, chart: Chart) -> Iterator[Shape]:
        """Grid and ticks."""
        left, top, right, bottom = self.box
        rows = scales.ticks(self.frame.y, self.most[1])
        for value, word in zip(rows, scales.texts(rows), strict=True):
            y = self.at(self.frame.x.low, value)[1]
            yield Path(((left, y), (right, y)), PALE)
            yield Words(left - 8, y + 4, word, 12, "end", GREY)
        for value, word in _columns(chart, self.frame, self.most[0]):
            x = self.at(value, self.frame.y.low)[0]
            yield Path(((x, bottom), (x, bottom + 5)), INK)
            yield Words(x, bottom + 19, word, 12, "middle", GREY)
        yield Path(((left, top), (left, bottom), (right, bottom)), INK)

    def contents(self, chart: Chart) -> Iterator[Shape]:
        """All series, then the marked values."""
        for number, series in enumerate(self.frame.series):
            yield from self.series(series, number)
        for mark in chart.marks:
            if 0 <= self.frame.x.place(mark.x) <= 1:
                ends = (self.at(mark.x, self.frame.y.low), self.at(mark.x, self.frame.y.high))
                yield Path(ends, INK, 2.0, (6, 3))

    def series(self, series: Series, number: int) -> Iterator[Shape]:
        """Band, line and markers; or bars; or markers alone."""
        colour, points = COLOURS[number], series.points
        if series.kind == "bars":
            yield from self._bars(series, colour)
            return
        line = series.kind == "line"
        few = not line or len(points) <= _FEW
        if series.low and few:
            for (x, _), low, high in zip(points, series.low, series.high, strict=True):
                yield Path((self.at(x, low), self.at(x, high)), colour, 1.2)
        elif series.low:
            upper = [self.at(x, h) for (x, _), h in zip(points, series.high, strict=True)]
            lower = [self.at(x, w) for (x, _), w in zip(points, series.low, strict=True)]
            yield Area((*upper, *reversed(lower)), colour, 0.18)
        for stretch in _stretches(points):
            if line:
                yield Path(tuple(self.at(x, y) for x, y in stretch), colour, 2.0, DASHES[number])
            for x, y in stretch if few else stretch[:: max(len(points) // 8, 1)]:
                if 0 <= self.frame.x.place(x) <= 1:
                    yield from _marker(number, self.at(x, y))

    def _bars(self, series: Series, colour: str) -> Iterator[Shape]:
        ground = max(0.0, self.frame.y.low)
        for n, (x, y) in enumerate(series.points):
            half = half_width(series, n)
            start, end = max(x - half, self.frame.x.low), min(x + half, self.frame.x.high)
            if math.isfinite(y) and y and start < end:
                (x0, y0), (x1, y1) = self.at(start, ground), self.at(end, y)
                yield Area(_box(x0, min(y0, y1), x1 - x0, abs(y1 - y0)), colour, 0.75)


def _legend(chart: Chart, found: Frame) -> Iterator[tuple[int, float, str, int]]:
    """(line, x, name, number of the series or -1 for a mark)."""
    items = [(s.name, n) for n, s in enumerate(found.series)]
    items += [(f"{m.name} {scales.compact(m.x)}", -1) for m in chart.marks]
    if len(items) == 1 and not items[0][0]:
        return
    row, x = 0, float(_LEFT)
    for name, number in items:
        needed = 46 + 7.5 * len(name)
        if x + needed > WIDTH - _RIGHT and x > _LEFT:
            row, x = row + 1, float(_LEFT)
        yield row, x, name, number
        x += needed


def _columns(chart: Chart, found: Frame, most: int) -> list[tuple[float, str]]:
    if chart.x.names:
        return [(v, word) for v, word in chart.x.names if -1e-9 <= found.x.place(v) <= 1 + 1e-9]
    values = scales.ticks(found.x, most)
    return list(zip(values, scales.texts(values), strict=True))


def _stretches(points: Sequence[Place]) -> Iterator[list[Place]]:
    """The points between holes."""
    stretch: list[Place] = []
    for point in points:
        if math.isfinite(point[1]):
            stretch.append(point)
        elif stretch:
            yield stretch
            stretch = []
    if stretch:
        yield stretch


def _marker(number: int, at: Place) -> Iterator[Shape]:
    """A shape of its own for each series: corners, and where the first one points."""
    corners, turn, size = ((16, 0, 3.5), (4, 0.25, 4.5), (3, 0, 4.5), (4, 0, 4.5), (3, 1, 4.5),
                           (5, 0, 4.5))[number % 6]  # fmt: skip
    angles = [math.pi * (2 * k / corners + turn) - math.pi / 2 for k in range(corners)]
    shape = tuple((at[0] + size * math.cos(a), at[1] + size * math.sin(a)) for a in angles)
    yield Area(shape, COLOURS[number % 6])


def _box(x: float, y: float, width: float, height: float) -> tuple[Place, ...]:
    return ((x, y), (x + width, y), (x + width, y + height), (x, y + height))
