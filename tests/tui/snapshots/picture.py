"""A screen as text that can be compared and read: its lines, then the styles of each line."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import Any

from rich.style import Style
from textual.strip import Strip

ROOT = Path(__file__).resolve().parents[3]
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def strips(app: Any) -> list[Strip]:
    """The lines that are painted, cut to the screen."""
    width = app.size.width
    return [strip.crop(0, width) for strip in app.screen._compositor.render_strips()]


def picture(app: Any) -> str:
    """Lines of text; then a line of letters for each, one letter for each style; then the styles.

    Blanks at the end of lines, and letters of the style that most of the screen has, are left out.
    """
    lines = strips(app)
    cells = [[named(style) for text, style, _ in line for _ in range(_width(text))]
             for line in lines]  # fmt: skip
    everything = [name for line in cells for name in line]
    usual = max(sorted(set(everything)), key=everything.count)
    names = dict.fromkeys(name for name in everything if name != usual)
    letters = {usual: " ", **dict(zip(names, _LETTERS, strict=False))}
    shown = [line.text.replace(str(ROOT), "ROOT").rstrip() for line in lines]
    inks = ["".join(map(letters.__getitem__, line)).rstrip() for line in cells]
    keys = [f"{letters[name].strip() or '.'} {name}" for name in letters]
    return "\n".join([*shown, "", *inks, "", *keys]) + "\n"


def named(style: Style | None) -> str:
    """Colours and weight of a style, without links."""
    if style is None:
        return "none"
    colour = style.color.name if style.color else "default"
    ground = style.bgcolor.name if style.bgcolor else "default"
    words = [name for name in ("bold", "dim", "italic", "underline", "reverse", "strike")
             if getattr(style, name)]  # fmt: skip
    return " ".join([colour, "on", ground, *words])


def _width(text: str) -> int:
    from augury.engine.text_width import width_of

    return width_of(text)


def runs(line: Strip) -> list[tuple[str, Style | None]]:
    """Stretches of one style."""
    return [("".join(text for text, _ in group), style)
            for style, group in groupby(((t, s) for t, s, _ in line), key=lambda p: p[1])
            for group in [list(group)]]  # fmt: skip
