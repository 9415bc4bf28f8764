"""Scales and ticks, against values one can count."""

from __future__ import annotations

import math

import pytest

from augury.engine.charts.scales import Scale, compact, scale, texts, ticks


def test_a_scale_and_its_inverse() -> None:
    for found in (Scale(-3.0, 5.0), Scale(0.01, 100.0, True)):
        for place in (0.0, 0.25, 1.0):
            assert found.place(found.value(place)) == pytest.approx(place)
    assert Scale(1.0, 100.0, True).place(10.0) == pytest.approx(0.5)
    assert Scale(0.0, 10.0).part(0.5, 1.0) == Scale(5.0, 10.0)
    assert Scale(1.0, 100.0, True).place(-1.0) < -100


def test_a_logarithmic_scale_needs_values_above_0() -> None:
    assert scale([1.0, 10.0], log=True).log
    assert not scale([0.0, 10.0], log=True).log
    assert scale([math.nan, math.inf]) == Scale(0.0, 1.0)
    assert scale([2.0, 2.0]).low < 2.0 < scale([2.0, 2.0]).high
    assert scale([0.0]) == Scale(-1.0, 1.0)
    assert scale([3.0], log=True).low == pytest.approx(3 / 1.1)


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (0, 10, 6, [0, 2, 4, 6, 8, 10]),
        (0.13, 0.71, 4, [0.2, 0.4, 0.6]),
        (-1, 1, 5, [-1, -0.5, 0, 0.5, 1]),
        (980, 1020, 3, [980, 1000, 1020]),
        (1.2340, 1.2351, 6, [1.234, 1.2342, 1.2344, 1.2346, 1.2348, 1.235]),
    ],
)
def test_round_steps(low: float, high: float, most: int, expected: list[float]) -> None:
    assert ticks(Scale(low, high), most) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("low", "high", "most", "expected"),
    [
        (1, 1000, 8, [1, 3, 10, 30, 100, 300, 1000]),
        (0.03, 2, 6, [0.05, 0.1, 0.2, 0.5, 1, 2]),
        (1e-8, 1e8, 5, [1e-6, 1e-3, 1, 1e3, 1e6]),
        (10, 20, 5, [10, 15, 20]),  # less than a decade: as on a linear scale
    ],
)
def test_logarithmic_ticks(low: float, high: float, most: int, expected: list[float]) -> None:
    found = ticks(Scale(low, high, True), most)
    assert len(found) <= max(most, 6) and found == pytest.approx(expected)


def test_never_fewer_than_two_ticks_nor_more_than_asked() -> None:
    for exponent in range(-12, 13, 3):
        for span in (1.0, 1.7, 2.3, 4.9, 9.99):
            for most in (2, 3, 6):
                shown = Scale(0.37 * 10.0**exponent, (0.37 + span) * 10.0**exponent)
                found = ticks(shown, most)
                assert 2 <= len(found) <= most
                assert all(shown.low <= v * (1 + 1e-9) and v <= shown.high * (1 + 1e-9)
                           for v in found)  # fmt: skip


def test_texts_tell_neighbours_apart() -> None:
    assert texts([0.0, 500.0, 1000.0, 1500.0]) == ["0", "500", "1k", "1.5k"]
    assert texts([0.05, 0.1, 0.2]) == ["0.05", "0.1", "0.2"]
    assert texts([1.234, 1.2342, 1.2344]) == ["1.234", "1.2342", "1.2344"]
    assert texts([-1.0, -0.5, 0.0]) == ["-1", "-0.5", "0"]
    assert texts([2e6, 4e6]) == ["2M", "4M"]


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.05, "0.05"), (1234, "1.23k"), (2e6, "2M"), (-0.5, "-0.5"), (3e-5, "3e-05")],
)
def test_compact_numbers(value: float, text: str) -> None:
    assert compact(value) == text
