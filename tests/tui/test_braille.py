"""Curves as dots, against shapes one can name."""

from __future__ import annotations

import math

import pytest

from augury.tui.widgets.braille import Series, compact, draw


def _dots(line: str) -> int:
    return sum(bin(ord(c) - 0x2800).count("1") for c in line if 0x2800 <= ord(c) <= 0x28FF)


def test_a_rising_line_ends_in_both_corners() -> None:
    plot = draw([Series("y", ((0, 0.0), (10, 10.0)))], 40, 12)
    canvas = [line[plot.axis_width :] for line in plot.lines[:10]]
    assert canvas[-1][0] != " " and canvas[0][-1] != " "
    assert all(sum(c != " " for c in line) >= 1 for line in canvas)
    assert plot.lines[0].lstrip().startswith("10┤") and plot.lines[9].lstrip().startswith("0┤")


def test_every_line_has_the_width() -> None:
    for width, height in ((12, 3), (40, 12), (111, 30)):
        plot = draw([Series("y", ((0, 1.0), (5, 3.0), (9, 2.0)))], width, height)
        assert len(plot.lines) == height
        assert {len(line) for line in plot.lines} == {width}


def test_an_exponential_is_straight_on_a_logarithmic_axis() -> None:
    points = tuple((x, math.exp(-x)) for x in range(20))
    plot = draw([Series("y", points)], 48, 22, log=True)
    canvas = [line[plot.axis_width :] for line in plot.lines[:20]]
    starts = [min(n for n, c in enumerate(line) if c != " ") for line in canvas]
    steps = [b - a for a, b in zip(starts, starts[1:], strict=False)]
    assert all(1 <= step <= 3 for step in steps)


@pytest.mark.parametrize("points", [(), ((0, math.nan),), ((0, math.inf), (1, -math.inf))])
def test_nothing_finite_draws_nothing(points: tuple[tuple[float, float], ...]) -> None:
    plot = draw([Series("y", points)], 40, 10)
    assert plot.owners == () and all(not line.strip() for line in plot.lines)


def test_one_point_and_a_constant_are_drawn() -> None:
    assert _dots("".join(draw([Series("y", ((3, 2.0),))], 40, 10).lines)) >= 1
    assert _dots("".join(draw([Series("y", ((0, 2.0), (9, 2.0)))], 40, 10).lines)) >= 60


def test_negative_values_fall_back_to_a_linear_axis() -> None:
    plot = draw([Series("y", ((0, -1.0), (1, 1.0)))], 40, 10, log=True)
    assert any("-1┤" in line for line in plot.lines)


def test_series_own_their_cells() -> None:
    low, high = Series("a", ((0, 0.0), (9, 0.0))), Series("b", ((0, 1.0), (9, 1.0)))
    plot = draw([low, high], 40, 10)
    assert set(plot.owners[0]) == {1} and set(plot.owners[-1]) == {0}


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.05, "0.05"), (1234, "1.23k"), (2e6, "2M"), (-0.5, "-0.5"), (3e-5, "3e-05")],
)
def test_compact_numbers(value: float, text: str) -> None:
    assert compact(value) == text
