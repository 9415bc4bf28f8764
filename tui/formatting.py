"""How numbers, times and states read on screen: a glyph and a word, never colour alone."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

MISSING = "-"
_BLOCKS = "▁▂▃▄▅▆▇█"


@dataclass(frozen=True, slots=True)
class State:
    """How one state is written; `tone` names a style of the table that shows it."""

    glyph: str
    word: str
    tone: str

    def __str__(self) -> str:
        """Glyph and word."""
        return f"{self.glyph} {self.word}"


STATES: dict[str, State] = {
    "pending": State("◌", "wait", "muted"),
    "running": State("▶", "run", "live"),
    "done": State("✔", "done", "good"),
    "finished": State("✔", "done", "good"),
    "failed": State("✖", "fail", "bad"),
    "cancelled": State("⊘", "cancelled", "muted"),
    "stopped": State("■", "stopped", "bad"),
    "paused": State("‖", "paused", "bad"),
}


def state(name: str) -> State:
    """The state's looks; an unknown one shows its own name."""
    return STATES.get(name, State("·", name, ""))


def number(value: Any, form: str = "") -> str:
    """A number in the given format, or with four significant digits; text as it is."""
    if value is None:
        return MISSING
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if form and not (form.endswith("d") and isinstance(value, float)):
        return format(value, form)
    return str(value) if isinstance(value, int) else f"{value:.4g}"


def duration(seconds: float | None) -> str:
    """Coarse on purpose: a clock that ticks every second repaints every second."""
    if seconds is None:
        return MISSING
    if seconds < 60:
        return f"{max(math.ceil(seconds / 10) * 10, 0):d}s" if seconds >= 10 else "<10s"
    minutes = round(seconds / 60)
    return f"{minutes}m" if minutes < 60 else f"{minutes // 60}h{minutes % 60:02d}"


def bar(done: int, total: int, width: int) -> str:
    """A progress bar of `width` characters; full only when all is done."""
    filled = width * done // total if total else 0
    return "█" * filled + "░" * (width - filled)


def spark(values: Sequence[float], width: int) -> str:
    """A line of blocks from lowest to highest; empty for less than two values."""
    finite = [value for value in values if math.isfinite(value)]
    if len(finite) < 2:
        return ""
    width = min(width, len(finite))
    cuts = [len(finite) * n // width for n in range(width + 1)]
    means = [sum(finite[a:b]) / (b - a) for a, b in zip(cuts, cuts[1:], strict=False)]
    low, high = min(means), max(means)
    step = (high - low) / (len(_BLOCKS) - 1) or 1.0
    return "".join(_BLOCKS[round((mean - low) / step)] for mean in means)


def gigabytes(mebibytes: float) -> str:
    """`812` -> `.8G`, `38912` -> `38G`."""
    size = mebibytes / 1024
    return f"{size:.1f}G".lstrip("0") if size < 10 else f"{size:.0f}G"


def percent(done: int, total: int) -> str:
    """Whole per cent, rounded down."""
    return f"{100 * done // total if total else 0}%"


def decimals(values: Iterable[Any], errors: Iterable[Any] = ()) -> int:
    """Decimals that give the typical error two significant digits, and the least of them one.

    Without errors, four significant digits of the largest value, and none for whole numbers.
    """
    values = list(values)
    spread = sorted(_sizes(errors))
    if spread:
        typical = spread[len(spread) // 2]
        least = next(e for e in spread if e > typical / 1000)  # a smaller one is rounding
        digits = max(1 - math.floor(math.log10(typical)), -math.floor(math.log10(least)))
        return min(max(digits, 0), 5)
    sizes = _sizes(values)
    if sizes and all(float(size).is_integer() for size in sizes):
        return 0
    largest = max(sizes, default=1.0)
    return min(max(3 - math.floor(math.log10(largest)), 0), 5)


def _sizes(values: Iterable[Any]) -> list[float]:
    return [abs(v) for v in values if isinstance(v, (int, float)) and math.isfinite(v) and v]


def fixed(decimals: int) -> Callable[[Any], str]:
    """Shows a float with so many decimals, and one that they would make zero in short form."""

    def show(value: Any) -> str:
        if not isinstance(value, float):
            return number(value)
        if value and abs(value) < 0.5 * 10**-decimals:
            return f"{value:.1e}"
        return f"{value:.{decimals}f}" if math.isfinite(value) else str(value)

    return show
