"""Four looks: dark, light, safe for colour-blind eyes, and the terminal's own colours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from textual.theme import BUILTIN_THEMES, Theme

from augury.engine.preferences import THEMES as PREFERRED

DARK, LIGHT, SAFE, ANSI = "augury-dark", "augury-light", "augury-safe", "ansi-dark"
ANSI_LIGHT = "ansi-light"  # what ANSI is where the terminal says that it is light
ORDER = (DARK, LIGHT, SAFE, ANSI)  # what `t` steps through
NAMES: dict[str, str] = dict(zip(PREFERRED, ORDER, strict=True))  # as a person calls them


def _bars(bar: str, ground: str) -> dict[str, str]:
    """Scroll bars that stand out from their ground."""
    states = ("", "-hover", "-active")
    return {f"scrollbar{s}": bar for s in states} | {f"scrollbar-background{s}": ground
                                                     for s in states}  # fmt: skip


THEMES = (
    Theme(
        name=DARK,
        primary="#7aa2f7",
        secondary="#9aa5ce",
        accent="#e0af68",
        success="#9ece6a",
        warning="#e0af68",
        error="#ff7a93",
        foreground="#c8d0e8",
        background="#15171f",
        surface="#15171f",
        panel="#222637",
        dark=True,
        variables=_bars("#9aa5ce", "#222637"),
    ),
    Theme(
        name=LIGHT,
        primary="#1f4fa3",
        secondary="#4a5568",
        accent="#8a4b00",
        success="#1d6b2f",
        warning="#8a4b00",
        error="#a8172f",
        foreground="#1c2230",
        background="#fbfbf8",
        surface="#fbfbf8",
        panel="#e7e9ee",
        dark=False,
        variables=_bars("#4a5568", "#e7e9ee"),
    ),
    # The colours of Okabe and Ito: told apart with any kind of colour vision.
    Theme(
        name=SAFE,
        primary="#56b4e9",
        secondary="#a0a8b8",
        accent="#f0e442",
        success="#56b4e9",
        warning="#f0e442",
        error="#e69f00",
        foreground="#e4e4e4",
        background="#101010",
        surface="#101010",
        panel="#262626",
        dark=True,
        variables=_bars("#a0a8b8", "#262626"),
    ),
    # Of the sixteen colours those that can be read on black, or on white, as xterm has them.
    replace(
        BUILTIN_THEMES[ANSI],
        primary="ansi_bright_cyan",
        secondary="ansi_cyan",
        accent="ansi_yellow",
        success="ansi_green",
        warning="ansi_yellow",
        error="ansi_bright_red",
        variables={**BUILTIN_THEMES[ANSI].variables, **_bars("ansi_cyan", "ansi_default")},
    ),
    replace(
        BUILTIN_THEMES[ANSI_LIGHT],
        primary="ansi_blue",
        secondary="ansi_default",
        accent="ansi_magenta",
        success="ansi_blue",
        warning="ansi_magenta",
        error="ansi_red",
        variables={**BUILTIN_THEMES[ANSI_LIGHT].variables, **_bars("ansi_blue", "ansi_default")},
    ),
)


# What curves are drawn in, each with a pattern of its own besides; all legible on the background.
_SERIES: Mapping[str, tuple[str, ...]] = {
    DARK: ("#7aa2f7", "#e0af68", "#9ece6a", "#ff7a93", "#c8a7ff", "#6fd3d3"),
    LIGHT: ("#1f4fa3", "#8a4b00", "#1d6b2f", "#a8172f", "#6b2fa3", "#0f6b6b"),
    SAFE: ("#56b4e9", "#f0e442", "#00a87a", "#e69f00", "#d98cb5", "#e4e4e4"),
    ANSI: ("ansi_bright_cyan", "ansi_yellow", "ansi_green", "ansi_bright_red",
           "ansi_bright_magenta", "ansi_white"),
    ANSI_LIGHT: ("ansi_blue", "ansi_red", "ansi_magenta", "ansi_black", "ansi_bright_blue",
                 "ansi_red"),
}  # fmt: skip


def series(theme: str) -> dict[str, str]:
    """Style variables of a theme: the colours of six series."""
    return {f"series-{n}": c for n, c in enumerate(_SERIES.get(theme, _SERIES[ANSI]))}


def start_theme(
    last: str, environ: Mapping[str, str], no_color: bool, preferred: str | None = None
) -> str:
    """The theme to begin with: as preferred, else what was chosen last, else the dark one.

    But the terminal's own under NO_COLOR, and also on terminals of 16 colours unless another is
    preferred: there it is rounded beyond recognition.
    """
    if no_color or preferred == ANSI:
        return own_colours(environ)
    if preferred is not None:
        return preferred
    if environ.get("TERM") in ("xterm", "linux", "vt100", "screen"):
        return own_colours(environ)
    return own_colours(environ) if last == ANSI_LIGHT else last if last in ORDER else DARK


def own_colours(environ: Mapping[str, str]) -> str:
    """The theme of the terminal's own colours, by what the terminal says of its ground, if it does.

    `COLORFGBG` is two or three numbers of colours, of which the last is the ground's.
    """
    ground = environ.get("COLORFGBG", "").rpartition(";")[2]
    return ANSI_LIGHT if ground in ("7", "15") else ANSI


def following(name: str, environ: Mapping[str, str]) -> str:
    """The theme after this one."""
    name = ANSI if name == ANSI_LIGHT else name
    after = ORDER[(ORDER.index(name) + 1) % len(ORDER)] if name in ORDER else DARK
    return own_colours(environ) if after == ANSI else after
