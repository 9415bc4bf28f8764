"""Charts in characters, against shapes one can name."""

from __future__ import annotations

import math

import pytest

from augury.engine.charts.canvas import PATTERNS, sample
from augury.engine.charts.chart import Axis, Chart, Mark, Points, Series, View, smoothed
from augury.engine.charts.frame import coarser
from augury.engine.charts.scales import Scale
from augury.engine.charts.text import AXIS, MARK, draw


def _chart(*points: Points, **fields: object) -> Chart:
    series = tuple(Series(chr(97 + n), p) for n, p in enumerate(points))
    return Chart(series=series, **fields)  # type: ignore[arg-type]


def _body(chart: Chart, width: int = 40, height: int = 12, **how: object) -> list[str]:
    """The drawing without its axes."""
    lines = draw(chart, width, height, **how).texts  # type: ignore[arg-type]
    edges = [line for line in lines if "│" in line or "┤" in line or "|" in line[:8]]
    return [line[7:] for line in edges]


def _dots(lines: list[str]) -> int:
    return sum(bin(ord(c) - 0x2800).count("1") for line in lines for c in line
               if 0x2800 <= ord(c) <= 0x28FF)  # fmt: skip


def test_a_rising_line_ends_in_both_corners() -> None:
    body = _body(_chart(((0.0, 0.0), (10.0, 10.0))))
    assert body[-1][0] != " " and body[0][-1] != " "
    assert all(line.strip() for line in body)


@pytest.mark.parametrize("ascii", [False, True])
def test_every_line_has_the_width(ascii: bool) -> None:
    chart = _chart(((0, 1.0), (5, 3.0), (9, 2.0)), x=Axis("step"), y=Axis("τ"), title="模型")
    for width, height in ((16, 4), (21, 5), (40, 12), (111, 30)):
        drawing = draw(chart, width, height, ascii=ascii)
        assert len(drawing.lines) == height
        from augury.engine.text_width import width_of

        assert {width_of(line) for line in drawing.texts} == {width}
        if ascii:
            assert all(c.isascii() or c in "模型τ" for line in drawing.texts for c in line)


def test_an_exponential_is_straight_on_a_logarithmic_axis() -> None:
    points = tuple((float(x), math.exp(-x)) for x in range(20))
    body = _body(_chart(points, y=Axis(log=True)), 48, 23)
    starts = [min(n for n, c in enumerate(line) if c != " ") for line in body]
    assert all(1 <= b - a <= 3 for a, b in zip(starts, starts[1:], strict=False))
    straight = tuple((math.exp(x), float(x)) for x in range(20))
    body = _body(_chart(straight, x=Axis(log=True)), 48, 23)
    starts = [min(n for n, c in enumerate(line) if c != " ") for line in body]
    assert all(-3 <= b - a <= -1 for a, b in zip(starts, starts[1:], strict=False))


@pytest.mark.parametrize("points", [(), ((0, math.nan),), ((0, math.inf), (1, -math.inf))])
def test_nothing_finite_says_so(points: Points) -> None:
    drawing = draw(_chart(points, nothing="no loss curve"), 40, 10)
    assert drawing.texts[0].strip() == "no loss curve"


def test_one_point_and_a_constant_are_drawn() -> None:
    assert _dots(_body(_chart(((3, 2.0),)))) >= 1
    assert _dots(_body(_chart(((0, 2.0), (9, 2.0))))) >= 60


def test_a_hole_stays_a_hole() -> None:
    points = tuple((float(x), math.nan if 40 < x < 60 else 1.0) for x in range(100))
    line = next(line for line in _body(_chart(points), 107, 12) if line.strip())
    assert "          " in line[40:60] and line[:38].strip() and line[62:].strip()


def test_values_not_above_0_fall_back_to_a_linear_axis() -> None:
    texts = draw(_chart(((0, -1.0), (1, 1.0)), y=Axis(log=True)), 40, 10).texts
    assert "linear y" in texts[0] and any("-1┤" in line for line in texts)


def test_series_are_told_apart_without_colour() -> None:
    assert len({sample(n) for n in range(6)}) == 6 == len(set(PATTERNS))
    assert len({sample(n, ascii=True) for n in range(6)}) == 6
    flat = [tuple((float(x), float(n)) for x in range(30)) for n in range(7)]
    drawing = draw(_chart(*flat), 60, 30)
    inks = {ink for line in drawing.lines for _, ink in line if ink >= 0}
    assert inks == set(range(6))
    assert any("1 more not drawn" in line for line in drawing.texts)


def test_error_bars_where_points_are_few_and_a_band_where_they_are_many() -> None:
    few = Series("a", ((0, 1.0), (1, 1.0), (2, 1.0)), (0.0, 0.0, 0.0), (2.0, 2.0, 2.0))
    body = _body(Chart(series=(few,)), 47, 13)
    assert all(line[0] != " " for line in body) and body[0][5:15].strip() == ""
    points = tuple((float(x), 1.0) for x in range(50))
    many = Series("a", points, (0.5,) * 50, (1.5,) * 50)
    body = _body(Chart(series=(many,)), 47, 13)
    assert all(line.strip() for line in body)
    assert any("::::" in line for line in _body(Chart(series=(many,)), 47, 13, ascii=True))


def test_bars_stand_on_0_and_touch() -> None:
    bars = Series("s", tuple((n + 0.5, float(n)) for n in range(8)), kind="bars")
    body = _body(Chart(series=(bars,)), 47, 13)
    heights = [sum(line[at] != " " for line in body) for at in range(2, 40, 5)]
    assert heights == sorted(heights) and heights[-1] == len(body)
    assert " " not in body[-1].strip()


