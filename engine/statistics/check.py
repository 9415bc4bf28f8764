"""The posterior predictive check, Algorithm 1 of arXiv:2112.01477, in both modes.

Out of sample: the rows checked were not trained on, so under the true model p is uniform (up to
ties and the grid of 1/S). A statistic is a function of the observations alone; the mixture may be
bound into it beforehand, the member that made a replicate cannot be.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from augury.engine.errors import UsageError
from augury.engine.statistics.predictive import MODES, Mode, Predictive, spread_members
from augury.engine.statistics.verdict import Check

if TYPE_CHECKING:
    from jaxtyping import Float

# Observations [..., rows] -> each statistic by name, [...].
Statistics: TypeAlias = Callable[[Any], Mapping[str, Any]]
BLOCK = 1 << 20  # numbers of one block of replicates: bounds the memory, changes no result


def check(
    predictive: Predictive,
    observed: Any,
    statistics: Statistics,
    mode: Mode,
    num_replicates: int,
    members: np.random.Generator,
    noise: np.random.Generator,
    stratified: bool = False,
    told: Callable[[int], None] | None = None,
) -> dict[str, Check]:
    """Check every statistic against the same S replicates.

    Args:
      predictive: members, with weights or a sampler of fresh ones.
      observed: [rows] values or labels.
      statistics: observations [..., rows] -> statistic by name, [...].
      mode: bayesian (one member for the whole replicate) or independent (one for each row).
      num_replicates: S.
      members: randomness of which members are drawn.
      noise: randomness of observations given members.
      stratified: as of `replicate`.
      told: as of `replicate`.

    Raises:
      UsageError: observed rows of the wrong number, not finite, or labels out of range; as
        `replicate`.
    """
    found = predictive.validate(observed)
    value = statistics(found)
    drawn = replicate(
        predictive, statistics, mode, num_replicates, members, noise, stratified, told
    )
    return {
        name: Check(mode, float(value[name]), drawn[name], predictive.num_members) for name in drawn
    }


def replicate(
    predictive: Predictive,
    statistics: Statistics,
    mode: Mode,
    num_replicates: int,
    members: np.random.Generator,
    noise: np.random.Generator,
    stratified: bool = False,
    told: Callable[[int], None] | None = None,
) -> dict[str, Float[np.ndarray, " S"]]:
    """The statistics of S replicates, in blocks whose size does not change the draws.

    All arguments but the last two are those of `check`. With `stratified`, in bayesian mode, every
    member makes its share of the replicates (w S, rounded up or down) instead of as many as are
    drawn: less noise in p, and the same mean. `told` is called with how many are done.

    Raises:
      UsageError: fewer than two replicates, an unknown mode, or strata without members.
    """
    if num_replicates < 2:
        raise UsageError(f"a check needs two replicates or more, got {num_replicates}.")
    if mode not in MODES:
        raise UsageError(f"a check is one of {', '.join(MODES)}, got {mode!r}.")
    if stratified and predictive.weights is None:
        raise UsageError("strata need members; these replicates draw a fresh one each.")
    shares = None
    if stratified and mode == "bayesian":
        shares = spread_members(predictive.weights, num_replicates, members)
    block = max(1, BLOCK // predictive.num_rows)
    parts: dict[str, list[np.ndarray]] = {}
    for start in range(0, num_replicates, block):
        size = min(block, num_replicates - start)
        chosen = (
            predictive.choose(mode, size, members)
            if shares is None
            else shares[start : start + size]
        )
        for name, values in statistics(predictive.draw(chosen, noise)).items():
            parts.setdefault(name, []).append(np.asarray(values, np.float64))
        if told is not None:
            told(start + size)
    return {name: np.concatenate(values) for name, values in parts.items()}
