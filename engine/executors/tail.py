"""The end of a log: why a process that does not answer has ended."""

from __future__ import annotations

from pathlib import Path


def last_line(path: Path) -> str:
    """The last line that says something, without its time; "" when there is none."""
    try:
        with path.open("rb") as file:
            file.seek(max(path.stat().st_size - 8192, 0))
            lines = file.read().decode(errors="replace").splitlines()
    except OSError:
        return ""
    text = next((line.strip() for line in reversed(lines) if line.strip()), "")
    for level in (" ERROR ", " CRITICAL ", " WARNING ", " INFO "):
        text = text.partition(level)[2] or text
    return text
