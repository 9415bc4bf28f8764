"""The bootstrap against draws made otherwise, its coverage by simulation, Holm by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest

from augury.engine.store import bootstrap
from augury.engine.store.bootstrap import (
    Unit,
    holm,
    paired,
    quantiles,
    replicates,
    resampled,
    ties,
)


def _units(seed: int, sizes: tuple[int, ...] = (5, 4, 3), shift: float = 1.0) -> list[Unit]:
    draw = np.random.default_rng(seed)
    return [
        Unit(f"s{s}", shift * level + draw.normal(0, 0.2), level + draw.normal(0, 0.2), 0.1, 0.2)
        for s, n in enumerate(sizes)
        for level in draw.uniform(1, 2, n)
    ]


def _numpy(units: list[Unit], count: int, seed: int = 7) -> np.ndarray:
    """Ratios under n - 1 of n draws within strata, by NumPy's own generator, unit by unit."""
    draw = np.random.default_rng(seed)
    strata: dict[str, list[Unit]] = {}
    for unit in units:
        strata.setdefault(unit.stratum, []).append(unit)
    ratios = np.empty(count)
    for replicate in range(count):
        above = below = 0.0
        for members in strata.values():
            n = len(members)
            picked = [members[i] for i in draw.integers(0, n, n - 1)]
            above += n * sum(u.above for u in picked) / (n - 1)
            below += n * sum(u.below for u in picked) / (n - 1)
        ratios[replicate] = above / below
    return ratios


@pytest.mark.parametrize("seed", range(3))
def test_intervals_are_those_of_an_independent_bootstrap(seed: int) -> None:
    """Quantiles of two sets of draws agree within what 20,000 draws leave open."""
    units = _units(seed)
    mine = paired(units, 20_000)
    theirs = _numpy(units, 20_000)
    assert mine is not None and mine.low is not None and mine.high is not None
    assert mine.ratio == pytest.approx(
        sum(u.above for u in units) / sum(u.below for u in units), rel=1e-12
    )
    for value, q in ((mine.low, 0.025), (mine.high, 0.975)):
        expected = np.quantile(theirs, q)
        # Standard error of a quantile: sqrt(q (1 - q) / n) over the density there, which a
        # difference of near quantiles gives.
        slope = (np.quantile(theirs, q + 0.01) - np.quantile(theirs, q - 0.01)) / 0.02
        error = math.sqrt(2 * q * (1 - q) / 20_000) * slope
        assert abs(value - expected) < 4 * error


def test_bootstrapped_variance_is_the_unbiased_one() -> None:
    """Var of a stratified mean: sum of n^2 s^2 / n over strata, not (n - 1) / n of it."""
    units = _units(3, (4, 3, 2))
    tops, _ = resampled(units, 40_000)
    expected = 0.0
    for stratum in ("s0", "s1", "s2"):
        values = np.array([u.above for u in units if u.stratum == stratum])
        expected += len(values) * values.var(ddof=1)
    assert tops.mean() == pytest.approx(sum(u.above for u in units), abs=0.02)
    assert tops.var() == pytest.approx(expected, rel=0.05)


def test_coverage_by_simulation() -> None:
    """Environments with a known spread: 95 % intervals hold the true ratio about 95 % of times."""
    draw = np.random.default_rng(0)
    truth, held, rounds = 0.8, 0, 400
    for _ in range(rounds):
        units = []
        for s in range(12):
            level = draw.normal(1.0 + 0.1 * s, 0.3, 5)
            above = truth * (1.0 + 0.1 * s) + 0.5 * (level - 1.0 - 0.1 * s) + draw.normal(0, 0.2, 5)
            units += [Unit(f"s{s}", a, b) for a, b in zip(above, level, strict=True)]
        found = paired(units, 500)
        assert found is not None and found.low is not None and found.high is not None
        held += found.low <= truth <= found.high
    # Binomial standard error at 400 rounds: 1.1 %.
    assert held / rounds == pytest.approx(0.95, abs=0.033)


def test_a_lone_unit_moves_by_its_own_errors() -> None:
    units = [Unit("only", 2.0, 4.0, 0.1, 0.3)]
    tops, bottoms = resampled(units, 50_000)
    assert (tops.mean(), bottoms.mean()) == pytest.approx((2.0, 4.0), abs=0.01)
    assert (tops.std(), bottoms.std()) == pytest.approx((0.1, 0.3), rel=0.02)
    assert np.corrcoef(tops, bottoms)[0, 1] == pytest.approx(0.0, abs=0.02)
    found = paired(units)
    assert found is not None and found.low is not None and found.low < 0.5 < (found.high or 0)
    bare = paired([Unit("only", 2.0, 4.0)])
    assert bare is not None and (bare.ratio, bare.low, bare.high, bare.p) == (0.5, None, None, None)


def test_draws_are_fixed_and_local() -> None:
    """The same on every machine, and the same for a stratum whatever else is there."""
    assert [hex(int(v)) for v in bootstrap._hashed("", 1, 3)[0]] == [
        "0xe220a8397b1dcdaf", "0x6e789e6aa1b965f4", "0x6c45d188009454f",
    ]  # the first numbers of SplitMix64 from state 0  # fmt: skip
    units = _units(5)
    apart = resampled([u for u in units if u.stratum == "s1"], 100)[0]
    others = resampled([u for u in units if u.stratum != "s1"], 100)[0]
    assert resampled(units, 100)[0] == pytest.approx(apart + others, rel=1e-12)
    assert paired(units) == paired(units)


def test_without_a_positive_denominator() -> None:
    assert paired([]) is None
    assert paired([Unit("a", 1.0, -1.0), Unit("a", 1.0, 0.5)]) is None
    unsure = paired([Unit("a", 1.0, -1.0), Unit("a", 1.0, 2.0)])
    assert unsure is not None and unsure.low is None and unsure.p is not None


def test_equal_subjects_tie_and_different_ones_do_not() -> None:
    same = paired([Unit(u.stratum, u.below, u.below) for u in _units(1)])
    assert same is not None and (same.ratio, same.low, same.high, same.p) == (1.0, 1.0, 1.0, 1.0)
    apart = paired(_units(1, (5,) * 12, shift=0.5))
    assert apart is not None and apart.p == pytest.approx(2 / 2001)


def test_holm_by_hand() -> None:
    """4 x .01, 3 x .02 above it, 2 x .03 pulled up to .06, then .5."""
    assert holm([0.03, 0.01, 0.5, 0.02]) == pytest.approx([0.06, 0.04, 0.5, 0.06])
    assert holm([]) == []
    assert holm([0.9, 0.8]) == [1.0, 1.0]
    assert ties({"a": 0.03, "b": 0.01, "c": 0.5, "d": 0.02, "e": None}) == {
        "a": True, "b": False, "c": True, "d": True,
    }  # fmt: skip


def test_enough_draws_for_the_number_of_comparisons() -> None:
    for rows in (1, 10, 100, 400):
        assert 2 * rows / (replicates(rows) + 1) < 0.05
    assert replicates(10) == 2_000


@pytest.mark.parametrize("count", [1, 2, 7, 2_000, 2_501])
def test_quantiles_are_those_of_numpy_to_the_last_bit(count: int) -> None:
    values = np.random.default_rng(count).normal(size=count)
    shares = (0.0, 0.025, 0.3, 0.5, 0.975, 1.0)
    assert quantiles(values, shares) == np.quantile(values, shares).tolist()
