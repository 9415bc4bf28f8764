"""Contrast of every text on the ground it is really painted on, as WCAG counts it.

Text has 4.5:1, what is drawn (bars, blocks, curves, frames) 3:1. The terminal's own colours are
counted as xterm has them by default, on black or on white: a palette of one's own is one's own.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rich.color import Color, ColorType
from rich.style import Style
from textual.geometry import Region
from textual.screen import ModalScreen

TEXT, DRAWN = 4.5, 3.0
XTERM = (
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205),
    (229, 229, 229), (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255),
    (255, 0, 255), (0, 255, 255), (255, 255, 255),
)  # fmt: skip
Triplet = tuple[int, int, int]


def ratio(one: Triplet, other: Triplet) -> float:
    """WCAG 2.2, contrast ratio: (lighter + .05) / (darker + .05) of relative luminances."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: Triplet) -> float:
    parts = [c / 255 for c in colour]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def triplet(colour: Color | None, default: Triplet) -> Triplet:
    """Red, green and blue, as xterm has them."""
    if colour is None or colour.type == ColorType.DEFAULT:
        return default
    if colour.triplet is not None:
        return tuple(colour.triplet)  # type: ignore[return-value]
    assert colour.number is not None
    return XTERM[colour.number] if colour.number < 16 else tuple(colour.get_truecolor())  # type: ignore[return-value]


def _seen(style: Style, dark: bool) -> tuple[Triplet, Triplet]:
    ink, ground = ((229, 229, 229), (0, 0, 0)) if dark else ((0, 0, 0), (255, 255, 255))
    pair = triplet(style.color, ink), triplet(style.bgcolor, ground)
    return (pair[1], pair[0]) if style.reverse else pair


def _painted(app: Any) -> Iterator[tuple[str, Style]]:
    """What is painted; of a dialog only itself, for what it covers is faded on purpose."""
    screen = app.screen
    region = Region(0, 0, *app.size)
    if isinstance(screen, ModalScreen):
        parts = screen.query("Dialog > Vertical, #--input, #--results")
        region = Region.from_union([part.region for part in parts if part.region])
    for strip in screen._compositor.render_strips()[region.y : region.bottom]:
        for text, style, _ in strip.crop(region.x, min(region.right, app.size.width)):
            if text.strip() and style is not None:
                yield text, style


def _is_drawn(text: str) -> bool:
    return not any(c.isascii() and not c.isspace() or c.isalpha() for c in text)


def faults(app: Any, *, white: bool = False) -> dict[str, str]:
    """Style -> what is painted in it with too little contrast."""
    found: dict[str, str] = {}
    for text, style in _painted(app):
        # A terminal may make dim text of any contrast.
        value = 0.0 if style.dim else ratio(*_seen(style, not white))
        if value < (DRAWN if _is_drawn(text) else TEXT):
            found.setdefault(str(style), f"{value:.2f} {text.strip()!r}")
    return found
