"""Boards: the arithmetic against NumPy, who is ranked, what is shown where numbers lack."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.store import queries, render, write
from augury.engine.store.records import RunRecord, Table
from augury.engine.types import Cell, MetricRow
from tests.engine.store import oracle
from tests.engine.store.conftest import kl
from tests.engine.store.oracle import Number

# Three settings with 3, 2 and 1 environments; two agent seeds.
PROBLEMS = [("d2-l10-t0.1", 0), ("d2-l10-t0.1", 1), ("d2-l10-t0.1", 2),
            ("d10-l10-t0.1", 0), ("d10-l10-t0.1", 1), ("d10-l1-t0.5", 0)]  # fmt: skip
LEVEL = {"uniform": 1.0, "mlp": 0.5, "ensemble": 0.05, "ensemble+": 0.02}


def _numbers(seed: int = 0) -> list[Number]:
    """Some of them negative, as estimates of a small KL are."""
    draw = np.random.default_rng(seed)
    return [
        Number(label, setting, unit, agent_seed, draw.normal(level, 0.1), draw.uniform(0.01, 0.1))
        for label, level in LEVEL.items()
        for setting, unit in PROBLEMS
        for agent_seed in (0, 1)
    ]


def _cell(n: Number, **fields: Any) -> Cell:
    return Cell("testbed", f"testbed/{n.setting}/e{n.unit}", n.label, seed=n.seed, **fields)


def _board(con: Any, **params: Any) -> Table:
    return queries.run(con, "board", {"scenario": "testbed", **params})


def _rows(table: Table) -> dict[str, dict[str, Any]]:
    return {row["agent"]: row for row in table.dicts()}


def _of(numbers: Sequence[Number], label: str) -> list[Number]:
    return [n for n in numbers if n.label == label]


def test_means_ratios_and_their_errors_are_numpys(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers()
    assert min(n.value for n in numbers) < -0.05
    add("rone", [(_cell(n), kl(n.value, n.stderr)) for n in numbers])
    rows = _rows(_board(con))
    for label in LEVEL:
        row, mine = rows[label], _of(numbers, label)
        value, stderr = oracle.mean(mine)
        assert row["kl_t1"] == pytest.approx(value, rel=1e-12)
        assert row["kl_t1_stderr"] == pytest.approx(stderr, rel=1e-12)
        assert row["kl_t10_k2"] == row["kl_t1"]
        quotient, error = oracle.ratio(mine, _of(numbers, "mlp"))
        assert row["kl_t10_iid_norm"] == pytest.approx(quotient, rel=1e-12)
        if label == "mlp":
            assert (row["kl_t1_norm"], row["kl_t1_norm_stderr"]) == (1.0, 0.0)
        else:
            assert row["kl_t1_norm_stderr"] == pytest.approx(error, rel=1e-12)
        assert (row["problems"], row["seeds"], row["coverage"]) == (6, 2, "12/12")
        assert row["seconds"] == 1.5 and row["reason"] is None
        assert row["accuracy"] is None
    order = sorted(LEVEL, key=lambda label: rows[label]["kl_t10_k2"])
    assert [rows[label]["rank"] for label in order] == [1, 2, 3, 4]
    assert [row[1] for row in _board(con).rows] == order


def test_a_sweep_without_the_usual_baseline_has_its_own(con: Any, add: Callable[..., Any]) -> None:
    add("rone", [(Cell("testbed", "testbed/coins-m10-n0/e0", name), kl(value))
                 for name, value in (("uniform", 4.0), ("posterior", 1.0))],
        sweep="coins")  # fmt: skip
    table = _board(con)
    assert (table.meta["baseline"], table.meta["baseline_missing"]) == ("uniform", False)
    rows = _rows(table)
    assert (rows["posterior"]["kl_t1_norm"], rows["uniform"]["kl_t1_norm"]) == (0.25, 1.0)


def test_the_stderr_is_what_simulation_says(con: Any, add: Callable[..., Any]) -> None:
    """Environments with a known spread: the mean of squared errors is the variance."""
    truth, spread = 0.5, 0.2
    errors, claimed = [], []
    draw = np.random.default_rng(0)
    cells = [
        (Cell("testbed", f"testbed/{s}/e{e}", "mlp", {"num_steps": subject + 1}),
         kl(draw.normal(truth, spread)))
        for subject in range(60) for s in ("d2-l10-t0.1", "d10-l10-t0.1") for e in range(8)
    ]  # fmt: skip
    add("rone", cells)
    for row in _board(con).dicts():
        errors.append(row["kl_t1"] - truth)
        claimed.append(row["kl_t1_stderr"] ** 2)
    assert len(errors) == 60
    # The ratio of two variances on 60 draws has a relative sd of about sqrt(2/60) = 0.18.
    assert np.mean(np.square(errors)) / np.mean(claimed) == pytest.approx(1.0, abs=0.6)
    assert np.mean(claimed) == pytest.approx(spread**2 / 16, rel=0.15)


def test_another_baseline(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers(1)
    add("rone", [(_cell(n), kl(n.value, n.stderr)) for n in numbers])
    row = _rows(_board(con, baseline="uniform"))["ensemble"]
    quotient, error = oracle.ratio(_of(numbers, "ensemble"), _of(numbers, "uniform"))
    assert (row["kl_t1_norm"], row["kl_t1_norm_stderr"]) == pytest.approx((quotient, error))
    with pytest.raises(UsageError, match="Did you mean 'ensemble'"):
        _board(con, baseline="ensembel")


def test_a_baseline_that_is_not_positive_gives_no_ratio(con: Any, add: Callable[..., Any]) -> None:
    numbers = [Number(label, s, u, 0, -0.1, 0.1) for label in LEVEL for s, u in PROBLEMS]
    add("rone", [(_cell(n), kl(n.value)) for n in numbers])
    assert {row["kl_t1_norm"] for row in _board(con).dicts()} == {None}
    assert _board(con).column("kl_t1") == pytest.approx([-0.1] * 4)


def test_absent_baseline_is_said(con: Any, add: Callable[..., Any]) -> None:
    numbers = _of(_numbers(), "ensemble")
    add("rone", [(_cell(n), kl(n.value)) for n in numbers])
    table = _board(con)
    assert table.meta["baseline_missing"] and table.column("kl_t1_norm") == [None]


def test_partial_coverage_is_shown_and_unranked(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers(2)
    kept = [n for n in numbers if n.label != "ensemble" or (n.unit, n.seed) != (1, 1)]
    rest = [n for n in numbers if n not in kept]
    failing = rest[0]
    add("rone", [(_cell(n), kl(n.value, n.stderr)) for n in kept]
        + [(_cell(failing), "out of luck")] + [(_cell(n), None) for n in rest[1:]])  # fmt: skip
    rows = _rows(_board(con))
    row = rows["ensemble"]
    assert (row["coverage"], row["failed"], row["pending"]) == ("10/12", 1, 1)
    assert row["rank"] is None and "1 cell failed (ValueError: out of luck)" in row["reason"]
    assert "1 cell pending" in row["reason"]
    assert row["kl_t1"] == pytest.approx(oracle.mean(_of(kept, "ensemble"))[0])
    # its ratio is over the pairs that the baseline shares with it
    assert row["kl_t1_norm"] == pytest.approx(
        oracle.ratio(_of(kept, "ensemble"), _of(kept, "mlp"))[0]
    )
    assert sorted(r["rank"] for r in rows.values() if r["rank"]) == [1, 2, 3]

    shared = {(n.setting, n.unit, n.seed) for n in _of(kept, "ensemble")}
    rows = _rows(_board(con, common=True))
    for label in LEVEL:
        mine = [n for n in _of(kept, label) if (n.setting, n.unit, n.seed) in shared]
        assert (rows[label]["kl_t1"], rows[label]["kl_t1_stderr"]) == pytest.approx(
            oracle.mean(mine)
        )
    assert sorted(r["rank"] for r in rows.values()) == [1, 2, 3, 4]


def test_a_missing_number_is_never_averaged_away(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers(3)
    broken = next(n for n in numbers if n.label == "ensemble")
    add("rone", [(_cell(n), kl(None, reason="diverged") if n is broken else kl(n.value, n.stderr))
                 for n in numbers])  # fmt: skip
    row = _rows(_board(con))["ensemble"]
    assert (row["kl_t1"], row["kl_t1_stderr"], row["kl_t1_norm"], row["rank"]) == (None,) * 4
    assert (row["coverage"], row["done"], row["failed"]) == ("11/12", 12, 0)
    assert row["reason"] == "3 numbers without value (diverged)"
    table = _board(con, sort="-kl_t1")
    assert table.column("agent")[-1] == "ensemble"  # missing last, whatever the direction
    assert _rows(_board(con, common=True))["ensemble"]["kl_t1"] is not None


def test_caveats_and_thin_columns_are_said(con: Any, add: Callable[..., Any]) -> None:
    numbers = _of(_numbers(), "mlp")
    rows = {n: kl(n.value) for n in numbers}
    rows[numbers[0]] = kl(1.0, reason="2 of 9 values are not finite, left out")
    rows[numbers[1]].append(MetricRow("accuracy", 0.5, 0.1))
    add("rone", [(_cell(n), r) for n, r in rows.items()])
    row = _rows(_board(con))["mlp"]
    assert row["accuracy"] == 0.5 and row["rank"] == 1
    assert row["reason"] == (
        "3 numbers with a caveat (2 of 9 values are not finite, left out); "
        "fewer cells behind accuracy"
    )


def test_one_number_with_a_caveat_is_one_number(con: Any, add: Callable[..., Any]) -> None:
    first, *others = _of(_numbers(), "mlp")
    odd = MetricRow("kl", 1.0, 0.1, 1, 0, num_samples=1000, reason="odd")
    add("rone", [(_cell(first), [odd, *kl(1.0)[1:]]), *((_cell(n), kl(n.value)) for n in others)])
    assert _rows(_board(con))["mlp"]["reason"] == "1 number with a caveat (odd)"


@pytest.mark.parametrize("seed", range(6))
def test_any_pattern_of_gaps(con: Any, add: Callable[..., Any], seed: int) -> None:
    """Coverage, ranks and means under random holes, as the oracle sees them."""
    draw = np.random.default_rng(seed)
    numbers = _numbers(seed)
    fate = {n: draw.choice(["done", "failed", "pending", "null"], p=[0.85, 0.05, 0.05, 0.05])
            for n in numbers}  # fmt: skip
    give = {"failed": "oops", "pending": None, "null": kl(None, reason="diverged")}
    add("rone", [(_cell(n), kl(n.value, n.stderr) if fate[n] == "done" else give[fate[n]])
                 for n in numbers])  # fmt: skip
    good = [n for n in numbers if fate[n] == "done"]
    broken = {n.label for n in numbers if fate[n] == "null"}
    rows = _rows(_board(con))
    for label in LEVEL:
        mine, row = _of(good, label), rows[label]
        assert row["coverage"] == f"{len(mine)}/12"
        assert (row["rank"] is None) == (len(mine) < 12)
        if label in broken:
            assert row["kl_t1"] is None
        else:
            assert (row["kl_t1"], row["kl_t1_stderr"]) == pytest.approx(oracle.mean(mine))
    pairs = [{n[1:4] for n in _of(good, label)} for label in LEVEL]
    shared = set.intersection(*pairs)
    rows = _rows(_board(con, common=True))
    for label in LEVEL:
        mine = [n for n in _of(good, label) if n[1:4] in shared]
        assert rows[label]["kl_t1"] == pytest.approx(oracle.mean(mine)[0])
        base = [n for n in _of(good, "mlp") if n[1:4] in shared]
        assert rows[label]["kl_t1_norm"] == pytest.approx(oracle.ratio(mine, base)[0])
    values = {label: rows[label]["kl_t10_k2"] for label in LEVEL}
    assert [rows[v]["rank"] for v in sorted(values, key=values.__getitem__)] == [1, 2, 3, 4]


def test_nothing_done_yet(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers()
    add("rone", [(_cell(n), None) for n in numbers])
    rows = _rows(_board(con))
    assert set(rows) == set(LEVEL)
    for row in rows.values():
        assert (row["kl_t1"], row["rank"], row["coverage"]) == (None, None, "0/12")
        assert (row["pending"], row["seconds"], row["reason"]) == (12, None, "12 cells pending")


def test_a_board_never_mixes_contexts(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers()
    add("rold", [(_cell(n), kl(n.value)) for n in numbers])
    add("rset", [(_cell(n, settings={"max_steps": 9}), kl(7.0)) for n in numbers])
    add("rver", [(_cell(n, scenario_version=2), kl(8.0)) for n in numbers], scale="quick")
    add("rswp", [(_cell(n), None) for n in numbers[:4]], sweep="testbed-2d")
    seen = {}
    for context in _board(con).meta["contexts"]:
        table = _board(con, **{k: v for k, v in context.items()})
        assert table.meta["context"] == context
        seen[context["sweep"], context["scale"], str(context["settings"]),
             context["scenario_version"]] = _rows(table)["uniform"]["kl_t1"]  # fmt: skip
    some = oracle.mean(numbers[:4])[0]
    all_of = oracle.mean(_of(numbers, "uniform"))[0]
    assert seen == {
        ("testbed-2d", "full", "{}", 1): pytest.approx(some),
        ("testbed", "quick", "{}", 2): 8.0,
        ("testbed", "full", "{'max_steps': 9}", 1): 7.0,
        ("testbed", "full", "{}", 1): pytest.approx(all_of),
    }
    assert _board(con).meta["context"]["sweep"] == "testbed-2d"  # the newest run's
    assert _board(con, run="rset").meta["context"]["settings"] == {"max_steps": 9}
    assert _board(con, sweep="testbed-quick").rows == []
    with pytest.raises(UsageError, match="Did you mean 'testbed-quick'"):
        _board(con, sweep="testbed-quik")


def test_only_the_newest_version_of_a_subject(con: Any, add: Callable[..., Any]) -> None:
    numbers = _of(_numbers(), "mlp")
    add("rone", [(_cell(n), kl(5.0)) for n in numbers])
    add("rtwo", [(_cell(n, subject_version=2), kl(n.value)) for n in numbers])
    assert _rows(_board(con))["mlp"]["kl_t1"] == pytest.approx(oracle.mean(numbers)[0])


def test_config_and_precision_make_rows_of_their_own(con: Any, add: Callable[..., Any]) -> None:
    cell = Cell("testbed", "testbed/d2-l10-t0.1/e0", "ensemble")
    wide = Cell("testbed", "testbed/d2-l10-t0.1/e0", "ensemble", {"num_ensemble": 30})
    fine = Cell("testbed", "testbed/d2-l10-t0.1/e0", "ensemble", precision="float64")
    add("rone", [(cell, kl(1.0)), (wide, kl(2.0)), (fine, kl(3.0))])
    assert _board(con).column("agent") == [
        "ensemble", "ensemble[num_ensemble=30]", "ensemble@float64",
    ]  # fmt: skip


def test_broken_out_by_setting(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers(4)
    add("rone", [(_cell(n), kl(n.value, n.stderr)) for n in numbers])
    table = _board(con, by=["setting"], filter="agent=mlp")
    for row in table.dicts():
        mine = [n for n in _of(numbers, "mlp") if n.setting == row["setting"]]
        assert (row["kl_t1"], row["kl_t1_stderr"]) == pytest.approx(oracle.mean(mine))
        assert row["coverage"] == f"{len(mine)}/{len(mine)}" and row["rank"] == 3
    assert len(table.rows) == 3


def test_filter_and_sort_happen_in_sql(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers(5)
    add("rone", [(_cell(n), kl(n.value, n.stderr)) for n in numbers])
    assert _board(con, filter="ens", sort="agent").column("agent") == ["ensemble", "ensemble+"]
    assert _board(con, filter="!ens kl_t1<0.8").column("agent") == ["mlp"]
    ranked = _board(con, filter="kl_t10_k2<2").column("agent")  # its short name is enough
    assert _board(con, filter="kl<2").column("agent") == ranked
    assert _board(con, filter="!failed seeds>=2 rank<=1").column("rank") == [1]
    assert _board(con, sort="-kl_t1,agent").column("agent")[0] == "uniform"
    only = _board(con, columns="kl_t10_k2,failed")
    assert only.columns == ("agent", "kl_t10_k2", "kl_t10_k2_stderr", "failed")
    kept = [n for n in numbers if n.label == "mlp" and n.setting.startswith("d2-")]
    row = _rows(_board(con, filter="input_dim=2"))["mlp"]  # chooses problems, before any mean
    assert row["kl_t1"] == pytest.approx(oracle.mean(kept)[0])
    assert (row["coverage"], row["problems"]) == ("6/6", 3)
    for wrong in ({"filter": "kl_t2<1"}, {"sort": "kl_t2"}, {"columns": "kl_t2"}, {"by": "day"}):
        with pytest.raises(UsageError, match="kl_t1|day"):
            _board(con, **wrong)


def test_ppc_rows_are_label_by_mode(con: Any, add: Callable[..., Any]) -> None:
    def rows(p: float, mode: str) -> list[MetricRow]:
        return [
            MetricRow("p_value", p, 0.01, split=mode, num_samples=1000),
            MetricRow("passes", float(0 < p < 1), split=mode, num_samples=1000),
            MetricRow("sharpness", 0.3, split=mode, num_samples=1000),
            MetricRow("num_members", 50.0, split=mode, num_samples=1000),
        ]

    cells = [Cell("ppc", f"ppc/quadratic-gap/e{e}", "ensemble") for e in range(3)]
    add("rone", [(c, rows(0.4 + 0.1 * e, "bayesian") + rows(1.0, "independent"))
                 for e, c in enumerate(cells)], "ppc-quadratic")  # fmt: skip
    table = queries.run(con, "board", {"scenario": "ppc"})
    found = {(r["agent"], r["mode"]): r for r in table.dicts()}
    good, bad = found["ensemble", "bayesian"], found["ensemble", "independent"]
    assert (good["passes"], bad["passes"], good["rank"], bad["rank"]) == (1.0, 0.0, 1, 2)
    assert good["p_value"] == pytest.approx(0.5)
    assert good["p_value_stderr"] == pytest.approx(0.1 / np.sqrt(3))
    assert (good["replicates"], good["members"], good["coverage"]) == (1000, 50.0, "3/3")


def test_rows_with_ranks_of_their_own_stand_together(con: Any, add: Callable[..., Any]) -> None:
    cells = [(Cell("ppc", f"ppc/{setting}/e0", "ensemble"),
              [MetricRow("passes", passes, split=mode, num_samples=100)
               for mode, passes in (("bayesian", high), ("independent", 0.0))])
             for setting, high in (("quadratic-iid", 1.0), ("quadratic-gap", 0.5))]  # fmt: skip
    add("rone", cells, "ppc-quadratic")
    table = queries.run(con, "board", {"scenario": "ppc"})
    assert [row[:4:2] for row in table.rows] == [
        (1, "quadratic-gap"), (2, "quadratic-gap"), (1, "quadratic-iid"), (2, "quadratic-iid")
    ]  # fmt: skip
    assert table.meta["ranked_within"] == ["setting", "statistic"]
    assert "ranks are within each setting" in render.render(table, "table")
    by_rank = queries.run(con, "board", {"scenario": "ppc", "sort": "rank"})
    assert by_rank.column("rank") == [1, 1, 2, 2]


def test_a_board_of_a_store_without_the_scenario(con: Any) -> None:
    write.add_run(con, RunRecord("rone", "x", {}), [])
    table = queries.run(con, "board", {"scenario": "real"})
    assert table.rows == [] and table.meta["context"] is None
    with pytest.raises(UsageError, match="Did you mean 'testbed'"):
        queries.run(con, "board", {"scenario": "testbad"})
