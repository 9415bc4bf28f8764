"""Scales and their ticks: where a value lies between two ends, and which values are written."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """From `low` to `high`, both above 0 where it is logarithmic."""

    low: float
    high: float
    log: bool = False

    def place(self, value: float) -> float:
        """0 at the low end, 1 at the high one. Values below 0 lie far below a logarithmic scale."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        if value <= 0:
            return -1e3
        return (math.log(value) - math.log(self.low)) / (math.log(self.high) - math.log(self.low))

    def part(self, start: float, end: float) -> Scale:
        """The scale of what lies between two shares of this one."""
        return Scale(self.value(start), self.value(end), self.log)

    def value(self, place: float) -> float:
        """The inverse of `place`."""
        if not self.log:
            return self.low + (self.high - self.low) * place
        low, high = math.log(self.low), math.log(self.high)
        return math.exp(low + (high - low) * place)


def scale(values: Iterable[float], log: bool = False) -> Scale:
    """A scale that holds all finite values; linear where one of them is not above 0."""
    known = [value for value in values if math.isfinite(value)]
    if not known:
        return Scale(0.0, 1.0)
    low, high = min(known), max(known)
    log = log and low > 0
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        return Scale(low / 1.1, high * 1.1, True) if log else _around(low)
    return Scale(low, high, log)


def ticks(shown: Scale, most: int) -> list[float]:
    """At most `most` round values in ascending order; two wherever two fit."""
    most = max(most, 2)
    if shown.log and shown.high / shown.low >= 5:
        found = _decades(shown, most)
        if len(found) >= 2:
            return found
    return _round_steps(shown.low, shown.high, most)


def texts(values: Sequence[float]) -> list[str]:
    """Each tick in few characters, with the digits that tell it from its neighbours."""
    gaps = [b - a for a, b in zip(values, values[1:], strict=False) if b > a]
    return [_text(value, min(gaps, default=abs(value) or 1.0)) for value in values]


def compact(value: float) -> str:
    """A number in at most six characters: 1.2k, 0.08, 3e-05."""
    size = abs(value)
    for limit, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= limit:
            return f"{value / limit:.3g}{sign}"
    return f"{value:.2g}" if size < 0.1 else f"{value:.3g}"


def _around(value: float) -> Scale:
    pad = abs(value) / 10 or 1.0
    return Scale(value - pad, value + pad)


def _round_steps(low: float, high: float, most: int) -> list[float]:
    """Multiples of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / most
    power = 10.0 ** math.floor(math.log10(rough))
    found: list[float] = []
    for factor in (1, 2, 5, 10, 20):
        step = factor * power
        first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
        found = [step * n for n in range(first, last + 1)]
        if len(found) <= most:
            break
    # A range that holds fewer than two round values has its own ends for ticks.
    return [_cleaned(value, power) for value in found] if len(found) > 1 else [low, high]


def _cleaned(value: float, power: float) -> float:
    """Without what adding up steps leaves behind the last digit."""
    return round(value, max(1 - math.floor(math.log10(power)), 0)) + 0.0


def _decades(shown: Scale, most: int) -> list[float]:
    first, last = math.floor(math.log10(shown.low)), math.ceil(math.log10(shown.high))
    for factors, stride in (((1, 2, 5), 1), ((1, 3), 1), *(((1,), n) for n in range(1, 400))):
        powers = range(first - first % stride, last + 1, stride)
        found = [float(f"{factor}e{power}") for power in powers for factor in factors]
        found = [v for v in found if shown.low * (1 - 1e-9) <= v <= shown.high * (1 + 1e-9)]
        if len(found) <= most:
            return found
    return []


def _text(value: float, gap: float) -> str:
    size = abs(value)
    # Noughts behind the point cost a place each; significant digits do not count them.
    digits = max(math.floor(math.log10(size / gap) + 1e-9) + 2, 1) if size > gap * 1e-9 else 1
    for limit, sign in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if size >= limit * (1 - 1e-9):
            return f"{value / limit:.{min(digits, 6)}g}{sign}"
    whole = math.floor(math.log10(size)) + 1 if size >= 1 else 1
    return f"{value:.{min(max(digits, whole), 6)}g}" if value else "0"
