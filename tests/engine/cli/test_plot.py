"""Curves as text: where the marks are, what an empty one says, no colours."""

from __future__ import annotations

from augury.engine.cli.plot import chart

PLACES = ["1", "2", "5", "iid"]


def test_marks_lie_where_the_values_are() -> None:
    curves = {"low": dict(zip(PLACES, [0.0, 0.0, 0.0, 0.0], strict=True)),
              "high": dict(zip(PLACES, [1.0, 2.0, 3.0, 4.0], strict=True))}  # fmt: skip
    lines = chart(curves, PLACES, "KL", width=60, height=9).splitlines()
    assert lines[0] == "KL" and lines[-2:] == ["A low", "B high"]
    body, axis = lines[1:10], lines[11]
    assert body[0].startswith("4 |") and body[-1].startswith("0 |")
    for place, row in zip(PLACES, (6, 4, 2, 0), strict=True):  # 4 units on 8 lines
        column = axis.index(place) + len(place) // 2
        assert body[row][column] == "B" and body[-1][column] == "A"
    assert lines[10].lstrip().startswith("+---")
    assert max(map(len, lines)) <= 60
    assert all(ord(char) < 128 for line in lines for char in line)


def test_equal_curves_lie_side_by_side() -> None:
    curves = {name: dict.fromkeys(PLACES, 1.0) for name in ("one", "two", "three")}
    lines = chart(curves, PLACES, "KL", width=60, height=6).splitlines()
    assert lines[1].count("A") == lines[1].count("B") == lines[1].count("C") == 4
    assert "ABC" in lines[1]


def test_missing_values_are_left_out() -> None:
    lines = chart({"a": {"1": 2.0, "2": None, "5": 1.0}}, PLACES, "KL", width=60, height=5)
    body = lines.splitlines()[1:6]
    assert sum(line.count("A") for line in body) == 2 and "." in lines
    assert chart({"a": {"1": None}}, PLACES, "KL") == (
        "KL\nnothing to draw: no value at these points.\n"
    )


def test_negative_values_and_narrow_places() -> None:
    text = chart({"a": {"1": -0.5, "2": 0.25}}, ["1", "2"], "KL", width=10, height=1)
    assert "-0.5 |" in text and "0.25 |" in text
    many = chart({str(i): {"1": 1.0} for i in range(70)}, ["1"], "KL")
    assert many.count("\n") > 70
