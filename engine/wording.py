"""Durations, counts and sizes in words. Pure."""

from __future__ import annotations


def duration(seconds: float | None) -> str:
    """`7 s`, `3:05`, `2:03:05`; `?` when unknown."""
    if seconds is None or seconds != seconds or seconds < 0:
        return "?"
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def count(number: int, word: str) -> str:
    """`1 cell`, `3,000 cells`, `2 batches`."""
    ending = "" if number == 1 else "es" if word.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{number:,} {word}{ending}"


def size(number: int) -> str:
    """`0 B`, `4.6 kB`, `264 kB`, `11.6 MB`, `2.9 GB`: powers of 1000, as disks and links count."""
    value, units = float(number), ["B", "kB", "MB", "GB"]
    while value >= 999.5 and len(units) > 1:
        value /= 1000
        del units[0]
    whole = units[0] == "B" or value >= 99.95
    return f"{value:.{0 if whole else 1}f} {units[0]}"
