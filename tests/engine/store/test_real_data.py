"""Boards on real data: data sets are what is drawn anew, and tuned configs go by setting."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from augury.engine.store import export, queries, render
from augury.engine.store.bootstrap import Unit, paired
from augury.engine.store.ranks import permutation_p
from augury.engine.types import Cell, MetricRow

SETS = {"iris": (10, 120), "wine_quality": (10, 100), "mnist": (10, 100)}
# Means over mlp's at tau = 1, and at tau = 10, kappa = 2.
LEVEL = {"mlp": (1.0, 1.0), "ensemble": (0.95, 0.9), "ensemble+": (1.02, 0.5), "dropout": (1, 0.7)}


def _cell(
    name: str, rows: int, agent: str, config: Any = None, seed: int = 0, end: str = ""
) -> Cell:
    problem, version = f"real/{name}/n{rows}{end}", SCENARIOS["real"].version
    return Cell("real", problem, agent, config or {}, seed=seed, scenario_version=version)


def _rows(one: float, ten: float) -> list[MetricRow]:
    return [MetricRow("kl", one, 0.01, 1, 0, num_samples=9), MetricRow("kl", ten, 0.05, 10, 2)]


def _fill(add: Callable[..., Any]) -> dict[tuple[str, str], list[float]]:
    """Numbers at (10, 2) by agent and data set, over two regimes and two seeds."""
    draw, cells, found = np.random.default_rng(0), [], {}
    for name, regimes in SETS.items():
        for rows in regimes:
            for seed in (0, 1):
                base = 3.0 + draw.normal(0, 0.5)
                for agent, (one, ten) in LEVEL.items():
                    value = base * ten + draw.normal(0, 0.02)
                    found.setdefault((agent, name), []).append(value)
                    cells.append((_cell(name, rows, agent, seed=seed), _rows(base * one, value)))
    add("rreal", cells, sweep="real-regimes")
    return found


def test_data_sets_are_drawn_anew(con: Any, add: Callable[..., Any]) -> None:
    numbers = _fill(add)
    board = queries.run(con, "board", {"scenario": "real"})
    rows = {row["agent"]: row for row in board.dicts()}
    means = {key: float(np.mean(values)) for key, values in numbers.items()}
    for agent, row in rows.items():
        mine = [Unit("", means[agent, s], means["mlp", s]) for s in sorted(SETS)]
        above = np.array([unit.above for unit in mine])
        assert row["kl_t10_k2"] == pytest.approx(above.mean())
        assert row["kl_t10_k2_stderr"] == pytest.approx(above.std(ddof=1) / 3**0.5)
        assert (row["problems"], row["seeds"], row["coverage"]) == (6, 2, "12/12")
        expected = paired(mine)
        assert expected is not None
        assert row["kl_t10_k2_norm"] == pytest.approx(expected.ratio)
        if agent != "mlp":
            ends = row["kl_t10_k2_norm_low"], row["kl_t10_k2_norm_high"]
            assert ends == pytest.approx((expected.low, expected.high))
    assert [row["rank"] for row in rows.values()] == [1, 2, 3, 4]
    assert next(iter(rows)) == "ensemble+"


WHY = (
    "one data set: cells of earlier versions lack sums of their rows: no interval "
    "(another --store has them anew)"
)


def test_a_lone_data_set_has_no_interval_of_a_ratio(
    con: Any, add: Callable[..., Any], tmp_path: Path
) -> None:
    """All agents are scored on its rows: with nothing but marginal errors none would be right."""
    _fill(add)
    wanted = {"scenario": "real", "filter": "dataset=iris"}
    for by in ([], ["dataset"]):
        rows = {r["agent"]: r for r in queries.run(con, "board", {**wanted, "by": by}).dicts()}
        assert next(iter(rows)) == "ensemble+" and not rows["mlp"]["reason"]
        row = rows["ensemble+"]
        assert row["kl_t10_k2_stderr"] == pytest.approx(0.05)  # of one agent alone it is right
        assert 0.4 < row["kl_t10_k2_norm"] < 0.6 and row["reason"] == WHY
        ends = ("kl_t10_k2_norm_stderr", "kl_t10_k2_norm_low", "kl_t10_k2_norm_high", "ties")
        assert [row[name] for name in ends] == [None] * 4
    text = export.query(con, "board", wanted, "csv", tmp_path / "store").read_text("utf-8")
    assert text.count(WHY) == 3
    notes = render.notes(queries.run(con, "board", wanted))
    assert notes == [WHY]
    for row in queries.run(con, "compare", wanted).dicts():
        assert (row["low"], row["high"], row["p"], row["reason"]) == (None, None, None, WHY)
    claims = [r for r in queries.run(con, "claims", {"scenario": "real"}).dicts()
              if r["place"] == "iris"]  # fmt: skip
    assert all(r["low"] is None and r["detail"].endswith(f"({WHY})") for r in claims)
    assert len(claims) == 2


def test_configs_go_by_data_set_and_rows(con: Any, add: Callable[..., Any]) -> None:
    """Chosen on held out rows, one for each setting, and planned as such."""
    best = {10: 0.01, 100: 10.0, 1_000: 0.1, 3_918: 1.0}
    decays = sorted(set(best.values()))
    cells = [
        (_cell("wine_quality", rows, "mlp", {} if d == 1.0 else {"weight_decay": d}, 0,
               "-validation"), _rows(1.0, 2.0 + abs(np.log(d / chosen))))
        for rows, chosen in best.items() for d in decays
    ]  # fmt: skip
    add("rtune", cells, sweep="real-regimes-tuning", config="all")
    rows = list(queries.run(con, "tuning", {"sweep": "real-regimes"}).dicts())
    found = {row["setting"]: row["config"] for row in rows}
    assert found == {
        f"wine_quality/n{n}": "{}" if d == 1.0 else f'{{"weight_decay":{d}}}'
        for n, d in best.items()
    }
    assert {row["kl"] for row in rows} == {2.0} and rows[0]["configs"] == 4
    tuned = tuple(("mlp", setting, config) for setting, config in found.items())
    chosen = Selection(("real-regimes",), ("mlp",), (0,), "full", config="best", tuned=tuned,
                       filter="dataset=wine_quality")  # fmt: skip
    planned = [p.cell for p in expand(chosen)]
    assert {c.problem: c.config.get("weight_decay", 1.0) for c in planned} == {
        f"real/wine_quality/n{n}": d for n, d in best.items()
    }
    others = [_cell("wine_quality", 10, "mlp", {"weight_decay": 10.0})]  # chosen elsewhere
    add("rbest", [(c, _rows(1.0, 2.5)) for c in [*planned, *others]], sweep="real-regimes")
    (row,) = queries.run(con, "board", {"scenario": "real", "config": "best"}).dicts()
    assert (row["agent"], row["coverage"]) == ("mlp[best by setting]", "4/4")
    assert row["kl_t10_k2"] == pytest.approx(2.5)
    with pytest.raises(UsageError, match="no config of mlp is tuned for iris/n10"):
        expand(Selection(("real-regimes",), ("mlp",), scale="full", config="best", tuned=tuned))


def test_claims_on_real_data(con: Any, add: Callable[..., Any]) -> None:
    numbers = _fill(add)
    rows = list(queries.run(con, "claims", {"scenario": "real"}).dicts())
    assert [row["place"] for row in rows] == 2 * ["all 3 data sets", *sorted(SETS)]
    single, joint = rows[0], rows[4]
    assert single["claim"] == "worst / best of 4 agents, tau=1" and single["holds"] == "yes"
    assert single["value"] == pytest.approx(1.02 / 0.95)
    means = {a: np.mean([numbers[a, s] for s in SETS]) for a in LEVEL}
    assert joint["value"] == pytest.approx(means["mlp"] / means["ensemble+"])
    assert (joint["detail"], joint["holds"]) == ("mlp / ensemble+", "yes")


def _testbed(add: Callable[..., Any], order: Sequence[str]) -> None:
    """KL grows along `order`."""
    draw, cells = np.random.default_rng(1), []
    for environment in range(5):
        level = draw.normal(1, 0.1)
        for place, agent in enumerate(order):
            problem = f"testbed/d2-l1-t0.1/e{environment}"
            cell = Cell("testbed", problem, agent, scenario_version=2)
            cells.append((cell, _rows(1.0, level * (1 + place) + draw.normal(0, 0.01))))
    add("rbed", cells)


def test_scores_on_both_sides(con: Any, add: Callable[..., Any]) -> None:
    _fill(add)
    order = ["ensemble+", "dropout", "ensemble", "mlp", "uniform", "bbb"]
    _testbed(add, order)
    table = queries.run(con, "transfer", {})
    rows = {row["agent"]: row for row in table.dicts()}
    assert list(rows) == order[:4]  # trained, and on both sides; the best on real data first
    assert [row["testbed_rank"] for row in rows.values()] == [1, 2, 3, 4]
    assert [row["real_rank"] for row in rows.values()] == [1, 2, 3, 4]
    assert rows["ensemble+"]["testbed"] == pytest.approx(0.25, abs=0.01)
    assert rows["ensemble+"]["real"] == pytest.approx(0.5, abs=0.02)
    assert rows["mlp"]["real"] == 1 and rows["mlp"]["real_low"] is None
    assert (rows["mlp"]["environments"], rows["mlp"]["data_sets"]) == (5, 3)
    found: Any = table.meta["correlation"]
    # Of the 24 orders of four agents one agrees in full and one is its reverse.
    expected = {"agents": 4, "spearman": 1.0, "low": 1.0, "high": 1.0, "p": 2 / 24}
    assert found == pytest.approx(expected)
    board = queries.run(con, "board", {"scenario": "real"})
    norms = {row["agent"]: row["kl_t10_k2_norm_low"] for row in board.dicts()}
    assert rows["dropout"]["real_low"] == pytest.approx(norms["dropout"])


def test_nothing_is_told_of_too_little(con: Any, add: Callable[..., Any]) -> None:
    assert queries.run(con, "transfer", {}).meta["contexts_of"] == {"testbed": None, "real": None}
    _testbed(add, ["mlp", "ensemble", "dropout"])
    table = queries.run(con, "transfer", {})
    assert table.rows == [] and table.meta["correlation"] == {}
    cells = [(_cell("iris", 120, a), _rows(1.0, v)) for a, v in (("mlp", 3.0), ("dropout", 1.0))]
    add("rtwo", cells, sweep="real")
    assert queries.run(con, "transfer", {}).meta["correlation"] == {}
    add("rthree", [(_cell("iris", 120, "ensemble"), _rows(1.0, 2.0))], sweep="real")
    found: Any = queries.run(con, "transfer", {}).meta["correlation"]
    assert found["spearman"] == -1.0 and found["low"] is None  # one data set
    with pytest.raises(UsageError, match="default or best"):
        queries.run(con, "transfer", {"config": "all"})


def test_permutations_are_counted() -> None:
    one, two = [1.0, 2.0, 3.0, 4.0, 5.0], [2.0, 1.0, 3.0, 5.0, 4.0]

    def strength(order: Sequence[float]) -> float:
        return abs(float(np.corrcoef(one, order)[0, 1]))

    every = [strength(order) for order in permutations(two)]
    expected = np.mean(np.array(every) >= strength(two) - 1e-9)
    assert permutation_p(one, two) == pytest.approx(expected)
    assert permutation_p([1.0, 1.0], [1.0, 2.0]) is None
    # More agents than can be counted: of 10 in one order, next to no other is as strong.
    many = list(range(10))
    assert permutation_p(many, many) == pytest.approx(1 / 40_321, rel=1e-9)
    assert permutation_p(many, many) == permutation_p(many, many)


def test_differences_go_by_setting(con: Any, add: Callable[..., Any]) -> None:
    _fill(add)
    wanted = {"scenario": "real", "subjects": ["mlp", "ensemble+"], "by": "setting"}
    rows = list(queries.run(con, "differences", wanted).dicts())
    settings = sorted(f"{name}/n{rows}" for name, regimes in SETS.items() for rows in regimes)
    assert [row["place"] for row in rows[1:]] == settings
    assert (rows[0]["units"], rows[0]["wins"], rows[0]["losses"]) == (3, 0, 3)
    assert rows[1]["units"] == 1 and rows[1]["stderr"] is None and rows[1]["low"] is None
    assert rows[1]["reason"] == WHY and rows[1]["first_stderr"] == pytest.approx(0.05)


def test_own_tables_pass_for_no_data_set(con: Any, add: Callable[..., Any]) -> None:
    """Newer than the data sets they hide none, and each is a ranking of its own."""
    order = ["ensemble+", "dropout", "ensemble", "mlp"]
    _testbed(add, order)
    tables = [(_cell(name, 10, agent), _rows(1.0, level + 10 * n))
              for n, name in enumerate(("iris", "mnist"))
              for agent, level in (("mlp", 1.0 + n), ("dropout", 2.0 - n))]  # fmt: skip
    add("rown", tables, sweep="tables")
    told: Any = queries.run(con, "transfer", {})
    assert told.rows == [] and told.meta["contexts_of"]["real"] is None
    assert queries.run(con, "claims", {"scenario": "real"}).rows == []
    board = queries.run(con, "board", {"scenario": "real"})
    ranks = {(r["setting"], r["agent"]): r["rank"] for r in board.dicts()}
    assert ranks == {("iris/n10", "mlp"): 1, ("iris/n10", "dropout"): 2,
                     ("mnist/n10", "dropout"): 1, ("mnist/n10", "mlp"): 2}  # fmt: skip
    assert "ranks are within each setting" in render.notes(board)
    _fill(add)
    add("rmore", tables, sweep="tables")
    for name in ("board", "claims"):
        found: Any = queries.run(con, name, {"scenario": "real"}).meta["context"]
        assert found["sweep"] == "real-regimes"
    told = queries.run(con, "transfer", {}).meta["contexts_of"]
    assert told["real"]["sweep"] == "real-regimes"
    named = queries.run(con, "board", {"scenario": "real", "sweep": "tables"})
    assert len(named.rows) == 4
