"""Charts as lines of text: title and legend, axes with ticks, curves in braille or ASCII."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from augury.engine.charts import scales
from augury.engine.charts.canvas import GLYPHS, Canvas, sample
from augury.engine.charts.chart import Chart, Series, View
from augury.engine.charts.frame import Frame, coarser, frame, half_width
from augury.engine.text_width import cut, first, left, width_of

PLAIN, AXIS, MARK = -1, -2, -3  # inks beside those of series, which are their numbers from 0 on
Line: TypeAlias = tuple[tuple[str, int], ...]  # stretches of text, each with its ink
_LEAST_MARGIN = 7
_FEW = 4  # points are marked, and errors drawn as bars, where each has so many columns
_NOTED = 7  # lines that a chart with a note above it takes
_PANEL = (15, 25, 3)  # columns of a small multiple, the least and what words may ask for; lines


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines that all have the width asked for."""

    lines: tuple[Line, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """The lines without inks."""
        return tuple("".join(text for text, _ in line) for line in self.lines)


def draw(
    chart: Chart, width: int, height: int, view: View | None = None, ascii: bool = False
) -> Drawing:
    """Draw into `width` x `height` characters; as much as there is room for."""
    view = view or View()
    if chart.is_empty or width < 16 or height < 4:
        return _say(chart.nothing or "nothing to draw: no value yet", width, height)
    if chart.panels:
        return _grid(chart, width, height, view, ascii)
    found = frame(chart, view)
    head = _head(chart, found, view, width, 1 if height < 9 else 3, ascii)
    if chart.note and height >= _NOTED:
        head.insert(0, ((_one(chart.note, width, ascii), PLAIN),))
    rows = height - len(head) - 2
    if rows < 1:
        head, rows = head[: max(height - 3, 0)], max(height - 3 - len(head[: height - 3]), 1)
    wanted = scales.ticks(found.y, max(min(rows // 3 + 1, 6), 2))
    values, words = wanted, scales.texts(wanted)
    margin = max(*map(len, words), _LEAST_MARGIN - 1) + 1
    columns = width - margin
    labels = {round((1 - found.y.place(v)) * (rows - 1)): word
              for v, word in zip(values, words, strict=True)}  # fmt: skip
    canvas = Canvas(columns, rows, ascii)
    _plot(canvas, chart, found)
    bar, tick, corner, flat = ("|", "+", "+", "-") if ascii else ("│", "┤", "└", "─")
    lines = list(head)
    for row, stretches in enumerate(canvas.lines()):
        edge = labels[row].rjust(margin - 1) + tick if row in labels else " " * (margin - 1) + bar
        body = tuple((text, PLAIN if owner is None else owner) for text, owner in stretches)
        lines.append(((edge, AXIS), *body))
    below = _below(chart, found, columns)
    notches = [tick_mark(at, below, ascii) or flat for at in range(columns)]
    lines.append(((" " * (margin - 1) + corner + "".join(notches), AXIS),))
    lines.append(((_axis_words(chart, below, margin, width), AXIS),))
    return Drawing(tuple(lines[:height]))


def _grid(chart: Chart, width: int, height: int, view: View, ascii: bool) -> Drawing:
    """Small multiples in as many rows as hold them, below what they are of."""
    mark, bar = ("~", "|") if ascii else ("…", "┃")
    names = dict.fromkeys(mark.name for panel in chart.panels for mark in panel.marks)
    words = [(f" {bar} {name} ", MARK) for name in names]
    words += [(f" {zoom} ", AXIS) for zoom in _zoom(view)]
    words += [(f" {chart.note} ", PLAIN)] if chart.note else []
    lines = [_cut(words, width, mark)] if words else []
    least = min(max(_PANEL[0], *(width_of(panel.title) for panel in chart.panels)), _PANEL[1])
    if chart.title and height - len(lines) > _PANEL[2]:
        lines.insert(0, ((_one(chart.title, width, ascii), PLAIN),))
    across = max(min(len(chart.panels), (width + 1) // (least + 1)), 1)
    across = -(-len(chart.panels) // -(-len(chart.panels) // across))  # rows of even length
    deep = min(-(-len(chart.panels) // across), max((height - len(lines)) // _PANEL[2], 1))
    wide, tall = (width + 1) // across - 1, max((height - len(lines)) // deep, 1)
    for row in range(deep):
        panels = chart.panels[row * across : (row + 1) * across]
        drawn = [_panel(panel, wide, tall, view, ascii) for panel in panels]
        for parts in zip(*drawn, strict=True):
            line = [stretch for part in parts for stretch in (*part, (" ", PLAIN))]
            lines.append(_cut(line, width, ""))
    blank: Line = ((" " * width, PLAIN),)
    return Drawing((*lines, *[blank] * (height - len(lines)))[:height])


def _panel(chart: Chart, width: int, height: int, view: View, ascii: bool) -> list[Line]:
    """A title, the plot, and both ends of its x axis."""
    lines: list[Line] = [((left(cut(chart.title, width, "~" if ascii else "…"), width), PLAIN),)]
    if chart.is_empty:
        lines += [((_fit(chart.nothing, width), PLAIN),)]
        return [*lines, *[((" " * width, PLAIN),)] * height][:height]
    found = frame(chart, view)
    canvas = Canvas(width, max(height - 2, 1), ascii)
    _plot(canvas, chart, replace(found, series=tuple(coarser(s, found.x, width)
                                                     for s in found.series)))  # fmt: skip
    for stretches in canvas.lines():
        lines.append(tuple((t, PLAIN if owner is None else owner) for t, owner in stretches))
    low, high = scales.texts([found.x.low, found.x.high])
    lines.append(((_fit(low + high.rjust(width - len(low)), width), AXIS),))
    return lines[:height]


def _one(text: str, width: int, ascii: bool) -> str:
    """A line of text, cut where it does not fit."""
    return left(cut(f" {text}".rstrip(), width, "~" if ascii else "…"), width)


def tick_mark(column: int, below: Sequence[tuple[int, str]], ascii: bool) -> str:
    """The notch of the axis at a tick; "" between two."""
    return ("+" if ascii else "┬") if any(at == column for at, _ in below) else ""


def _say(words: str, width: int, height: int) -> Drawing:
    from textwrap import wrap

    lines = wrap(words, max(width - 2, 10))[: max(height, 0)]
    return Drawing(tuple(((_fit(f" {line}", width), PLAIN),) for line in lines))


def _head(chart: Chart, found: Frame, view: View, width: int, most: int, ascii: bool) -> list[Line]:
    """Title, what y is, the legend and how one looks at it, on as few lines as hold them."""
    parts: list[tuple[str, int]] = [(chart.y.words, PLAIN)] if chart.y.words else []
    if len(found.series) > 1 or (found.series and found.series[0].name):
        parts += [(f"{sample(n, ascii, s.kind == 'bars')} {s.name}", n)
                  for n, s in enumerate(found.series)]  # fmt: skip
    parts += [(f"{'|' if ascii else '┃'} {m.name} {scales.compact(m.x)}", MARK)
              for m in chart.marks]  # fmt: skip
    bars = any(s.kind == "bars" for s in found.series)
    looks = [] if bars else ["log y" if found.y.log else "linear y"]
    looks += ["log x"] if found.x.log else []
    if view.smooth:
        looks.append(f"smooth {view.smooth:g}")
    looks += _zoom(view)
    if found.left_out:
        looks.append(f"{found.left_out} more not drawn")
    parts += [(", ".join(looks), AXIS)] if looks else []
    # A long title comes last, for it may be cut.
    early = width_of(chart.title) + width_of(chart.y.words) + 4 <= width
    if chart.title:
        parts.insert(0 if early else len(parts), (chart.title, PLAIN))
    lines: list[list[tuple[str, int]]] = [[]]
    room = width
    for text, ink in parts:
        needed = width_of(text) + 2
        if needed > room and lines[-1] and len(lines) < most:
            lines.append([])
            room = width
        lines[-1].append((f" {text} ", ink))
        room -= needed
    return [_cut(line, width, "~" if ascii else "…") for line in lines]


def _zoom(view: View) -> list[str]:
    whole = (view.start, view.end) == (0.0, 1.0)
    return [] if whole else [f"zoom {1 / (view.end - view.start):.2g}x"]


def _cut(line: Sequence[tuple[str, int]], width: int, mark: str) -> Line:
    found: list[tuple[str, int]] = []
    room = width
    for text, ink in line:
        if room <= 0:
            break
        kept = left(cut(text.rstrip(), room, mark), room) if width_of(text) > room else text
        found.append((kept, ink))
        room -= width_of(kept)
    if room > 0:
        found.append((" " * room, PLAIN))
    return tuple(found)


def _fit(text: str, width: int) -> str:
    return left(first(text, width), width)


def _plot(canvas: Canvas, chart: Chart, found: Frame) -> None:
    for number, series in enumerate(found.series):
        if series.kind == "bars":
            _bars(canvas, series, number, found)
        elif series.low and not _few(series, canvas):
            _band(canvas, series, number, found)
    for mark in chart.marks:
        column = _across(canvas, found, mark.x)
        for y in range(canvas.tall):
            canvas.dot(column, y, MARK, "|")
    for number, series in enumerate(found.series):
        if series.kind != "bars":
            _curve(canvas, series, number, found)


def _across(canvas: Canvas, found: Frame, x: float) -> int:
    # A trifle more: two ends that are the same place must round alike.
    return round(found.x.place(x) * (canvas.wide - 1) + 1e-6)


def _down(canvas: Canvas, found: Frame, y: float) -> int:
    return round(min(max(1 - found.y.place(y), -9.0), 9.0) * (canvas.tall - 1))


def _curve(canvas: Canvas, series: Series, number: int, found: Frame) -> None:
    glyph = GLYPHS[number % len(GLYPHS)]
    few = _few(series, canvas)
    before: tuple[int, int] | None = None
    begin = 0
    for n, (x, y) in enumerate(series.points):
        if not math.isfinite(y):
            before = None
            continue
        here = (_across(canvas, found, x), _down(canvas, found, y))
        if before is not None:
            begin = canvas.line(before, here, number, begin)
        canvas.dot(*here, number, glyph)
        if few and not canvas.ascii:
            for dx, dy in ((0, 1), (1, 0), (1, 1)):  # a block of four dots
                canvas.dot(here[0] + dx, here[1] + dy, number, glyph)
        if few and series.low:
            ends = sorted(_down(canvas, found, v) for v in (series.low[n], series.high[n]))
            for height in range(max(ends[0], 0), min(ends[1], canvas.tall - 1) + 1):
                canvas.dot(here[0], height, number, ":", weak=True)
        before = here if series.kind == "line" else None


def _few(series: Series, canvas: Canvas) -> bool:
    """Whether points are told apart, and marked one by one."""
    return series.kind == "points" or len(series.points) * _FEW <= canvas.columns


def _band(canvas: Canvas, series: Series, number: int, found: Frame) -> None:
    """A thin lattice between the ends of the band."""
    pairs = list(zip(series.points, series.low, series.high, strict=True))
    for (one, low, high), (two, low2, high2) in zip(pairs, pairs[1:], strict=False):
        start, end = _across(canvas, found, one[0]), _across(canvas, found, two[0])
        for column in range(max(start, 0), min(end, canvas.wide - 1) + 1):
            share = (column - start) / max(end - start, 1)
            top = _down(canvas, found, high + (high2 - high) * share)
            bottom = _down(canvas, found, low + (low2 - low) * share)
            for y in range(max(top, 0), min(bottom, canvas.tall - 1) + 1):
                if canvas.ascii or (column % 2 == 0 and (y + column) % 4 == 0):
                    canvas.dot(column, y, number, ":", weak=True)


def _bars(canvas: Canvas, series: Series, number: int, found: Frame) -> None:
    ground = _down(canvas, found, max(0.0, found.y.low))
    for n, (x, y) in enumerate(series.points):
        if not math.isfinite(y) or not y:
            continue
        half = half_width(series, n)
        start, end = _across(canvas, found, x - half), _across(canvas, found, x + half)
        top, bottom = sorted((_down(canvas, found, y), ground))
        for column in range(start, max(end - 1, start) + 1):
            for height in range(top, bottom + 1):
                canvas.dot(column, height, number, "#")


def _below(chart: Chart, found: Frame, columns: int) -> list[tuple[int, str]]:
    """(column, text) of the ticks on the x axis."""
    if chart.x.names:
        pairs = [(v, word) for v, word in chart.x.names if -1e-9 <= found.x.place(v) <= 1 + 1e-9]
    else:
        values = scales.ticks(found.x, max(min(columns // 10, 8), 2))
        pairs = list(zip(values, scales.texts(values), strict=True))
    return [(round(found.x.place(v) * (columns - 1)), word) for v, word in pairs]


def _axis_words(chart: Chart, below: Sequence[tuple[int, str]], margin: int, width: int) -> str:
    line = [" "] * width
    title = chart.x.words
    named = bool(chart.x.names)  # such ticks matter more than the title, which must do with a gap
    if title and not named and width_of(title) == len(title) <= width // 2:
        line[width - len(title) :] = title
    for at, word in below:
        start = min(max(margin + at - len(word) // 2, margin - 1), width - len(word))
        before, after = max(start - 1, 0), start + len(word) + 1
        if all(letter == " " for letter in line[before:after]):
            line[start : start + len(word)] = word
    text = "".join(line)
    place = text.rfind(" " * (len(title) + 4))
    if title and named and place >= 0 and width_of(title) == len(title):
        text = text[: place + 2] + title + text[place + 2 + len(title) :]
    return text
