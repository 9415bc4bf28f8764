"""Paired ratios of any two agents, and a paper's claims as numbers of a store."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.store import export, queries
from augury.engine.store.bootstrap import Unit, holm, paired
from augury.engine.store.claims import grows
from augury.engine.store.ranks import spearman
from augury.engine.types import Cell, MetricRow

DIMS, RATIOS = (2, 10, 100), (1, 10)
# Means at tau = 1 and tau = 10, kappa = 2.
LEVEL = {"mlp": (0.10, 2.0), "ensemble": (0.11, 1.9), "ensemble+": (0.105, 0.9)}


def _rows(one: float, iid: float, dyadic: float) -> list[MetricRow]:
    points = ((one, 1, 0), (iid, 10, 0), (dyadic, 10, 2))
    return [MetricRow("kl", v, 0.01, tau, kappa, num_samples=100) for v, tau, kappa in points]


def _fill(add: Callable[..., Any]) -> dict[tuple[str, int, int, int], float]:
    """ensemble+ gains at ratio 1 everywhere, at ratio 10 from D=100 on only."""
    draw, cells, dyadic = np.random.default_rng(0), [], {}
    for dim in DIMS:
        for ratio in RATIOS:
            for e in range(5):
                level = draw.normal(1, 0.02)
                for agent, (one, ten) in LEVEL.items():
                    gains = agent != "ensemble+" or ratio == 1 or dim == 100
                    value = (ten if gains else 1.95) * level + draw.normal(0, 0.02)
                    dyadic[agent, dim, ratio, e] = value
                    cell = Cell("testbed", f"testbed/d{dim}-l{ratio}-t0.1/e{e}", agent)
                    cells.append((cell, _rows(one + draw.normal(0, 0.002), value, value)))
    add("rone", cells)
    return dyadic


def _units(numbers: Any, above: str, below: str, dims: tuple[int, ...] = DIMS) -> list[Unit]:
    places = sorted((f"d{d}-l{r}-t0.1", d, r) for d in dims for r in RATIOS)
    return [
        Unit(s, numbers[above, d, r, e], numbers[below, d, r, e])
        for s, d, r in places
        for e in range(5)
    ]


def _compare(con: Any, **params: Any) -> list[dict[str, Any]]:
    return list(queries.run(con, "compare", {"scenario": "testbed", **params}).dicts())


def test_every_two_by_the_bootstrap(con: Any, add: Callable[..., Any]) -> None:
    numbers = _fill(add)
    rows = _compare(con, subjects=["ensemble+", "mlp", "ensemble"])
    pairs = [("ensemble+", "mlp"), ("ensemble+", "ensemble"), ("mlp", "ensemble")]
    assert [(row["above"], row["below"]) for row in rows] == pairs
    for row, pair in zip(rows, pairs, strict=True):
        expected = paired(_units(numbers, *pair))
        assert expected is not None
        found = (row["ratio"], row["low"], row["high"], row["p"])
        assert found == pytest.approx(
            (expected.ratio, expected.low, expected.high, expected.p), rel=1e-12
        )
        assert (row["environments"], row["settings"], row["reason"]) == (30, 6, None)
    assert [row["p_holm"] for row in rows] == pytest.approx(holm([row["p"] for row in rows]))
    assert [row["tie"] for row in rows] == ["no", "no", "no"]
    assert len(_compare(con)) == 3


def test_on_chosen_problems_and_points(con: Any, add: Callable[..., Any]) -> None:
    numbers = _fill(add)
    (row,) = _compare(con, subjects=["ensemble+", "ensemble"], filter="input_dim=100")
    expected = paired(_units(numbers, "ensemble+", "ensemble", (100,)))
    assert expected is not None and row["low"] == pytest.approx(expected.low)
    (early,) = _compare(con, subjects=["ensemble+", "mlp"], tau=1)
    assert early["ratio"] == pytest.approx(1.05, abs=0.02) and early["tie"] in ("yes", "no")
    (iid,) = _compare(con, subjects=["ensemble+", "mlp"], kappa="iid")
    assert iid["ratio"] == pytest.approx(_compare(con, subjects=["ensemble+", "mlp"])[0]["ratio"])


def test_gaps_are_said(con: Any, add: Callable[..., Any]) -> None:
    cells = [
        (Cell("testbed", f"testbed/d2-l1-t0.1/e{e}", agent), _rows(level, level, level))
        for agent, level, seen in (("mlp", 1.0, range(4)), ("ensemble", 2.0, range(2, 4)),
                                   ("uniform", 3.0, range(4, 6)))
        for e in seen
    ]  # fmt: skip
    cells.append((Cell("testbed", "testbed/d2-l1-t0.1/e0", "prior"),
                  [MetricRow("kl", None, None, 10, 2, reason="diverged")]))  # fmt: skip
    add("rone", cells)
    rows = {(r["above"], r["below"]): r for r in _compare(con)}
    assert rows["ensemble", "mlp"]["ratio"] == 2.0
    assert rows["ensemble", "mlp"]["reason"] == "on 2 cells that both have"
    assert rows["ensemble", "uniform"]["reason"] == "no problem in common"
    assert rows["mlp", "prior"]["reason"] == "numbers are missing"
    assert rows["mlp", "prior"]["ratio"] is None


def test_what_cannot_be_compared(con: Any, add: Callable[..., Any]) -> None:
    assert _compare(con) == []
    _fill(add)
    with pytest.raises(UsageError, match="Did you mean 'ensemble'"):
        _compare(con, subjects=["ensembel", "mlp"])
    with pytest.raises(UsageError, match="at least two agents"):
        _compare(con, subjects=["mlp", "mlp"])
    with pytest.raises(UsageError, match="no joint predictions"):
        _compare(con, scenario="mi")
    with pytest.raises(UsageError, match="no number of this board meets --filter 'input_dim=3'"):
        _compare(con, filter="input_dim=3")
    for words in ("zzz", "!mlp", "agent~ens", "kl_t1<0.5"):  # they would choose rows, or nothing
        with pytest.raises(UsageError, match="chooses problems"):
            _compare(con, filter=words)


def test_subjects_apart_are_refused(con: Any, add: Callable[..., Any]) -> None:
    cells = [(Cell("testbed", f"testbed/d2-l1-t0.1/e{e}", agent), _rows(1.0, 1.0, 1.0))
             for agent, e in (("mlp", 0), ("mlp", 1), ("ensemble", 1), ("bbb", 2))]  # fmt: skip
    add("rone", cells)
    units = {(row["above"], row["below"]): row["environments"] for row in _compare(con)}
    assert units["ensemble", "mlp"] == 1 and len(units) == 3  # the others have nothing in common
    with pytest.raises(UsageError, match="no two agents have a problem in common that meets"):
        _compare(con, filter="environment=0,2")
    with pytest.raises(UsageError, match="no two agents have a problem in common at this tau"):
        _compare(con, subjects=["ensemble", "bbb"])
    assert len(_compare(con, filter="environment=1")) == 3


def test_claims_hold_where_they_were_put(con: Any, add: Callable[..., Any], tmp_path: Path) -> None:
    numbers = _fill(add)
    rows = list(queries.run(con, "claims", {"scenario": "testbed"}).dicts())
    spread = {(r["claim"].partition(", ")[2], r["place"]): r for r in rows if "worst" in r["claim"]}
    assert spread["tau=1", "D=10,100"]["holds"] == "yes"
    assert 1.0 < spread["tau=1", "D=10,100"]["value"] < 1.3
    joint = spread["tau=10 kappa=2", "D=100"]
    assert joint["holds"] == "yes" and joint["detail"] == "mlp / ensemble+"
    expected = paired(_units(numbers, "mlp", "ensemble+", (100,)))
    assert expected is not None and (joint["low"], joint["high"]) == pytest.approx(
        (expected.low, expected.high)
    )
    largest = {r["place"]: r["value"] for r in rows if r["claim"].startswith("largest")}
    assert largest == {"D=2": 1.0, "D=10": 1.0, "D=100": 10.0}
    assert {r["holds"] for r in rows if r["claim"].startswith("largest")} == {"yes"}
    by_place = {r["place"]: r for r in rows if r["claim"].startswith("ensemble+")}
    assert len(by_place) == 6 and by_place["D=2 lambda=1"]["high"] < 1
    (ranks,) = (r for r in rows if "rank" in r["claim"])
    assert ranks["claim"] == "rank correlation of 3 agents" and -1 <= ranks["low"] <= 1
    path = export.query(con, "claims", {"scenario": "testbed"}, "json", tmp_path / "store")
    assert [row["place"] for row in json.loads(path.read_text())] == [r["place"] for r in rows]


@pytest.mark.parametrize(
    ("values", "holds"),
    [
        ([1.0, 1.0, 10.0], "yes"), ([0.0, 1.0], "yes"), ([1.0, 1.0], "no"), ([0.0, 0.0, 0.0], "no"),
        ([1.0, 10.0, 1.0], "no"), ([10.0, 1.0, 100.0], "no"), ([1.0], None), ([1.0, None], None),
        ([], None),
    ],
)  # fmt: skip
def test_growth_needs_two_numbers_and_a_rise(values: list[float | None], holds: str) -> None:
    assert grows(values) == holds


@pytest.mark.parametrize("word", ["input_dim=10", "ratio=1", "setting!=d2-l10-t0.1"])
def test_growth_is_not_told_from_too_few_places(
    con: Any, add: Callable[..., Any], word: str
) -> None:
    """One dimension, one ratio, or ratios that are not everywhere the same."""
    draw, cells = np.random.default_rng(0), []
    column, _, value = word.replace("!", "").partition("=")
    for dim in DIMS:
        for ratio in RATIOS:
            place = {"input_dim": str(dim), "ratio": str(ratio), "setting": f"d{dim}-l{ratio}-t0.1"}
            if (place[column] == value) == ("!" in word):
                continue
            for e in range(3):
                for agent, level in (("ensemble", 2.0), ("ensemble+", 1.0)):
                    cell = Cell("testbed", f"testbed/d{dim}-l{ratio}-t0.1/e{e}", agent)
                    cells.append((cell, _rows(1.0, 1.0, level + draw.normal(0, 0.02))))
    add("rfew", cells)
    rows = queries.run(con, "claims", {"scenario": "testbed"}).dicts()
    largest = [row for row in rows if row["claim"].startswith("largest")]
    assert largest and {row["holds"] for row in largest} == {None}
    assert all(row["value"] > 0 for row in largest)


def test_claims_are_of_the_testbed(con: Any) -> None:
    assert queries.run(con, "claims", {"scenario": "testbed"}).rows == []
    with pytest.raises(UsageError, match="claims are of testbed and real"):
        queries.run(con, "claims", {"scenario": "ppc"})


def test_claims_are_of_no_study(con: Any, add: Callable[..., Any]) -> None:
    _fill(add)
    before = queries.run(con, "claims", {"scenario": "testbed"}).rows
    coins = [Cell("testbed", f"testbed/coins-m10-n0/e{e}", "uniform") for e in range(2)]
    files = [Cell("testbed", "testbed/file-own-0f/e0", agent) for agent in ("mlp", "ensemble")]
    for run, sweep, cells in (("rtwo", "coins", coins), ("rthree", "files", files)):
        add(run, [(cell, _rows(1.0, 1.0, 1.0)) for cell in cells], sweep=sweep)
    after = queries.run(con, "claims", {"scenario": "testbed"}).rows
    # More rows are summed in another order.
    same = [[pytest.approx(v) if isinstance(v, float) else v for v in row] for row in before]
    assert before and [list(row) for row in after] == same


def test_rank_correlation_by_hand() -> None:
    """Ranks 1 2 3 4 against 2 1 4 3: 1 - 6 * 4 / (4 * 15) = 0.6; a tie shares its ranks."""

    def agents(means: list[float]) -> list[list[Unit]]:
        return [[Unit("s", mean, mean), Unit("s", mean, mean)] for mean in means]

    def pairs(one: list[float], two: list[float]) -> Any:
        return list(zip(agents(one), agents(two), strict=True))

    assert spearman(pairs([1, 2, 3, 4], [20, 10, 40, 30])) == pytest.approx((0.6, 0.6, 0.6))
    assert spearman(pairs([1, 2, 2], [1, 2, 3]))[0] == pytest.approx(np.sqrt(3) / 2)
    assert spearman(pairs([1, 1, 1], [1, 2, 3])) == (None, None, None)
