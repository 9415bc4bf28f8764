"""Rows of one's own: columns, intervals, rules."""

from __future__ import annotations

import math

import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.pairs.checks import RULES, checked, pairs_of
from augury.engine.pairs.draws import draws
from augury.engine.pairs.estimate import Estimate, estimate, fitting
from augury.engine.pairs.report import Report, notes
from augury.engine.pairs.sides import Side, side


def one(*columns: np.ndarray) -> Side:
    return side(columns, [f"c{n}" for n in range(len(columns))], "f.npy")[0]


def normal(rows: int, rho: float, seed: int = 0) -> tuple[Side, Side]:
    x, noise = np.random.default_rng(seed).normal(size=(2, rows))
    return one(x), one(rho * x + math.sqrt(1 - rho**2) * noise)


def test_columns_of_few_values_are_labels() -> None:
    rng = np.random.default_rng(0)
    found, constant = side(
        [rng.normal(size=100), rng.integers(3, size=100) * 0.5, np.full(100, 7.0),
         np.arange(100), rng.random(100) < 0.5, np.array(["a", "b", "c", "d"] * 25)],
        ["number", "few", "same", "count", "flag", "text"], "f.csv",
    )  # fmt: skip
    assert found.numbers.shape == (100, 2) and found.labels.shape == (100, 3)
    assert constant == ("same",)
    assert found.matrix().shape == (100, 2 + 3 + 1 + 4) == (100, found.matrix_width)


def test_only_the_order_of_numbers_counts() -> None:
    x = np.random.default_rng(1).normal(size=50)
    np.testing.assert_array_equal(one(x).matrix(), one(np.exp(5 * x)).matrix())
    tied = one(np.array([3.0, 1.0, 2.0, 2.0, 9.0] + [float(n) for n in range(20, 60)])).matrix()
    assert tied[2] == tied[3] and tied[1] < tied[2] < tied[0]


@pytest.mark.parametrize("bad", [np.nan, np.inf])
def test_a_missing_number_is_named(bad: float) -> None:
    with pytest.raises(UsageError, match="f.npy: c1 of row 3 is"):
        one(np.arange(30.0), np.where(np.arange(30) == 3, bad, np.arange(30.0)))


def test_which_estimator_fits() -> None:
    x, y = normal(100, 0.5)
    label = one(np.arange(100) % 4)
    assert fitting(x, y) == ("ksg", "cca")
    assert fitting(x, label) == ("ksg",) and fitting(label, label) == ("counts",)


@pytest.mark.parametrize(("name", "rho"), [("ksg", 0.0), ("ksg", 0.8), ("cca", 0.8)])
def test_intervals_hold_the_truth(name: str, rho: float) -> None:
    """At least as often as they say: 38 of 40 expected, 34 are three errors below."""
    true = -0.5 * math.log(1 - rho**2)
    held = 0
    for seed in range(40):
        found = estimate(name, *normal(150, rho, seed), draws("test", seed)).interval
        assert found is not None
        held += found[0] <= true <= found[1]
    assert held >= 34


def test_few_and_many_columns() -> None:
    rng = np.random.default_rng(3)
    wide = one(*rng.normal(size=(30, 40)))
    found = estimate("cca", wide, one(rng.normal(size=40)), draws("test", 0))
    assert found.value is None and found.reason == "needs 62 rows, twice the columns"
    x = one(rng.normal(size=100))
    assert "infinite" in estimate("cca", x, x, draws("test", 0)).reason


def test_rules_hold_for_what_is_right() -> None:
    x, y = normal(1_000, 0.9)
    given = estimate("ksg", x, y, draws("test", 0))
    for rule in RULES:
        found = checked(rule, given, estimate("ksg", *pairs_of(rule, x, y, 0), draws(rule, 0)))
        assert found is not None and found.holds, rule


def test_rules_break_for_what_is_wrong() -> None:
    given, again = Estimate(1.0, 0.01, 1000), Estimate(1.2, 0.01, 1000)
    broken = {rule: checked(rule, given, again) for rule in RULES}
    assert [found.holds for found in broken.values() if found] == [False, False, False]
    assert checked("independence", given, Estimate(-0.3, 0.01)).holds  # type: ignore[union-attr]
    assert checked("additivity", given, Estimate(None)) is None


def test_processing_destroys_what_it_must() -> None:
    """y and as much noise: the correlation of the scores falls by a factor sqrt 2."""
    x, y = normal(4_000, 0.9)
    found = estimate("cca", *pairs_of("processing", x, y, 0), draws("test", 0))
    true = -0.5 * math.log(1 - 0.81 / 2)
    assert found.value == pytest.approx(true, abs=3 * (found.stderr or 0))


def cautions(name: str, **values: object) -> str:
    return "; ".join(Report(name, Estimate(**values), {}, 0).cautions())  # type: ignore[arg-type]


def test_cautions() -> None:
    near = cautions("infonce", value=3.5, stderr=0.01, rows=5000, pairs=128)
    assert near.startswith("near its ceiling of 7 bits")
    assert cautions("infonce", value=1.0, stderr=0.01, rows=5000, pairs=128) == ""
    assert "much for 100 rows" in cautions("ksg", value=2.5, stderr=0.01, rows=100)
    assert cautions("cca", value=2.5, stderr=0.01, rows=100) == ""
    assert "still grows with rows: half of them give 1.4" in cautions(
        "ksg", value=1.5, stderr=0.01, rows=5000, half=1.0
    )
    assert "too many columns" in cautions("cca", value=0.5, stderr=0.01, rows=5000, bias=0.2)
    assert "too many labels" in cautions(
        "counts", value=0.5, stderr=0.01, rows=5000, correction=0.2
    )
    assert "few rows for a critic" in cautions("nwj", value=0.5, stderr=0.1, rows=300, pairs=20)
    broken = checked("independence", Estimate(1.0, 0.01, 5000), Estimate(0.9, 0.01, 5000))
    assert broken is not None
    said = notes([Report("ksg", Estimate(1.0, 0.01, 5000), {"independence": broken}, 0)], ["top"])
    assert said[0] == "top"
    assert said[-1] == "ksg: with y shuffled: nothing, but 1.3 bits were found"
