"""A chart in every format there is, as bytes: the same from the application and the command."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping

from augury.engine.charts.chart import Chart, View
from augury.engine.errors import unknown

TEXT_WIDTH, TEXT_HEIGHT = 80, 22


def written(chart: Chart, fmt: str, view: View | None = None) -> bytes:
    """The chart as svg, png, csv or text. Raises `UsageError` for another format."""
    if fmt not in FORMATS:
        raise unknown("format of a chart", fmt, FORMATS)
    return FORMATS[fmt](chart, view or View())


def points_csv(chart: Chart) -> str:
    """Every point in full precision, one a line; a marked value has no y.

    Of small multiples the first column is the panel's title.
    """
    file = io.StringIO()
    out = csv.writer(file, lineterminator="\n")
    header = ("series", "x", "y", "low", "high")
    out.writerow(("panel", *header) if chart.panels else header)
    for panel in chart.panels:
        out.writerows((panel.title.strip(" >"), *row) for row in _points(panel))
    out.writerows(_points(chart))
    return file.getvalue()


def _points(chart: Chart) -> Iterator[tuple[object, ...]]:
    names = dict(chart.x.names)
    for series in chart.series:
        for n, (x, y) in enumerate(series.points):
            ends = (series.low[n], series.high[n]) if series.low else ("", "")
            yield (series.name, names.get(x, x), y, *ends)
    for mark in chart.marks:
        yield (mark.name, mark.x, "", "", "")


def _svg(chart: Chart, view: View) -> bytes:
    from augury.engine.charts.svg import svg

    return svg(chart, view).encode()


def _png(chart: Chart, view: View) -> bytes:
    from augury.engine.charts.png import png

    return png(chart, view)


def _text(chart: Chart, view: View) -> bytes:
    from augury.engine.charts.text import draw

    lines = draw(chart, TEXT_WIDTH, TEXT_HEIGHT, view).texts
    return ("\n".join(line.rstrip() for line in lines) + "\n").encode()


FORMATS: Mapping[str, Callable[[Chart, View], bytes]] = {
    "svg": _svg,
    "png": _png,
    "csv": lambda chart, _: points_csv(chart).encode(),
    "text": _text,
}
