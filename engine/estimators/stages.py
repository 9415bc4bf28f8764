"""Values of a bound over the steps of a training, made into one row for each stage and metric."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from augury.engine.estimators.series import average
from augury.engine.types import MetricRow

if TYPE_CHECKING:
    from jaxtyping import Float


@dataclass(frozen=True, slots=True)
class Schedule:
    """True values in bits, one after another, each for `stage_steps` steps."""

    bits: tuple[float, ...]
    stage_steps: int
    num_final: int  # values averaged at the end of each stage

    @property
    def num_steps(self) -> int:
        """Steps of all stages; what a division leaves over is not trained."""
        return len(self.bits) * self.stage_steps


def names(bits: Sequence[float]) -> list[str]:
    """The split of each stage: `4bits`; a value that comes again names its stage too."""
    plain = [f"{value:g}bits" for value in bits]
    return [
        name if name not in plain[:stage] else f"{name}-stage{stage + 1}"
        for stage, name in enumerate(plain)
    ]


def rows(values: Float[np.ndarray, " steps"], schedule: Schedule) -> tuple[MetricRow, ...]:
    """Estimate, true value, their ratio, spread and count of divergence of each stage.

    Args:
        values: the bound at every step, in bits, as training saw it (before each update).
        schedule: the stages; `values` has `schedule.num_steps` entries.

    Returns:
        mi, mi_true, mi_std in bits; mi_ratio; mi_diverged in steps. Errors allow for
        autocorrelation. A value that is not finite is counted, and said in the row's reason.
    """
    found: list[MetricRow] = []
    for stage, (true, split) in enumerate(zip(schedule.bits, names(schedule.bits), strict=True)):
        end = (stage + 1) * schedule.stage_steps
        count = min(schedule.num_final, schedule.stage_steps)
        final = np.asarray(values[end - count : end], np.float64)
        seen = average(final)
        diverged = count - seen.finite
        said = _reason(diverged, count, schedule)
        ratio, error = None, None
        if seen.mean is not None and true > 0:
            ratio = seen.mean / true
            error = None if seen.stderr is None else seen.stderr / true
        why = said if true > 0 else "the true value is 0"

        def row(
            metric: str, value: float | None, stderr: float | None = None, reason: str = "",
            split: str = split, count: int = seen.finite,
        ) -> MetricRow:  # fmt: skip
            return MetricRow(metric, value, stderr, 0, 0, split, count, reason)

        found += [
            row("mi", seen.mean, seen.stderr, said),
            row("mi_true", true),
            row("mi_ratio", ratio, error, why),
            row("mi_std", seen.std, None, said or _unknown(seen.std)),
            row("mi_diverged", float(diverged), count=count),
        ]
    return tuple(found)


def _reason(diverged: int, count: int, schedule: Schedule) -> str:
    parts = []
    if diverged == count:
        parts.append(f"diverged: none of the last {count} values is finite")
    elif diverged:
        parts.append(f"diverged: {diverged} of the last {count} values are not finite, left out")
    if count < schedule.num_final:
        parts.append(f"mean of {count} steps, not {schedule.num_final}: the stage has no more")
    return "; ".join(parts)


def _unknown(std: float | None) -> str:
    return "" if std is not None else "the values are too few or too large for a spread"
