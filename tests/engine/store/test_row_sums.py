"""Agents on one data set, one environment: intervals against draws of its very test rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import duckdb
import numpy as np
import pytest

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.executors.wire import finished_from_json, finished_to_json
from augury.engine.metrics.joint_rows import kl_row
from augury.engine.metrics.row_sums import GROUPS, group_of
from augury.engine.store import connection, queries
from augury.engine.store.bootstrap import Unit, paired
from augury.engine.store.row_sums import together
from augury.engine.types import Cell, CellFinished, MetricRow, Seconds

# Of hard rows every agent thinks ill: their errors go together.
LEVEL = {"mlp": 1.0, "ensemble": 0.97, "ensemble+": 0.9}
REGIMES, SEEDS = (10, 120), (0, 1)


def _losses(rows: int, seed: int) -> dict[tuple[str, int, int], Any]:
    """Loss of each test row by agent, regime and seed of the agent."""
    draw = np.random.default_rng(seed)
    hard = draw.gamma(2.0, 0.5, rows)
    return {
        (agent, regime, s): level * hard + draw.normal(0, 0.05, rows) + 10 / (10 + regime)
        for agent, level in LEVEL.items() for regime in REGIMES for s in SEEDS
    }  # fmt: skip


def _cell(agent: str, regime: int, seed: int) -> Cell:
    version = SCENARIOS["real"].version
    return Cell("real", f"real/iris/n{regime}", agent, seed=seed, scenario_version=version)


def _rows(losses: Any) -> list[MetricRow]:
    """All pairs of them, scored by the mean of both: a U-statistic of rows, whose means these are.

    Hajek's projection of such a score is exact: each row's mean over its pairs is half its own loss
    and half that of all.
    """
    pairs = losses / 2 + losses.mean() / 2
    return [kl_row(losses, 1, 0), kl_row(pairs, 10, 2, degree=2.0)]


def _fill(add: Callable[..., Any], losses: Any, run: str = "rreal") -> None:
    add(run, [(_cell(*key), _rows(each)) for key, each in losses.items()], sweep="real-regimes")


def _mean(losses: Any, agent: str) -> Any:
    """An agent's loss of each row over its regimes and seeds."""
    return np.mean([each for key, each in losses.items() if key[0] == agent], axis=0)


def _drawn(losses: Any, agent: str, count: int = 4_000) -> Any:
    """Ratios of means over rows drawn anew, the same rows for both: an ordinary bootstrap."""
    above, below = _mean(losses, agent), _mean(losses, "mlp")
    draw = np.random.default_rng(11)
    rows = draw.integers(0, len(above), (count, len(above)))
    return above[rows].mean(1) / below[rows].mean(1)


