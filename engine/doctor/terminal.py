"""The terminal: can it show the application, in which colours, and where does a copy go."""

from __future__ import annotations

import codecs
import locale
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from augury.engine.doctor.finding import Finding

SMALLEST = (60, 16)
_WORDS = {"truecolor": "16 million colours", "24bit": "16 million colours"}


def check(store: Path) -> Iterator[Finding]:
    """TERM, colours, size, encoding, multiplexer, clipboard."""
    yield _kind()
    yield _colours()
    yield _size()
    yield _encoding()
    yield _clipboard()


def _kind() -> Finding:
    term = os.environ.get("TERM", "")
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Finding("terminal", "ok", f"not asked from a terminal (TERM={term or 'not set'})")
    if _is_dumb():
        return Finding(
            "terminal", "warn", f"TERM={term or 'not set'} cannot show the application",
            "use a full terminal, or the commands: `augury leaderboard`, `augury status --watch`",
        )  # fmt: skip
    over = ", over SSH" if os.environ.get("SSH_CONNECTION") else ""
    return Finding("terminal", "ok", f"TERM={term}{over}")


def _is_dumb() -> bool:
    return os.environ.get("TERM", "") in ("", "dumb", "unknown")


def _colours() -> Finding:
    if not sys.stdout.isatty() or _is_dumb():
        return Finding("colours", "ok", "none: not a terminal that has them")
    if "NO_COLOR" in os.environ:
        return Finding("colours", "ok", "none, since NO_COLOR is set; nothing needs them")
    deep = _WORDS.get(os.environ.get("COLORTERM", "").lower())
    if deep:
        return Finding("colours", "ok", deep)
    term = os.environ.get("TERM", "")
    if "256color" in term or "direct" in term:
        return Finding("colours", "ok", "256 (COLORTERM=truecolor would give more)")
    return Finding(
        "colours", "warn", "16",
        "if the terminal has more, set TERM to one ending in -256color, or COLORTERM=truecolor",
    )  # fmt: skip


def _size() -> Finding:
    width, height = shutil.get_terminal_size()
    if not sys.stdout.isatty():
        return Finding("size", "ok", "no terminal, no size")
    if width < SMALLEST[0] or height < SMALLEST[1]:
        return Finding(
            "size", "warn", f"{width} x {height}",
            f"make it at least {SMALLEST[0]} x {SMALLEST[1]}: columns and keys are cut off",
        )  # fmt: skip
    return Finding("size", "ok", f"{width} x {height}")


def _encoding() -> Finding:
    named = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG", "")
    try:
        locale.setlocale(locale.LC_CTYPE, "")
    except locale.Error:
        return Finding(
            "locale", "warn", f"{named} is not installed here",
            "export LC_ALL=C.UTF-8, or generate that locale",
        )  # fmt: skip
    # Python itself writes UTF-8 under the locale C; other programs go by what the locale says.
    for encoding in (sys.stdout.encoding or "", locale.getencoding()):
        if (called := _called(encoding)) != "UTF-8":
            return Finding(
                "locale", "warn", f"{named or 'none'}: text is {called or 'unknown'}, not UTF-8",
                "export LC_ALL=C.UTF-8",
            )  # fmt: skip
    return Finding("locale", "ok", f"{named or 'none set'}, UTF-8")


def _called(encoding: str) -> str:
    """An encoding by its usual name: C says ANSI_X3.4-1968 for ASCII."""
    try:
        return codecs.lookup(encoding).name.upper()
    except LookupError:
        return encoding


def _clipboard() -> Finding:
    if os.environ.get("TMUX"):
        version = _tmux_version()
        if version is None:
            return Finding(
                "clipboard", "warn", "inside tmux, but no `tmux` on the PATH",
                "copies go to a file only; put tmux on the PATH",
            )  # fmt: skip
        return Finding("clipboard", "ok", f"through {version}: tmux load-buffer -w")
    if os.environ.get("STY"):
        return Finding(
            "clipboard", "warn", "inside screen, which swallows copies",
            "copies go to a file only; tmux passes them on",
        )  # fmt: skip
    return Finding("clipboard", "ok", "OSC 52, if the terminal allows it; a file is left as well")


def _tmux_version() -> str | None:
    try:
        told = subprocess.run(
            ["tmux", "-V"], capture_output=True, text=True, timeout=2, check=True
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    return told.strip() or "tmux"
