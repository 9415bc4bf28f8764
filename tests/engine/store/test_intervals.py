"""Intervals and ties of boards, other points, axes: from the store to the answer."""

from __future__ import annotations

import csv
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.errors import UsageError
from augury.engine.metrics.joint_rows import LIMITED
from augury.engine.store import (
    board_intervals,
    board_query,
    boards,
    export,
    interval_cache,
    queries,
    render,
)
from augury.engine.store.board import Intervals
from augury.engine.store.bootstrap import Unit, paired
from augury.engine.store.records import Table
from augury.engine.store.row_sums import Rows
from augury.engine.types import Cell, MetricRow, RowSums
from tests.engine.store.conftest import kl

SETTINGS = {"d2-l10-t0.1": 5, "d10-l10-t0.1": 4, "d10-l1-t0.5": 1}
LEVEL = {"mlp": 0.5, "ensemble": 0.48, "ensemble+": 0.25, "uniform": 1.0}


def _numbers(seed: int = 0) -> dict[tuple[str, str, int, int], tuple[float, float]]:
    draw = np.random.default_rng(seed)
    return {
        (label, setting, e, agent_seed): (draw.normal(level, 0.06), draw.uniform(0.01, 0.05))
        for label, level in LEVEL.items()
        for setting, count in SETTINGS.items()
        for e in range(count)
        for agent_seed in (0, 1)
    }


def _cell(label: str, setting: str, environment: int, seed: int, **fields: Any) -> Cell:
    return Cell("testbed", f"testbed/{setting}/e{environment}", label, seed=seed, **fields)


def _units(numbers: Any, above: str, below: str) -> list[Unit]:
    """Means over agent seeds, settings in alphabetical order, environments in number order."""
    units = []
    for setting in sorted(SETTINGS):
        for e in range(SETTINGS[setting]):
            pairs = [[numbers[label, setting, e, s] for s in (0, 1)] for label in (above, below)]
            (a, a_own), (b, b_own) = np.mean(pairs, axis=1)
            own = [float(np.hypot(*(pair[1] for pair in side))) / 2 for side in pairs]
            rows = Rows(np.zeros(2), np.zeros(2), *own)
            errors = (float(a_own), float(b_own))
            units.append(Unit(setting, float(a), float(b), *errors, "shared", rows))
    return units


def _board(con: Any, **params: Any) -> Table:
    return queries.run(con, "board", {"scenario": "testbed", **params})


def _rows(table: Table) -> dict[str, dict[str, Any]]:
    return {row["agent"]: row for row in table.dicts()}


def _fill(add: Callable[..., Any], numbers: Any) -> None:
    add("rone", [(_cell(*key), kl(*value)) for key, value in numbers.items()])


