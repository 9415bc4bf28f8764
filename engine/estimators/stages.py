"""Values of a bound over the steps of a training, made into one row for each stage and metric."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
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


@dataclass(frozen=True, slots=True)
class Value:
    """A number in bits and how well it is known."""

    value: float
    stderr: float
    num_samples: int = 0

    @property
    def is_finite(self) -> bool:
        """Whether it can be stored."""
        return math.isfinite(self.value) and math.isfinite(self.stderr)


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one stage beside the values of its training, in bits."""

    held_out: Value | None = None  # a second look at the critic of the stage's last step
    again: Value | None = None  # the same on other draws, longer
    oracle: Value | None = None  # with the exact density ratio
    decodable: Value | None = None
    num_pairs: int = 0  # in each batch of the second look


def rows(
    values: Float[np.ndarray, " steps"], schedule: Schedule, known: Sequence[Known] = ()
) -> tuple[MetricRow, ...]:
    """Estimate, true value, their ratio, spread, error and its parts, of each stage.

    Args:
        values: the bound at every step, in bits, as training saw it (before each update).
        schedule: the stages; `values` has `schedule.num_steps` entries.
        known: of each stage, if more than `values` is.

    Returns:
        mi, mi_true, mi_median, mi_std in bits; mi_ratio; mi_diverged in steps; what `known` adds.
        Errors allow for autocorrelation. A value that is not finite is counted, and said in the
        row's reason.
    """
    found: list[MetricRow] = []
    for stage, (true, split) in enumerate(zip(schedule.bits, names(schedule.bits), strict=True)):
        end = (stage + 1) * schedule.stage_steps
        count = min(schedule.num_final, schedule.stage_steps)
        final = np.asarray(values[end - count : end], np.float64)
        seen = average(final)
        diverged = count - seen.finite
        said = _reason(diverged, count, schedule)
        estimate = None
        if seen.mean is not None:
            estimate = Value(seen.mean, math.nan if seen.stderr is None else seen.stderr,
                             seen.finite)  # fmt: skip
        found += compared(split, true, estimate, said, known[stage] if known else Known())
        kept = final[np.isfinite(final)]
        middle = float(np.median(kept)) if len(kept) else None
        found += [
            MetricRow("mi_median", middle, None, 0, 0, split, seen.finite, said),
            MetricRow("mi_std", seen.std, None, 0, 0, split, seen.finite,
                      said or _unknown(seen.std)),
            MetricRow("mi_diverged", float(diverged), None, 0, 0, split, count),
        ]  # fmt: skip
    return tuple(found)


def compared(
    split: str, true: float, estimate: Value | None, said: str, known: Known
) -> Iterator[MetricRow]:
    """An estimate beside the true value; the error taken apart as far as it is known.

    `said` is why the estimate is missing, or rests on less than was asked.
    """
    number = estimate.num_samples if estimate else 0

    def row(
        metric: str, value: float | None, stderr: float | None = None, reason: str = "",
        count: int = number,
    ) -> MetricRow:  # fmt: skip
        known_error = None if stderr is None or not math.isfinite(stderr) else stderr
        return MetricRow(metric, value, known_error, 0, 0, split, count, reason)

    mean = None if estimate is None else estimate.value
    error = None if estimate is None else estimate.stderr
    yield row("mi", mean, error, said)
    yield row("mi_true", true)
    why = said if true > 0 else "the true value is 0"
    ratio = mean / true if mean is not None and true > 0 else None
    scaled = error / true if ratio is not None and error is not None else None
    yield row("mi_ratio", ratio, scaled, why)
    yield row("mi_miss", None if ratio is None else abs(ratio - 1), scaled, why)
    bias = None if mean is None else mean - true
    yield row("mi_bias", bias, error, said)
    square = None if bias is None else bias * bias
    large = square is not None and not math.isfinite(square)
    yield row("mi_square", None if large else square, reason=said or "too large" * large)
    yield from _parts(row, true, estimate, said, known)


def _parts(
    row: Callable[..., MetricRow], true: float, estimate: Value | None, said: str, known: Known
) -> Iterator[MetricRow]:
    decodable, oracle, held_out = known.decodable, known.oracle, known.held_out
    if decodable:
        yield row("mi_decodable", decodable.value, decodable.stderr, count=decodable.num_samples)
        if estimate is None:
            yield row("mi_ratio_decodable", None, None, said)
        elif decodable.value > 3 * decodable.stderr:
            ratio = estimate.value / decodable.value
            yield row("mi_ratio_decodable", ratio, estimate.stderr / decodable.value, said)
        else:
            yield row("mi_ratio_decodable", None, None, "the decodable value is 0")
    if oracle and not oracle.is_finite:
        why = "not finite with the exact critic: some batch has no unlike pair that looks alike"
        yield row("mi_oracle", None, None, why)
        oracle = None
    elif oracle:
        yield row("mi_oracle", oracle.value, oracle.stderr, count=oracle.num_samples)
    if held_out is None:
        return
    yield row("mi_held_out_pairs", float(known.num_pairs), count=held_out.num_samples)
    if not held_out.is_finite:
        yield row("mi_held_out", None, None, "diverged: the second look is not finite")
        return
    yield row("mi_held_out", held_out.value, held_out.stderr, count=held_out.num_samples)
    wide = 1.96 * held_out.stderr
    yield row("mi_covers_true", float(abs(held_out.value - true) <= wide))
    if known.again and known.again.is_finite:
        wide = 1.96 * math.hypot(held_out.stderr, known.again.stderr)
        yield row("mi_covers_own", float(abs(held_out.value - known.again.value) <= wide))
    if estimate is not None:
        pool = estimate.value - held_out.value
        yield row("mi_bias_pool", pool, math.hypot(estimate.stderr, held_out.stderr), said)
    if oracle:
        labels = Value(0.0, 0.0) if decodable is None else Value(
            decodable.value - true, decodable.stderr)  # fmt: skip
        yield row("mi_bias_labels", labels.value, labels.stderr)
        yield row("mi_bias_bound", oracle.value - true, oracle.stderr)
        rest = held_out.value - oracle.value - labels.value
        spread = math.hypot(held_out.stderr, oracle.stderr, labels.stderr)
        yield row("mi_bias_training", rest, spread)


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
