"""Charts in files: well-formed SVG with every series in it, points in full precision, PNG."""

from __future__ import annotations

import csv
import io
import sys
from xml.etree import ElementTree

import pytest

from augury.engine.charts.chart import Axis, Chart, Mark, Series, View
from augury.engine.charts.formats import written
from augury.engine.charts.scene import HEIGHT, WIDTH, Area, Path, Words, scene
from augury.engine.errors import UsageError

_POINTS = ((0.1, 1 / 3), (1.0, 2 / 3), (2.0, 0.5))
_CHART = Chart(
    "KL <of> a & b",
    (Series("mlp", _POINTS, (0.1, 0.2, 0.3), (0.9, 0.8, 0.7)), Series("ensemble+", _POINTS[:2])),
    Axis("step"), Axis("KL τ=1", "nats"), (Mark(1.5, "observed"),), "augury plot x",
)  # fmt: skip
_BARS = Chart("bars", (Series("s", ((0.5, 1.0), (1.5, 3.0)), kind="bars"),), note="a note")
_PANELS = Chart("all", note="2 of 3", panels=(
    Chart(">s1 pass", _BARS.series, Axis("ece"), marks=(Mark(1.0, "observed"),)),
    Chart(" s2 FAIL", _BARS.series, Axis("ece")), Chart(" s3", nothing="no replicates"),
    Chart(" s4", _BARS.series),
))  # fmt: skip


def test_svg_is_well_formed_and_says_everything() -> None:
    root = ElementTree.fromstring(written(_CHART, "svg"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    words = {node.text for node in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"KL <of> a & b", "mlp", "ensemble+", "observed 1.5", "step", "KL τ=1, nats"} <= words
    assert not list(root.iter("{http://www.w3.org/2000/svg}script"))
    assert b"http" not in written(_CHART, "svg").replace(b"http://www.w3.org/2000/svg", b"")


@pytest.mark.parametrize("chart", [_CHART, _BARS, _PANELS, Chart(nothing="no curve")])
@pytest.mark.parametrize("view", [View(), View(start=0.4, end=0.6), View(log_x=True, log_y=True)])
def test_nothing_is_drawn_off_the_page(chart: Chart, view: View) -> None:
    for shape in scene(chart, view):
        if isinstance(shape, Words):
            assert 0 <= shape.x <= WIDTH and 0 <= shape.y <= HEIGHT
            continue
        assert isinstance(shape, (Path, Area))
        assert all(-9 <= x <= WIDTH + 9 and -9 <= y <= HEIGHT + 9 for x, y in shape.points)


def test_points_keep_full_precision() -> None:
    rows = list(csv.DictReader(io.StringIO(written(_CHART, "csv").decode())))
    assert [(float(r["x"]), float(r["y"])) for r in rows[:3]] == list(_POINTS)
    assert float(rows[0]["low"]) == 0.1 and rows[3]["low"] == ""
    assert (rows[-1]["series"], rows[-1]["x"], rows[-1]["y"]) == ("observed", "1.5", "")


def test_small_multiples_have_titles_axes_and_a_column_of_their_own() -> None:
    root = ElementTree.fromstring(written(_PANELS, "svg"))
    words = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"all", "2 of 3", "s1 pass", "s2 FAIL", "no replicates"} <= set(words)
    assert words.count("ece") == 2
    rows = list(csv.DictReader(io.StringIO(written(_PANELS, "csv").decode())))
    assert [(r["panel"], r["series"], r["x"], r["y"]) for r in rows] == [
        ("s1 pass", "s", "0.5", "1.0"), ("s1 pass", "s", "1.5", "3.0"),
        ("s1 pass", "observed", "1.0", ""), ("s2 FAIL", "s", "0.5", "1.0"),
        ("s2 FAIL", "s", "1.5", "3.0"), ("s4", "s", "0.5", "1.0"), ("s4", "s", "1.5", "3.0"),
    ]  # fmt: skip


def test_text_is_as_on_a_terminal() -> None:
    assert "mlp" in written(_CHART, "text").decode().splitlines()[0]


def test_png_is_a_picture() -> None:
    image = pytest.importorskip("PIL.Image", reason="needs the extra png: pip install pillow")
    with image.open(io.BytesIO(written(_CHART, "png"))) as picture:
        colours = picture.getcolors(1 << 20)
    assert len(colours) > 10


def test_without_pillow_png_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(UsageError, match="pip install.* pillow. SVG needs nothing"):
        written(_CHART, "png")


def test_a_format_that_is_not() -> None:
    with pytest.raises(UsageError, match="format of a chart"):
        written(_CHART, "gif")
