"""What is told of one estimator: its value, its checks and what to be wary of. In bits."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from augury.engine.pairs.checks import RULES, Checked
from augury.engine.pairs.estimate import Estimate

BITS = 1.0 / math.log(2.0)
NEAR = 0.6  # of the ceiling of a contrastive bound: at 0.6 it is an eighth too low (Gaussian pairs)
CEILINGS = {"infonce": 1, "infonce-symmetric": 2}  # estimator -> times K in its ceiling
GROWS = 0.1  # of the value, from half of the rows to all
_PARAMETRIC = "cca"  # a law with few parameters: its rows need not meet each other
FEW = 1_000  # rows for a critic


@dataclass(frozen=True, slots=True)
class Report:
    """One estimator on the given pairs."""

    estimator: str
    estimate: Estimate
    checks: Mapping[str, Checked]
    seed: int

    @property
    def ceiling(self) -> float | None:
        """What the bound can be at most, in nats."""
        times = CEILINGS.get(self.estimator)
        if times is None or not self.estimate.pairs:
            return None
        return math.log(times * self.estimate.pairs - times + 1)

    def values(self) -> dict[str, Any]:
        """Every number in full; None where there is none, with the reason."""
        given = self.estimate
        low, high = given.interval or (None, None)
        found: dict[str, Any] = {
            "estimator": self.estimator,
            "bits": _bits(given.value), "bits_stderr": _bits(given.stderr),
            "bits_low": _bits(low), "bits_high": _bits(high), "nats": given.value,
            "ceiling_bits": _bits(self.ceiling), "half_bits": _bits(given.half),
        }  # fmt: skip
        for name in RULES:
            check = self.checks.get(name)
            found |= {
                f"{name}_bits": _bits(check.found.value) if check else None,
                f"{name}_expected_bits": _bits(check.expected) if check else None,
                f"{name}_holds": check.holds if check else None,
            }
        return found | {
            "rows": given.rows, "pairs": given.pairs or None, "seed": self.seed,
            "cautions": "; ".join(self.cautions()), "reason": given.reason,
        }  # fmt: skip

    def cautions(self) -> list[str]:
        """Why the value may not be what it seems."""
        given = self.estimate
        return [] if given.value is None else list(self._cautions(given, given.value))

    def _cautions(self, given: Estimate, value: float) -> Iterator[str]:
        ceiling, error = self.ceiling, given.stderr or 0.0
        near = ceiling is not None and value > NEAR * ceiling
        if near:
            yield (
                f"near its ceiling of {_told(ceiling)} bits (the log of its batch): "
                "the truth may be far larger"
            )
        elif value > 0.5 * math.log(given.rows) and self.estimator != _PARAMETRIC:
            yield (
                f"much for {given.rows:,} rows, whose log is {_told(math.log(given.rows))} bits: "
                "so few can hardly tell it from more"
            )
        if given.half is not None and abs(value - given.half) > max(2 * error, GROWS * abs(value)):
            word = "grows" if value > given.half else "shrinks"
            yield f"still {word} with rows: half of them give {_told(given.half)} bits"
        if given.bias > max(error, GROWS * abs(value)):
            yield f"about {_told(given.bias)} bits too high: too many columns for its rows"
        if given.correction > max(2 * error, GROWS * abs(value)):
            yield (
                f"too many labels for its rows: {_told(given.correction)} bits of bias "
                "were taken off"
            )
        if given.pairs and given.rows < FEW:
            yield f"few rows for a critic: {given.rows:,}; more of them may find more"
        for name, check in self.checks.items():
            if not check.holds:
                yield f"{RULES[name].summary}, but {_told(check.found.value)} bits were found"


def notes(reports: Sequence[Report], about: Sequence[str]) -> list[str]:
    """What the table rests on, then every caution."""
    lines = [
        *about,
        "intervals: 95 %, of what the estimator gives on other rows of that number, not of the "
        "truth; critics are scored on rows they did not learn from",
    ]
    if any(report.checks for report in reports):
        expected = ", ".join(f"{card.title}: {_expects(name)}" for name, card in RULES.items())
        lines.append(f"checks, in bits: {expected}")
    lines += [f"{r.estimator}: {caution}" for r in reports for caution in r.cautions()]
    return lines + [f"{r.estimator}: {r.estimate.reason}" for r in reports if r.estimate.reason]


def _expects(rule: str) -> str:
    times = RULES[rule].times
    return "0" if not times else f"{'at most ' * RULES[rule].at_most}{times:g} x the value"


def _bits(nats: float | None) -> float | None:
    return None if nats is None else nats * BITS


def _told(nats: float | None) -> str:
    return "no" if nats is None else f"{nats * BITS:.2g}"
