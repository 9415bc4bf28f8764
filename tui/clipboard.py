"""Copying that works over SSH and inside tmux, without outside programs that may hang."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable

from augury.engine.paths import state_directory


def copy(text: str, through_terminal: Callable[[str], None]) -> str:
    """Copy `text`; returns where it went, for the note on screen.

    tmux swallows the terminal's copy sequence under its default settings, so there its own
    buffer is filled, which passes the text on. A file is always left as well.
    """
    where = "the clipboard, if the terminal allows it"
    if os.environ.get("TMUX") and _through_tmux(text):
        where = "the clipboard and tmux's buffer"
    else:
        through_terminal(text)
    path = state_directory() / "last-copy.txt"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    except OSError:
        return where
    return f"{where}, and {path}"


def _through_tmux(text: str) -> bool:
    command = ["tmux", "load-buffer", "-w", "-"]
    try:
        return (
            subprocess.run(
                command,
                input=text.encode(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=1,
                check=False,
            ).returncode
            == 0
        )
    except (OSError, subprocess.SubprocessError):
        return False
