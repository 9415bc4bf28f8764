"""Charts as PNG, painted by Pillow (the extra `png`): twice the size of the page, smooth edges."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from typing import Any

from augury.engine.catalog.entry import Extra
from augury.engine.charts.chart import Chart, View
from augury.engine.charts.scene import HEIGHT, WIDTH, Area, Path, Place, Words, scene
from augury.engine.errors import UsageError

PILLOW = Extra("PIL", "pillow")
SIZE = 2  # pixels for each unit of the page
_FINER = 2  # drawn so many times larger, then made smaller
# Pillow's own font has Latin letters only.
_SPELLED = {"τ": "tau", "κ": "kappa", "λ": "lambda", "→": "->", "–": "-", "—": "-", "×": "x",
            "±": "+-", "²": "^2", "·": "."}  # fmt: skip


def png(chart: Chart, view: View | None = None) -> bytes:
    """The picture. Raises `UsageError` where Pillow is not installed."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError:
        raise UsageError(f"{PILLOW.refusal('PNG').message}. SVG needs nothing.") from None
    factor = SIZE * _FINER
    picture = Image.new("RGB", (WIDTH * factor, HEIGHT * factor), "white")
    for shape in scene(chart, view):
        draw = ImageDraw.Draw(picture, "RGBA")
        if isinstance(shape, Area):
            colour = (*_rgb(shape.colour), round(255 * shape.opacity))
            draw.polygon([_scaled(p, factor) for p in shape.points], fill=colour)
        elif isinstance(shape, Path):
            width = max(round(shape.width * factor), 1)
            for piece in _pieces(shape.points, shape.dash):
                line = [_scaled(p, factor) for p in piece]
                draw.line(line, fill=_rgb(shape.colour), width=width, joint="curve")
        else:
            font = ImageFont.load_default(shape.size * factor)
            _write(picture, shape, font, factor, Image, ImageDraw)
    small = picture.resize((WIDTH * SIZE, HEIGHT * SIZE), Image.Resampling.LANCZOS)
    file = io.BytesIO()
    small.save(file, "PNG", optimize=True)
    return file.getvalue()


def _write(picture: Any, words: Words, font: Any, factor: int, image: Any, draw: Any) -> None:
    text = "".join(_SPELLED.get(letter, letter) for letter in words.text)
    length = math.ceil(font.getlength(text))
    shift = {"start": 0.0, "middle": length / 2, "end": float(length)}[words.anchor]
    x, y = _scaled((words.x, words.y), factor)
    if not words.turned:
        draw.Draw(picture).text((x - shift, y), text, _rgb(words.colour), font, anchor="ls")
        return
    above = math.ceil(words.size * factor)
    strip = image.new("L", (length + 2, 2 * above))
    draw.Draw(strip).text((0, above), text, 255, font, anchor="ls")
    turned = strip.rotate(90, expand=True)
    picture.paste(_rgb(words.colour), (round(x - above), round(y - length + shift)), turned)


def _pieces(points: Sequence[Place], dash: Sequence[float]) -> Iterator[list[Place]]:
    """The parts of a dashed line that are drawn."""
    if not dash:
        yield list(points)
        return
    place, left, piece = 0, dash[0], [points[0]]
    for start, end in zip(points, points[1:], strict=False):
        length, done = math.dist(start, end), 0.0
        while length - done > left:
            done += left
            share = done / length
            here = (start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share)
            if place % 2 == 0:
                yield [*piece, here]
            place, piece = place + 1, [here]
            left = dash[place % len(dash)]
        left -= length - done
        piece.append(end)
    if place % 2 == 0:
        yield piece


def _scaled(point: Place, factor: int) -> Place:
    return (point[0] * factor, point[1] * factor)


def _rgb(colour: str) -> tuple[int, int, int]:
    return (int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16))
