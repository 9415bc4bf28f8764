"""Four looks: dark, light, safe for colour-blind eyes, and the terminal's own colours."""

from __future__ import annotations

from collections.abc import Mapping

from textual.theme import Theme

from augury.engine.preferences import THEMES as PREFERRED

DARK, LIGHT, SAFE, ANSI = "augury-dark", "augury-light", "augury-safe", "ansi-dark"
ORDER = (DARK, LIGHT, SAFE, ANSI)  # what `t` steps through
NAMES: dict[str, str] = dict(zip(PREFERRED, ORDER, strict=True))  # as a person calls them

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
    ),
)


# What curves are drawn in, each with a pattern of its own besides; all legible on the background.
_SERIES: Mapping[str, tuple[str, ...]] = {
    DARK: ("#7aa2f7", "#e0af68", "#9ece6a", "#ff7a93", "#c8a7ff", "#6fd3d3"),
    LIGHT: ("#1f4fa3", "#8a4b00", "#1d6b2f", "#a8172f", "#6b2fa3", "#0f6b6b"),
    SAFE: ("#56b4e9", "#f0e442", "#00a87a", "#e69f00", "#d98cb5", "#e4e4e4"),
}
_ANSI_SERIES = ("ansi_bright_blue", "ansi_yellow", "ansi_green", "ansi_red", "ansi_magenta",
                "ansi_cyan")  # fmt: skip


def series(theme: str) -> dict[str, str]:
    """Style variables of a theme: the colours of six series."""
    return {f"series-{n}": c for n, c in enumerate(_SERIES.get(theme, _ANSI_SERIES))}


def start_theme(
    last: str, environ: Mapping[str, str], no_color: bool, preferred: str | None = None
) -> str:
    """The theme to begin with: as preferred, else what was chosen last, else the dark one.

    But the terminal's own under NO_COLOR, and also on terminals of 16 colours unless another is
    preferred: there it is rounded beyond recognition.
    """
    if preferred is not None and not no_color:
        return preferred
    if no_color or environ.get("TERM") in ("xterm", "linux", "vt100", "screen"):
        return ANSI
    return last if last in ORDER else DARK


def following(name: str) -> str:
    """The theme after this one."""
    return ORDER[(ORDER.index(name) + 1) % len(ORDER)] if name in ORDER else DARK