@pytest.mark.parametrize("rows", [40, 700])
def test_intervals_are_those_of_drawn_rows(con: Any, add: Callable[..., Any], rows: int) -> None:
    """Board, compare, claims and differences; up to 64 rows nothing is lost by grouping."""
    losses = _losses(rows, seed=rows)
    _fill(add, losses)
    board = queries.run(con, "board", {"scenario": "real"})
    found = {row["agent"]: row for row in board.dicts()}
    assert board.column("reason") == [None] * 3
    compared = {(r["above"], r["below"]): r
                for r in queries.run(con, "compare", {"scenario": "real"}).dicts()}  # fmt: skip
    # Of 64 groups a standard error is known to 9 %; three of that.
    near = 0.05 if rows <= GROUPS else 0.27
    for agent in ("ensemble", "ensemble+"):
        row, drawn = found[agent], _drawn(losses, agent)
        above, below = _mean(losses, agent), _mean(losses, "mlp")
        ratio = above.mean() / below.mean()
        error = np.std(above - ratio * below, ddof=1) / rows**0.5 / below.mean()
        for name in ("kl_t1_norm", "kl_t10_k2_norm"):
            assert row[name] == pytest.approx(ratio, rel=1e-9)
            exact = 1e-5 if rows <= GROUPS else near  # sums are kept in 32 bits
            assert row[f"{name}_stderr"] == pytest.approx(error, rel=exact)
            low, high = row[f"{name}_low"], row[f"{name}_high"]
            assert low < ratio < high
            wanted = np.quantile(drawn, [0.025, 0.975]) - ratio
            assert (low - ratio, high - ratio) == pytest.approx(wanted, rel=0.1 + near)
        # Taken for independent, their errors would be many times as large.
        apart = np.hypot(above.std(), ratio * below.std()) / rows**0.5 / below.mean()
        assert row["kl_t10_k2_norm_stderr"] < apart / 3
        pair = compared[agent, "mlp"] if (agent, "mlp") in compared else compared["mlp", agent]
        assert pair["low"] is not None and pair["p"] is not None and not pair.get("reason")
    assert compared["ensemble+", "mlp"]["tie"] == "no" and found["ensemble+"]["ties"] == "neither"
    claims = list(queries.run(con, "claims", {"scenario": "real"}).dicts())
    assert [r["low"] < r["value"] < r["high"] for r in claims] == [True, True]
    wanted = {"scenario": "real", "subjects": ["mlp", "ensemble+"], "column": "kl_t10_k2"}
    (row, *settings) = queries.run(con, "differences", wanted).dicts()
    differ = _mean(losses, "ensemble+") - _mean(losses, "mlp")
    assert row["difference"] == pytest.approx(differ.mean())
    assert row["stderr"] == pytest.approx(np.std(differ, ddof=1) / rows**0.5, rel=max(near, 1e-5))
    assert row["low"] < row["difference"] < row["high"]
    assert len(settings) == 2 and all(s["low"] < s["difference"] < s["high"] for s in settings)


def test_the_samples_of_each_are_its_own(con: Any, add: Callable[..., Any]) -> None:
    """What epistemic samples add is independent of the other's, and averages over seeds."""
    losses = _losses(50, seed=2)
    own = {"mlp": 0.03, "ensemble": 0.0, "ensemble+": 0.02}
    cells = []
    for key, each in losses.items():
        rows = [replace(row, sums=row.sums._replace(own=own[key[0]])) for row in _rows(each)
                if row.sums]  # fmt: skip
        cells.append((_cell(*key), rows))
    add("rreal", cells, sweep="real-regimes")
    found = {r["agent"]: r for r in queries.run(con, "board", {"scenario": "real"}).dicts()}
    above, below = _mean(losses, "ensemble+"), _mean(losses, "mlp")
    ratio = above.mean() / below.mean()
    shared = np.var(above - ratio * below, ddof=1) / 50
    mine = (0.02**2 + (ratio * 0.03) ** 2) / 4  # of two regimes and two seeds
    error = np.sqrt(shared + mine) / below.mean()
    assert found["ensemble+"]["kl_t1_norm_stderr"] == pytest.approx(error, rel=1e-5)
    low, high = found["ensemble+"]["kl_t1_norm_low"], found["ensemble+"]["kl_t1_norm_high"]
    assert (high - low) / 2 == pytest.approx(1.96 * error, rel=0.1)


def test_coverage_over_test_sets() -> None:
    """Test rows drawn anew 300 times: the truth lies within 95 % intervals about that often."""
    held, rounds = 0, 300
    more = np.mean([10 / (10 + regime) for regime in REGIMES])
    truth = (LEVEL["ensemble+"] + more) / (LEVEL["mlp"] + more)  # hard rows have mean 1
    for seed in range(rounds):
        losses = _losses(150, 100 + seed)
        values, stored = [], []
        for agent in ("ensemble+", "mlp"):
            mine = [_rows(each)[1] for key, each in losses.items() if key[0] == agent]
            values.append(float(np.mean([row.value or 0.0 for row in mine])))
            stored.append([(row.sums.own, np.array(row.sums.groups, np.float32).tobytes())
                           for row in mine if row.sums])  # fmt: skip
        rows = together(stored[0], stored[1])
        found = paired([Unit("", values[0], values[1], 0.1, 0.1, "shared", rows)], 500)
        assert found is not None and found.low is not None and found.high is not None
        held += found.low <= truth <= found.high
    # Binomial standard error at 300 rounds: 1.3 %; 64 groups make intervals hold .3 % less.
    assert held / rounds == pytest.approx(0.95, abs=0.04)


