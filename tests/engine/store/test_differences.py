"""Differences by setting, against NumPy and the board's own means and errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.store import queries
from augury.engine.store.bootstrap import Unit, holm, resampled
from augury.engine.store.records import Table
from augury.engine.store.row_sums import Rows
from augury.engine.types import Cell
from tests.engine.store import oracle
from tests.engine.store.conftest import kl
from tests.engine.store.oracle import Number

SETTINGS = {"d2-l10-t0.1": 5, "d10-l10-t0.1": 4, "d10-l1-t0.5": 1}
LEVEL = {"mlp": 0.5, "ensemble": 0.42, "bbb": 0.5}


@pytest.fixture
def numbers(add: Callable[..., Any]) -> list[Number]:
    """Two seeds on each problem, three agents."""
    draw = np.random.default_rng(3)
    found = [
        Number(label, setting, e, seed, draw.normal(level, 0.05), draw.uniform(0.01, 0.04))
        for label, level in LEVEL.items() for setting, count in SETTINGS.items()
        for e in range(count) for seed in (0, 1)
    ]  # fmt: skip
    cells = [(Cell("testbed", f"testbed/{n.setting}/e{n.unit}", n.label, seed=n.seed),
              kl(n.value, n.stderr)) for n in found]  # fmt: skip
    add("rone", cells)
    return found


def _ask(con: Any, *subjects: str, **params: Any) -> Table:
    return queries.run(con, "differences",
                       {"scenario": "testbed", "subjects": list(subjects), **params})  # fmt: skip


def _units(numbers: list[Number], setting: str, label: str) -> np.ndarray:
    mine = [n for n in numbers if (n.label, n.setting) == (label, setting)]
    rows = [[[n.value, n.stderr] for n in mine if n.unit == e] for e in range(SETTINGS[setting])]
    # Of each unit its mean, its mean error, and the error of the mean of independent seeds.
    found = np.array(rows)
    root = np.sqrt((found[:, :, 1:] ** 2).sum(axis=1)) / found.shape[1]
    return np.concatenate([found.mean(axis=1), root], axis=1)


def test_each_setting_and_all_of_them(con: Any, numbers: list[Number]) -> None:
    rows = list(_ask(con, "mlp", "ensemble").dicts())
    assert [row["place"] for row in rows] == ["all", *sorted(SETTINGS)]
    for row in rows:
        kept = [n for n in numbers if row["place"] in ("all", n.setting)]
        mine, theirs = ([n for n in kept if n.label == label] for label in ("mlp", "ensemble"))
        assert (row["first_mean"], row["first_stderr"]) == pytest.approx(oracle.mean(mine))
        assert (row["second_mean"], row["second_stderr"]) == pytest.approx(oracle.mean(theirs))
        assert row["difference"] == pytest.approx(row["second_mean"] - row["first_mean"])
        settings = sorted(SETTINGS) if row["place"] == "all" else [row["place"]]
        both = []
        for setting in settings:
            a, b = _units(numbers, setting, "mlp"), _units(numbers, setting, "ensemble")
            none = np.zeros(2)
            both += [Unit(setting, float(x[0]), float(y[0]), float(x[1]), float(y[1]), "shared",
                          Rows(none, none, float(x[2]), float(y[2])))
                     for x, y in zip(a, b, strict=True)]  # fmt: skip
        tops, bottoms = resampled(both)
        ends = np.quantile((bottoms - tops) / len(both), [0.025, 0.975])
        assert (row["low"], row["high"]) == pytest.approx(tuple(ends))
        assert row["low"] < row["difference"] < row["high"]
        deltas = [u.below - u.above for u in both]
        assert (row["wins"], row["losses"]) == (
            sum(d > 0 for d in deltas),
            sum(d < 0 for d in deltas),
        )
        if len(settings) == 1 and len(both) > 1:
            assert row["stderr"] == pytest.approx(np.std(deltas, ddof=1) / len(deltas) ** 0.5)
        # A stratum of n units is resampled to their unbiased variance: the spread is the error.
        assert np.std((bottoms - tops) / len(both)) == pytest.approx(row["stderr"], rel=0.1)
    assert [row["p_holm"] for row in rows] == pytest.approx(holm([row["p"] for row in rows]))
    assert rows[0]["p"] < 0.01


def test_every_other_against_the_first(con: Any, numbers: list[Number]) -> None:
    rows = list(_ask(con, "bbb", "mlp", "ensemble", by="problem").dicts())
    assert {(row["first"], row["second"]) for row in rows} == {("bbb", "mlp"), ("bbb", "ensemble")}
    assert len(rows) == 2 * (10 + 1) and all(row["units"] in (1, 10) for row in rows)
    swapped = {row["place"]: row for row in _ask(con, "ensemble", "mlp").dicts()}
    for row in _ask(con, "mlp", "ensemble").dicts():
        other = swapped[row["place"]]
        assert other["difference"] == pytest.approx(-row["difference"])
        if SETTINGS.get(row["place"], 1) > 1:
            # A lone unit is moved by draws of its own, one for each side: those change places too.
            assert (other["low"], other["p"]) == pytest.approx((-row["high"], row["p"]))
        assert (other["wins"], other["losses"]) == (row["losses"], row["wins"])


def test_what_cannot_be_compared(con: Any, numbers: list[Number]) -> None:
    for subjects in (("mlp",), ("mlp", "mlp"), ("a", "b", "c", "d", "e")):
        with pytest.raises(UsageError):
            _ask(con, *subjects)
    with pytest.raises(UsageError, match="unknown mean of this board 'klx'"):
        _ask(con, "mlp", "bbb", column="klx")
    with pytest.raises(UsageError, match="take a comparison apart"):
        _ask(con, "mlp", "bbb", by="seed")
