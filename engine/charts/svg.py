"""Charts as SVG 1.1: no style sheet, no script, no font of its own."""

from __future__ import annotations

from html import escape

from augury.engine.charts.chart import Chart, View
from augury.engine.charts.scene import HEIGHT, WIDTH, Area, Path, Place, Shape, scene

_FONT = "Helvetica, Arial, sans-serif"


def svg(chart: Chart, view: View | None = None) -> str:
    """The picture, ending in a newline."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="{_FONT}">',
        f"<title>{escape(chart.title)}</title>",
        *(_shape(shape) for shape in scene(chart, view)),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _shape(shape: Shape) -> str:
    if isinstance(shape, Path):
        dash = f' stroke-dasharray="{" ".join(map(_number, shape.dash))}"' if shape.dash else ""
        return (
            f'<polyline points="{_points(shape.points)}" fill="none" stroke="{shape.colour}" '
            f'stroke-width="{_number(shape.width)}" stroke-linejoin="round"{dash}/>'
        )
    if isinstance(shape, Area):
        veil = f' fill-opacity="{_number(shape.opacity)}"' if shape.opacity < 1 else ""
        return f'<polygon points="{_points(shape.points)}" fill="{shape.colour}"{veil}/>'
    place = f'x="{_number(shape.x)}" y="{_number(shape.y)}"'
    turn = f' transform="rotate(-90 {_number(shape.x)} {_number(shape.y)})"' if shape.turned else ""
    return (
        f'<text {place} font-size="{_number(shape.size)}" text-anchor="{shape.anchor}" '
        f'fill="{shape.colour}"{turn}>{escape(shape.text)}</text>'
    )


def _points(points: tuple[Place, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