def test_one_environment_of_the_testbed(con: Any, add: Callable[..., Any]) -> None:
    """Its test batches are all agents' too."""
    draw = np.random.default_rng(4)
    hard = draw.gamma(2.0, 0.5, 200)
    each = {agent: level * hard + draw.normal(0, 0.02, 200) for agent, level in LEVEL.items()}
    add("rone", [(Cell("testbed", "testbed/d2-l10-t0.1/e0", agent),
                  [kl_row(kl, tau, kappa) for tau, kappa in ((1, 0), (10, 0), (10, 2))])
                 for agent, kl in each.items()])  # fmt: skip
    row = {r["agent"]: r for r in queries.run(con, "board", {"scenario": "testbed"}).dicts()}
    ratio = each["ensemble"].mean() / each["mlp"].mean()
    rest = each["ensemble"] - ratio * each["mlp"]
    error = rest.std(ddof=1) / 200**0.5 / each["mlp"].mean()
    assert row["ensemble"]["kl_t10_k2_norm_stderr"] == pytest.approx(error, rel=0.27)
    assert row["ensemble"]["kl_t10_k2_norm_high"] < 1 and row["ensemble"]["reason"] is None


def test_a_store_of_before_says_what_it_lacks(
    con: Any, add: Callable[..., Any], tmp_path: Any
) -> None:
    """No table of sums: read as it is, and written to after that."""
    _fill(add, _losses(40, seed=5))
    con.execute("DROP TABLE row_sums")
    why = (
        "one data set: cells of earlier versions lack sums of their rows: no interval "
        "(another --store has them anew)"
    )
    for name in ("board", "compare", "differences", "claims"):
        more = {"subjects": ["mlp", "ensemble"]} if name == "differences" else {}
        rows = list(queries.run(con, name, {"scenario": "real", **more}).dicts())
        assert why in str(rows) and all(row.get("low") is None for row in rows)
    con.execute("CHECKPOINT")
    con.close()
    with duckdb.connect(str(tmp_path / "store" / connection.FILE_NAME), read_only=True) as old:
        assert old.execute("SELECT count(*) FROM results").fetchone() == (24,)
    again = connection.open_store(tmp_path / "store")
    assert again.execute("SELECT count(*) FROM row_sums").fetchone() == (0,)
    board = queries.run(again, "board", {"scenario": "real"})
    assert why in board.column("reason")
    again.close()


def test_who_was_not_compared_with_both_is_not_told_apart_from_both(
    con: Any, add: Callable[..., Any]
) -> None:
    _fill(add, _losses(40, seed=40))
    whole = {r["agent"]: r for r in queries.run(con, "board", {"scenario": "real"}).dicts()}
    assert whole["ensemble+"]["ties"] == "neither"
    con.execute("DELETE FROM row_sums WHERE cell_id IN (SELECT cell_id FROM cells "
                "WHERE subject = 'mlp')")  # fmt: skip
    rows = {r["agent"]: r for r in queries.run(con, "board", {"scenario": "real"}).dicts()}
    assert not any(row["ties"] == "neither" for row in rows.values())


def test_sums_travel_whole() -> None:
    """Between processes they are 32-bit numbers, as in the store; groups are alike everywhere."""
    row = kl_row(np.random.default_rng(0).gamma(1.0, 1.0, 900), 10, 2)
    assert row.sums is not None and len(row.sums.groups) == GROUPS
    assert sum(row.sums.groups) == pytest.approx(0.0, abs=1e-12)
    told = finished_to_json(CellFinished("c", (row, MetricRow("ess", 9.0)), Seconds(0, 0, 0), 1))
    (back, other) = finished_from_json(told).rows
    assert back.sums is not None and other.sums is None
    assert back.sums.groups == pytest.approx(row.sums.groups, rel=1e-6, abs=1e-9)
    assert replace(back, sums=None) == replace(row, sums=None)
    sizes = np.bincount(group_of(900))
    assert len(sizes) == GROUPS and set(sizes) == {14, 15}
    assert sorted(group_of(30)) == list(range(30))
    assert [int(g) for g in group_of(900)[:3]] == [6, 63, 13]
