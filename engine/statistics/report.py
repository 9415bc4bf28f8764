"""Checks as rows of a table: all digits for a program, few for a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from augury.engine.catalog.statistics import STATISTICS, Option
from augury.engine.statistics.rows import bars
from augury.engine.statistics.verdict import Check, false_fail_rate, fresh_fail_rate

_TIED = "FAILS: none below"


@dataclass(frozen=True, slots=True)
class Report:
    """One statistic checked in one mode, and what it rests on."""

    statistic: str
    options: Mapping[str, Option]
    check: Check
    num_rows: int
    seed: int

    def values(self) -> dict[str, Any]:
        """Every number in full; None, with the reason, where the check means nothing."""
        check = self.check
        numbers: dict[str, Any] = dict.fromkeys(_NUMBERS) if check.reason else _numbers(check)
        return {
            "statistic": self.statistic,
            "mode": check.mode,
            **numbers,
            "reason": check.reason,
            "false_fail": None if check.reason else check.false_fail,
            "fresh_fail": None if check.reason else check.fresh_fail,
            "replicates": check.num_replicates,
            "members": check.num_members,
            "rows": self.num_rows,
            "seed": self.seed,
            "options": " ".join(f"{name}={value}" for name, value in self.options.items()),
        }

    def histogram(self) -> dict[str, list[float]]:
        """Counts of the replicates and the edges between them; empty if the check means nothing."""
        if self.check.reason:
            return {}
        counts, edges = bars(self.check.replicates)
        return {"counts": counts.tolist(), "edges": edges.tolist()}

    @property
    def name(self) -> str:
        """The statistic, with those of its options that are not the defaults: `ece[bins=10]`."""
        usual = STATISTICS[self.statistic].options
        own = [f"{name}={value}" for name, value in self.options.items() if value != usual[name]]
        return f"{self.statistic}[{', '.join(own)}]" if own else self.statistic

    @property
    def unit(self) -> str:
        """Of the statistic."""
        return STATISTICS[self.statistic].unit

    @property
    def verdict(self) -> str:
        """Whether it passes; else on which side it fails, and what that says."""
        check = self.check
        if check.reason:
            return check.reason
        if check.passes:
            return "passes"
        if check.direction == "low" and check.passes_range:
            return _TIED + self._meaning()
        side = "above" if check.direction == "high" else "below"
        return f"FAILS: {side}{self._meaning()}"

    def _meaning(self) -> str:
        better = STATISTICS[self.statistic].better
        if better == "none":
            return ""
        good = (better == "higher") == (self.check.direction == "high")
        return f", {'better' if good else 'worse'}"


_NUMBERS = (
    "observed", "p_value", "p_low", "p_high", "mid_p", "sharpness", "sharpness_stderr", "q05",
    "q95", "passes", "passes_range", "direction",
)  # fmt: skip


def _numbers(check: Check) -> dict[str, Any]:
    low, high = check.interval
    q05, q95 = check.quantiles
    found = (
        check.observed, check.p_value, low, high, check.mid_p, check.sharpness,
        check.sharpness_stderr, q05, q95, check.passes, check.passes_range, check.direction,
    )  # fmt: skip
    return dict(zip(_NUMBERS, found, strict=True))


def notes(reports: Sequence[Report]) -> list[str]:
    """What the verdicts rest on, and how often they are wrong."""
    first = reports[0]
    check = first.check
    failed = any(report.verdict.startswith("FAILS") for report in reports)
    tied = any(report.verdict.startswith(_TIED) for report in reports)
    least = false_fail_rate(check.num_replicates)
    return [
        f"{first.num_rows:,} rows, {check.num_members} members, {check.num_replicates:,} "
        f"replicates, seed {first.seed}",
        "p: replicates below the observed value, with its 95 % interval; 0 and 1 fail",
        *(["FAILS: above or below all replicates, worse or better than predicted"] * failed),
        *([f"{_TIED}: equal to the smallest replicates, which p does not count"] * tied),
        f"false fails: where a member is the truth, {percent(least)} without ties"
        + _fresh(reports, least),
    ]


def _fresh(reports: Sequence[Report], least: float) -> str:
    check = reports[0].check
    most = max(fresh_fail_rate(check.num_replicates, _members(report)) for report in reports)
    if most <= least:
        return ""
    return f", up to {percent(most)} where the truth is drawn as members were"


def _members(report: Report) -> int:
    return report.check.num_members if report.check.mode == "bayesian" else 0


def percent(share: float) -> str:
    """To two digits.

    >>> percent(0.3475)
    '35 %'
    """
    return f"{100 * share:.{2 if share < 0.995 else 3}g} %"