def test_a_marked_value_is_a_vertical_line() -> None:
    chart = _chart(((0, 0.0), (10, 1.0)), marks=(Mark(5.0, "observed"),))
    drawing = draw(chart, 47, 12)
    assert sum(any(ink == MARK and set(t) <= set("⡇⢸") for t, ink in line)
               for line in drawing.lines) >= 8  # fmt: skip
    assert "┃ observed 5" in drawing.texts[0]


def test_zoom_shows_a_part_and_fits_y_to_it() -> None:
    chart = _chart(tuple((float(x), float(x)) for x in range(101)))
    view = View().zoomed(1)
    assert (view.start, view.end) == (0.25, 0.75)
    texts = draw(chart, 60, 14, view).texts
    assert "zoom 2x" in texts[0]
    assert any(line.lstrip().startswith("60┤") for line in texts)
    assert " 100" not in texts[-1]
    assert View().zoomed(-1) == View() and View().panned(1) == View()
    right = view.panned(9)
    assert (right.start, right.end) == (0.5, 1.0)
    deep = View()
    for _ in range(30):
        deep = deep.zoomed(1)
    assert deep.end - deep.start == pytest.approx(1 / 64)
    assert draw(chart, 60, 14, deep).lines


def test_named_places_are_on_the_axis() -> None:
    axis = Axis("kappa", names=((0.0, "1"), (1.0, "10"), (2.0, "iid")))
    texts = draw(_chart(((0, 1.0), (1, 2.0), (2, 3.0)), x=axis), 50, 12).texts
    assert sorted(texts[-1].split()) == ["1", "10", "iid", "kappa"]
    assert texts[-2].count("┬") == 3


def test_smoothing_is_the_mean_so_far() -> None:
    points = ((0.0, 1.0), (1.0, 3.0), (2.0, math.nan), (3.0, 2.0))
    assert smoothed(points, 0.0) == points
    found = smoothed(points, 0.5)
    # Weights 1/2, 1/4, ... of the newest, divided by their sum.
    assert found[0][1] == pytest.approx(1.0)
    assert found[1][1] == pytest.approx((3.0 / 2 + 1.0 / 4) / (3 / 4))
    assert math.isnan(found[2][1])
    assert found[3][1] == pytest.approx((2.0 / 2 + 3.0 / 4 + 1.0 / 8) / (7 / 8))


def test_axes_are_inked_as_axes() -> None:
    drawing = draw(_chart(((0, 1.0), (1, 2.0))), 40, 10)
    assert drawing.lines[-1][0][1] == drawing.lines[1][0][1] == AXIS


def _panels(count: int, bars: int = 30) -> Chart:
    points = tuple((n / bars, float(n % 7)) for n in range(bars))
    series = (Series("s", points, kind="bars"),)
    return Chart("all", note="what it comes to", panels=tuple(
        Chart(f" s{n} pass p 0.5", series, marks=(Mark(0.5, "observed"),)) for n in range(count)
    ))  # fmt: skip


@pytest.mark.parametrize("ascii", [False, True])
@pytest.mark.parametrize(("width", "height"), [(80, 9), (118, 14), (60, 11), (33, 20), (16, 4)])
def test_small_multiples_fill_their_room(width: int, height: int, ascii: bool) -> None:
    texts = draw(_panels(5), width, height, ascii=ascii).texts
    assert [len(line) for line in texts] == [width] * height
    drawn = sum(line.count("pass") for line in texts)
    assert drawn == (5 if width * height > 600 else 1)
    assert all(line.isascii() for line in texts) or not ascii


def test_rows_of_small_multiples_are_even() -> None:
    assert "zoom 2x" in draw(_panels(5), 64, 14, View().zoomed(1)).texts[1]
    lines = draw(_panels(5), 64, 14).texts  # room for four in a row
    assert [line.count("pass") for line in lines if "pass" in line] == [3, 2]
    assert "what it comes to" in lines[1] and "┃ observed" in lines[1]


def test_a_panel_without_values_says_why() -> None:
    chart = Chart(panels=(*_panels(1).panels, Chart(" s2 no check", nothing="no replicates")))
    texts = draw(chart, 40, 8).texts
    assert any("no replicates" in line for line in texts) and not chart.is_empty
    assert Chart(panels=(Chart(),)).is_empty


def test_bars_that_are_narrower_than_a_column_are_added_up() -> None:
    series = Series("s", tuple((n + 0.5, 1.0 + (n < 4)) for n in range(12)), kind="bars")
    assert coarser(series, Scale(0.0, 12.0), 12) is series
    half = coarser(series, Scale(0.0, 12.0), 6)
    assert [x for x, _ in half.points] == [1.0, 3.0, 5.0, 7.0, 9.0, 11.0]
    assert [y for _, y in half.points] == [2.0, 2.0, 1.0, 1.0, 1.0, 1.0]
    third = coarser(series, Scale(0.0, 12.0), 4)
    assert [y for _, y in third.points] == pytest.approx([2.0, 4 / 3, 1.0, 1.0])  # as high as ever
    uneven = coarser(series, Scale(0.0, 12.0), 5)
    assert len(uneven.points) == 4
    assert coarser(series, Scale(0.0, 1e9), 9).points == ((6.0, 2.0),)


def test_a_note_is_above_where_there_is_room() -> None:
    chart = _chart(((0, 1.0), (1, 2.0)), note="it passes")
    assert draw(chart, 40, 8).texts[0].strip() == "it passes"
    assert "it passes" not in "".join(draw(chart, 40, 6).texts)