def test_intervals_are_of_paired_environments(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers()
    _fill(add, numbers)
    rows = _rows(_board(con))
    for label in LEVEL:
        row = rows[label]
        found = (row["kl_t1_norm_low"], row["kl_t1_norm_high"])
        if label == "mlp":
            assert found == (None, None) and row["kl_t1_norm"] == 1.0
            continue
        expected = paired(_units(numbers, label, "mlp"))
        assert expected is not None and expected.low is not None
        assert found == pytest.approx((expected.low, expected.high), rel=1e-12)
        assert row["kl_t1_norm"] == pytest.approx(expected.ratio, rel=1e-12)
        assert found[0] < row["kl_t1_norm"] < found[1]
        assert row["kl_t10_k2_norm_low"] == pytest.approx(expected.low, rel=1e-12)
    assert rows["ensemble+"]["rank"] == 1
    # ensemble's 0.48 and mlp's 0.5 are too near to tell; the others are not.
    assert rows["ensemble"]["ties"] == "baseline" and rows["mlp"]["ties"] == "neither"
    assert rows["ensemble+"]["ties"] == "neither" and rows["uniform"]["ties"] == "neither"


def test_a_tie_with_the_best(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers()
    for key in list(numbers):
        if key[0] == "ensemble":
            value, error = numbers["ensemble+", *key[1:]]
            numbers[key] = (value + 1e-4 * (-1) ** key[2], error)
    _fill(add, numbers)
    rows = _rows(_board(con))
    best, other = sorted(("ensemble", "ensemble+"), key=lambda label: rows[label]["rank"])
    assert rows[other]["ties"] == "best" and rows[best]["ties"] == "neither"
    assert rows["mlp"]["ties"] == "neither"


def test_intervals_can_be_left_out(con: Any, add: Callable[..., Any]) -> None:
    _fill(add, _numbers())
    whole, bare = _board(con), _board(con, intervals=False)
    extra = {"ties"} | {f"{n}_norm_{end}" for n in ("kl_t1", "kl_t10_iid", "kl_t10_k2")
                        for end in ("low", "high")}  # fmt: skip
    assert set(whole.columns) - set(bare.columns) == extra
    # One setting has one environment: how errors go together there only draws tell.
    told = [n for n in bare.columns if not n.endswith("_norm_stderr")]
    assert [[r[n] for n in told] for r in whole.dicts()] == [
        [r[n] for n in told] for r in bare.dicts()
    ]
    assert {r["kl_t1_norm_stderr"] for r in bare.dicts()} == {None, 0.0}
    assert None not in whole.column("kl_t1_norm_stderr")


def test_a_missing_number_has_no_interval(con: Any, add: Callable[..., Any]) -> None:
    numbers = _numbers()
    broken = next(key for key in numbers if key[0] == "ensemble")
    add("rone", [(_cell(*k), kl(None, reason="diverged") if k == broken else kl(*v))
                 for k, v in numbers.items()])  # fmt: skip
    row = _rows(_board(con))["ensemble"]
    assert (row["kl_t1_norm"], row["kl_t1_norm_low"], row["ties"]) == (None, None, None)
    shared = _rows(_board(con, common=True))["ensemble"]
    assert shared["kl_t1_norm_low"] is not None and shared["ties"] is not None


def test_equal_stores_give_equal_bytes(con: Any, add: Callable[..., Any], tmp_path: Path) -> None:
    numbers = _numbers()
    for place, (key, value) in enumerate(numbers.items()):  # in many small runs
        add(f"r{place}", [(_cell(*key), kl(*value))])
    first = export.query(
        con, "board", {"scenario": "testbed"}, "csv", tmp_path / "store"
    ).read_bytes()
    again = export.query(
        con, "board", {"scenario": "testbed"}, "csv", tmp_path / "store"
    ).read_bytes()
    assert first == again
    header = next(csv.reader(first.decode().splitlines()))
    assert header.index("kl_t1_norm_high") == header.index("kl_t1_norm") + 3
    lines = export.query(
        con, "board", {"scenario": "testbed"}, "markdown", tmp_path / "store"
    ).read_text()
    assert "[" in lines.split("ensemble+")[1]


def test_rows_with_intervals_are_those_of_one_whole_statement(
    con: Any, add: Callable[..., Any]
) -> None:
    _fill(add, _numbers())
    for params in (
        {}, {"common": True}, {"by": ["setting"]}, {"filter": "kl_t1<0.6"}, {"units": "rank"},
        {"filter": "input_dim=10", "rows": ["ensemble"]},
    ):  # fmt: skip
        it = board_query.asked(con.cursor(), {"scenario": "testbed", **params})
        found = board_query.intervals(con.cursor(), it.board, it.request)
        sql, bound = boards.compile(it.board, it.request, found)
        assert con.cursor().execute(sql, bound).fetchall() == _board(con, **params).rows


def test_intervals_are_found_once(
    con: Any, add: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Kept to the last bit, found anew where what is kept is spoilt, and of other numbers."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    _fill(add, _numbers())
    first = _board(con)
    (kept,) = (tmp_path / "cache" / "augury" / "intervals").iterdir()
    with monkeypatch.context() as patch:
        patch.setattr(board_intervals, "found", lambda *_: pytest.fail("found again"))
        assert _board(con).rows == first.rows
    kept.write_text('{"keys": [')
    assert _board(con).rows == first.rows
    add("rmore", [(_cell("ensemble", "d2-l10-t0.1", 5, 0), kl(0.9)),
                  (_cell("mlp", "d2-l10-t0.1", 5, 0), kl(0.9))])  # fmt: skip
    assert _board(con).rows != first.rows
    assert len(list(kept.parent.iterdir())) == 2


def test_only_so_many_intervals_are_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(interval_cache, "MOST", 4)
    for number in range(5):
        interval_cache.keep(f"i{number}", Intervals((f"k{number}",)))
        os.utime(tmp_path / "augury" / "intervals" / f"i{number}", (number, number))
    assert interval_cache.recall("i4") == Intervals(("k4",), {}, [], [])
    assert len(list((tmp_path / "augury" / "intervals").iterdir())) == 2
    monkeypatch.setattr(interval_cache, "_kept", True)  # as it is afterwards
    interval_cache.forget()
    interval_cache.keep("i9", Intervals())
    assert interval_cache.recall("i9") is None


def test_an_answer_is_of_one_moment(
    con: Any, add: Callable[..., Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch that is committed between a board's two statements is in neither."""
    numbers = _numbers()
    _fill(add, numbers)
    before = _board(con)
    plain = board_query.intervals
    late = iter(range(1, 9))

    def overtaken(*args: Any) -> Any:
        found = plain(*args)
        add(f"rlate{next(late)}", [(_cell("mlp", "d2-l10-t0.1", 100 + next(late), 0), kl(50.0))])
        return found

    monkeypatch.setattr(board_query, "intervals", overtaken)
    assert _board(con).rows == before.rows
    monkeypatch.undo()
    after = _board(con)
    assert after.rows != before.rows
    monkeypatch.setattr(board_query, "intervals", overtaken)
    path = export.query(con, "board", {"scenario": "testbed"}, "csv", tmp_path / "store")
    text = {row["agent"]: row["kl_t1"] for row in csv.DictReader(path.read_text().splitlines())}
    assert {row["agent"]: row["kl_t1"] for row in after.dicts()} == pytest.approx(
        {agent: float(value) for agent, value in text.items()}
    )


def test_broken_out_rows_are_paired_with_their_own_baseline(
    con: Any, add: Callable[..., Any]
) -> None:
    numbers = _numbers()
    _fill(add, numbers)
    rows = [r for r in _board(con, by=["setting"]).dicts() if r["agent"] == "uniform"]
    assert {row["setting"] for row in rows} == set(SETTINGS)
    for row in rows:
        mine = [u for u in _units(numbers, "uniform", "mlp") if u.stratum == row["setting"]]
        expected = paired(mine, 2_000)
        assert expected is not None
        assert row["kl_t10_k2_norm_low"] == pytest.approx(expected.low, rel=1e-12)


def test_intervals_can_be_filtered_sorted_and_chosen(con: Any, add: Callable[..., Any]) -> None:
    _fill(add, _numbers())
    rows = _board(con, filter="ties=neither kl_t10_k2_norm_low>1", sort="-kl_t10_k2_norm_high")
    assert rows.column("agent") == ["uniform"]
    chosen = _board(con, columns=["ties", "kl_t1_norm"])
    assert chosen.columns == ("agent", "ties", "kl_t1_norm", "kl_t1_norm_stderr",
                              "kl_t1_norm_low", "kl_t1_norm_high")  # fmt: skip


def _axis(level: float, stderr: float = 0.01) -> list[MetricRow]:
    """A KL that grows with kappa, and its effective sample sizes."""
    points = ((1, 0), (10, 0), (10, 1), (10, 2), (10, 3), (10, 5))
    return [
        row
        for tau, kappa in points
        for row in (
            MetricRow(
                "kl",
                level * tau * (kappa or 10),
                stderr,
                tau,
                kappa,
                num_samples=1000,
                sums=RowSums(stderr, (0.0, 0.0)),
            ),
            MetricRow("ess", 40.0 if kappa else 4.5, None, tau, kappa, num_samples=1000),
            MetricRow("kl_bias", 0.001, None, tau, kappa, num_samples=1000),
        )
    ]


def test_other_points_and_axes(con: Any, add: Callable[..., Any]) -> None:
    add("rone", [(_cell(label, s, e, 0), _axis(level + 0.001 * e))
                 for label, level in LEVEL.items() for s, n in SETTINGS.items()
                 for e in range(n)])  # fmt: skip
    table = _board(con, kappa=[5, "iid"], tau=10)
    assert table.columns[2] == "kl_t10_k5" and table.meta["rank"] == "kl_t10_k5"
    assert table.column("agent") == ["ensemble+", "ensemble", "mlp", "uniform"]
    assert _rows(table)["mlp"]["kl_t10_k5_norm"] == 1.0
    assert _board(con, tau=1).meta["rank"] == "kl_t1"
    long = _board(con, by=["kappa"])
    assert long.columns[:4] == ("rank", "agent", "kappa", "kl")
    assert long.column("kappa") == sorted(long.column("kappa"))
    assert set(long.column("kappa")) == {0, 1, 2, 3, 5} and len(long.rows) == 20
    for kappa in (0, 1, 5):
        part = [row for row in long.dicts() if row["kappa"] == kappa]
        assert [row["rank"] for row in part] == [1, 2, 3, 4]
        assert part[1]["kl"] == pytest.approx(
            _rows(_board(con, kappa=kappa, tau=10))["ensemble"][
                f"kl_t10_{f'k{kappa}' if kappa else 'iid'}"
            ]
        )
    taus = _board(con, by=["tau"])
    assert set(taus.column("tau")) == {1, 10}


def test_a_board_follows_the_points_its_cells_are_scored_at(
    con: Any, add: Callable[..., Any]
) -> None:
    """Further kappas are columns; without the usual ranking point the last one ranks."""
    wide, apart = {"kappa": [0, 1, 2, 5]}, {"kappa": [5], "tau": [10]}
    for run, settings in (("rwide", wide), ("rapart", apart)):
        add(run, [(_cell(label, "d2-l10-t0.1", e, 0, settings=settings), _axis(level))
                  for label, level in LEVEL.items() for e in (0, 1)])  # fmt: skip
    table = _board(con, settings=wide)
    assert table.meta["rank"] == "kl_t10_k2"
    means = [n for n in table.columns if n.startswith("kl_t10") and n.count("_") == 2]
    assert means == ["kl_t10_iid", "kl_t10_k2", "kl_t10_k1", "kl_t10_k5"]
    assert table.column("ess_t10_k1") == [40.0] * 4
    assert None not in table.column("kl_t10_k5") and None not in table.column("kl_t10_k1_norm")
    assert _board(con, settings=apart).meta["rank"] == "kl_t10_k5"
    assert _board(con, settings=apart).column("rank") == [1, 2, 3, 4]


def test_effective_sizes_below_ten_are_said(con: Any, add: Callable[..., Any]) -> None:
    add("rone", [(_cell("mlp", "d2-l10-t0.1", 0, 0), _axis(0.5)),
                 (_cell("uniform", "d2-l10-t0.1", 0, 0), kl(1.0))])  # fmt: skip
    rows = _rows(_board(con))
    assert rows["mlp"]["reason"] == "estimator-limited (least effective sample size 4.5)"
    assert (rows["mlp"]["ess_t10_iid"], rows["mlp"]["ess_t10_k2"]) == (4.5, 40.0)
    assert rows["mlp"]["kl_bias_t10_k2"] == 0.001 and rows["mlp"]["rank"] == 2
    assert rows["uniform"]["reason"] is None and rows["uniform"]["ess_t1"] is None
    table = _board(con)
    agents, marks = table.column("agent"), render.limited(table, "kl_t10_iid")
    assert dict(zip(agents, marks, strict=True)) == {"mlp": True, "uniform": False}
    assert render.limited(table, "kl_t10_iid_norm") == marks
    assert not any(render.limited(table, "kl_t10_k2"))


def test_a_limited_number_is_said_once(con: Any, add: Callable[..., Any]) -> None:
    rows = [replace(r, reason=LIMITED if r.metric == "kl" and not r.kappa else "")
            for r in _axis(0.5)]  # fmt: skip
    add("rone", [(_cell("mlp", "d2-l10-t0.1", 0, 0), rows)])
    told = "estimator-limited (least effective sample size 4.5)"
    assert _board(con).column("reason") == [told]


def test_numbers_at_other_points_are_marked_too(con: Any, add: Callable[..., Any]) -> None:
    rows = [replace(r, value=4.5) if (r.metric, r.kappa) == ("ess", 5) else r for r in _axis(0.5)]
    add("rone", [(_cell("mlp", "d2-l10-t0.1", 0, 0), rows)])
    table = _board(con, kappa=5, tau=10)
    assert table.column("ess_t10_k5") == [4.5] and render.limited(table, "kl_t10_k5") == [True]
    assert ("ess_t10_k5", "least ESS τ=10 κ=5") not in render.shown(table)
    along = _board(con, by=["kappa"])
    assert dict(zip(along.column("kappa"), render.limited(along, "kl"), strict=True)) == {
        0: True, 1: False, 2: False, 3: False, 5: True
    }  # fmt: skip


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"tau": "many"}, "tau and kappa are whole numbers"),
        ({"by": ["kappa"], "kappa": 2}, "one value of the other"),
        ({"by": ["kappa"], "tau": [1, 10]}, "one value of the other"),
        ({"scenario": "ppc", "tau": 3}, "no joint predictions"),
        ({"columns": ["kl_t9"]}, "unknown column 'kl_t9'"),
    ],
)
def test_what_cannot_be_asked(con: Any, params: dict[str, Any], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        queries.run(con, "board", {"scenario": "testbed", **params})
