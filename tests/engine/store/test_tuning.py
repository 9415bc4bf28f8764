"""Configs are chosen on environments 5 to 9 and reported on 0 to 4: from the store to a board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from augury.engine.store import queries
from augury.engine.store.records import Table
from augury.engine.types import Cell
from tests.engine.store.conftest import kl

SMALL, LARGE = {"weight_decay": 0.01}, {"weight_decay": 100.0}
# On the tuning environments little decay is best at D=2 and much at D=10.
CHOOSING = {2: [(SMALL, 0.2), ({}, 0.4), (LARGE, 0.9)], 10: [(SMALL, 0.8), ({}, 0.5), (LARGE, 0.3)]}


def _cell(dim: int, environment: int, agent: str, config: Any, seed: int = 0) -> Cell:
    version, name = SCENARIOS["testbed"].version, f"testbed/d{dim}-l10-t0.1/e{environment}"
    return Cell("testbed", name, agent, config, seed=seed, scenario_version=version)


def _tune(add: Callable[..., Any], **changed: Any) -> None:
    cells = [
        (_cell(dim, e, "mlp", config, seed), kl(level + 0.01 * e + 0.001 * seed))
        for dim, points in CHOOSING.items()
        for config, level in points
        for e in range(5, 10)
        for seed in (0, 1)
    ]
    add("rtune", cells, sweep="testbed-tuning", config="all", **changed)


def _report(add: Callable[..., Any]) -> None:
    """Defaults, and the tuned configs beside one that was not chosen; other numbers throughout."""
    cells = []
    for dim, best in ((2, SMALL), (10, LARGE)):
        for e in range(5):
            draw = np.random.default_rng(e + dim)
            cells += [
                (_cell(dim, e, "mlp", {}), kl(1.0 + 0.1 * draw.normal())),
                (_cell(dim, e, "mlp", best), kl(0.7 + 0.1 * draw.normal())),
                (_cell(dim, e, "mlp", {"num_steps": 7}), kl(9.0)),
                (_cell(dim, e, "uniform", {}), kl(2.0)),
            ]
    add("rreport", cells)


def _tuning(con: Any, **params: Any) -> Table:
    return queries.run(con, "tuning", {"sweep": "testbed", **params})


def _board(con: Any, **params: Any) -> Table:
    return queries.run(con, "board", {"scenario": "testbed", **params})


def test_the_least_mean_is_chosen_for_each_dimension(con: Any, add: Callable[..., Any]) -> None:
    _tune(add)
    rows = list(_tuning(con).dicts())
    assert [(r["agent"], r["input_dim"], r["config"]) for r in rows] == [
        ("mlp", 2, '{"weight_decay":0.01}'), ("mlp", 10, '{"weight_decay":100.0}'),
    ]  # fmt: skip
    # 0.2 plus the mean of 0.01 e over 5 to 9, plus that of 0.001 seed; the error of five of them.
    assert rows[0]["kl"] == pytest.approx(0.2 + 0.07 + 0.0005)
    assert rows[0]["kl_stderr"] == pytest.approx(np.std([5, 6, 7, 8, 9], ddof=1) / 100 / 5**0.5)
    assert (rows[0]["problems"], rows[0]["seeds"], rows[0]["coverage"]) == (5, 2, "10/10")
    assert rows[0]["configs"] == 3 and rows[0]["rank"] == 1
    every = list(_tuning(con, every=True).dicts())
    assert [(r["input_dim"], r["rank"]) for r in every] == [
        (d, rank) for d in (2, 10) for rank in (1, 2, 3)
    ]
    assert [r["kl"] for r in every[:3]] == sorted(r["kl"] for r in every[:3])
    assert _tuning(con, agents=["bbb"]).rows == []


def test_an_unfinished_config_is_not_chosen(con: Any, add: Callable[..., Any]) -> None:
    cells = [(_cell(2, e, "mlp", c), kl(level)) for c, level in CHOOSING[2] for e in (5, 6)]
    first, second = (i for i, (cell, _) in enumerate(cells) if cell.config == SMALL)
    cells[first] = (cells[first][0], "out of luck")  # type: ignore[call-overload]
    cells[second] = (cells[second][0], kl(0.001))
    add("rtune", cells, sweep="testbed-tuning", config="all")
    (row,) = _tuning(con).dicts()
    assert row["config"] == "{}"
    (last,) = (r for r in _tuning(con, every=True).dicts() if r["coverage"] != "2/2")
    assert (last["rank"], last["coverage"], last["problems"]) == (None, "1/2", 1)
    found = _tuning(con)
    assert found.meta["unfinished"] == [{"agent": "mlp", "place": 2, "configs": 3, "complete": 2}]


def test_no_config_is_chosen_while_none_is_whole(con: Any, add: Callable[..., Any]) -> None:
    cells = [(_cell(2, e, "mlp", c), kl(level) if e == 5 else None)
             for c, level in CHOOSING[2] for e in (5, 6)]  # fmt: skip
    add("rtune", cells, sweep="testbed-tuning", config="all")
    found = _tuning(con)
    assert found.rows == []
    assert found.meta["unfinished"] == [{"agent": "mlp", "place": 2, "configs": 3, "complete": 0}]


def test_cells_beside_the_grid_change_no_choice(con: Any, add: Callable[..., Any]) -> None:
    """Further seeds of one config, and a config of no grid, compete with nothing."""
    _tune(add)
    before = _tuning(con, every=True)
    cells = [
        (_cell(dim, e, "mlp", config, seed), kl(0.001))
        for config, seed in (({}, 7), ({"num_steps": 7}, 0))
        for dim in (2, 10)
        for e in range(5, 10)
    ]
    add("rmore", cells, sweep="testbed-tuning")
    after = _tuning(con, every=True)
    assert after.rows == before.rows and after.meta == before.meta
    assert after.meta["unfinished"] == []


def test_a_grid_is_found_behind_newer_cells_of_other_scales(
    con: Any, add: Callable[..., Any]
) -> None:
    _tune(add, scale="quick")
    cells = [(replace(_cell(2, 5, "mlp", {}), settings={"max_steps": 3}), kl(1.0))]
    add("rnewer", cells, sweep="testbed-tuning", scale="smoke")
    assert len(_tuning(con).rows) == 2
    assert _tuning(con, scale="smoke").rows == []


def test_a_board_tells_what_its_tuned_configs_rest_on(con: Any, add: Callable[..., Any]) -> None:
    _tune(add)
    _report(add)
    bbb = [(_cell(2, 5, "bbb", c), kl(level)) for c, level in (({}, 0.1), ({"rate": 0.5}, 0.2))]
    add("rbbb", [*bbb, (_cell(2, 5, "bbb", {"sigma_1": 2.0}), "out of luck")],
        sweep="testbed-tuning", config="all")  # fmt: skip
    told = _board(con, config="best").meta["tuning"]
    assert told == {
        "unfinished": [{"agent": "bbb", "place": 2, "configs": 3, "complete": 2}],
        "unevaluated": ["bbb"],
    }
    # mlp's choice at D=2 becomes one that no board has, and its row loses half of its problems.
    better = [(_cell(2, e, "mlp", {"weight_decay": 0.1}, s), kl(0.01))
              for e in range(5, 10) for s in (0, 1)]  # fmt: skip
    add("ragain", better, sweep="testbed-tuning", config="all")
    assert _board(con, config="best").meta["tuning"]["unevaluated"] == ["bbb", "mlp"]
    assert _board(con).meta["tuning"] == {}


def test_a_board_of_tuned_configs_has_one_row_an_agent(con: Any, add: Callable[..., Any]) -> None:
    _tune(add)
    _report(add)
    plain = _board(con)
    assert plain.meta["context"]["sweep"] == "testbed"
    assert len(plain.rows) == 5  # mlp's configs each with a row
    best = _board(con, config="best", baseline="uniform")
    rows = {row["agent"]: row for row in best.dicts()}
    assert rows.keys() == {"mlp[best by D]", "uniform"}
    mine = rows["mlp[best by D]"]
    expected = [0.7 + 0.1 * _second(e + dim) for dim in (2, 10) for e in range(5)]
    assert mine["kl_t10_k2"] == pytest.approx(np.mean(expected))
    assert (mine["problems"], mine["coverage"], mine["rank"]) == (10, "10/10", 1)
    assert mine["kl_t10_k2_norm_high"] < 0.5 and best.meta["baseline"] == "uniform"
    assert _board(con, config="best").meta["baseline"] == "mlp[best by D]"
    defaults = _board(con, config="default")
    assert sorted(defaults.column("agent")) == ["mlp", "uniform"]


def _second(seed: int) -> float:
    draw = np.random.default_rng(seed)
    draw.normal()
    return float(draw.normal())


def test_one_config_for_all_dimensions_keeps_its_name(con: Any, add: Callable[..., Any]) -> None:
    cells = [(_cell(dim, 5, "mlp", c), kl(level)) for dim in (2, 10)
             for c, level in ((SMALL, 0.1), ({}, 0.2))]  # fmt: skip
    add("rtune", cells, sweep="testbed-tuning", config="all")
    add("rreport", [(_cell(dim, 0, "mlp", SMALL), kl(1.0)) for dim in (2, 10)])
    assert _board(con, config="best").column("agent") == ["mlp[weight_decay=0.01]"]


def test_tuning_counts_within_its_own_settings(con: Any, add: Callable[..., Any]) -> None:
    """A quick tuning chooses nothing for a full report."""
    _tune(add, scale="quick")
    _report(add)
    with pytest.raises(UsageError, match="first augury run testbed --config all --scale full"):
        _board(con, config="best", sweep="testbed")
    assert _tuning(con, scale="full").rows == [] and len(_tuning(con, scale="quick").rows) == 2


def test_further_points_leave_the_choice_as_it_is(con: Any, add: Callable[..., Any]) -> None:
    """Cells scored at more kappas are reported with configs that were chosen at the usual ones."""
    _tune(add)
    kappa = {"kappa": [0, 1, 2]}
    cells = [
        replace(_cell(dim, e, "mlp", config), settings=kappa)
        for dim, config in ((2, SMALL), (10, LARGE))
        for e in range(5)
    ]
    add("rmore", [(cell, kl(0.5)) for cell in cells])
    assert len(_tuning(con, settings=kappa).rows) == 2
    (row,) = _board(con, config="best", settings=kappa).dicts()
    assert (row["agent"], row["coverage"]) == ("mlp[best by D]", "10/10")
    assert _tuning(con, settings={"max_steps": 3}).rows == []


def test_what_chooses_is_never_the_board_unless_named(con: Any, add: Callable[..., Any]) -> None:
    _report(add)
    _tune(add)  # newer
    assert _board(con).meta["context"]["sweep"] == "testbed"
    assert _board(con, sweep="testbed-tuning").meta["context"]["sweep"] == "testbed-tuning"
    with pytest.raises(UsageError, match="has no tuning environments"):
        _board(con, sweep="testbed-tuning", config="best")
    with pytest.raises(UsageError, match="Did you mean 'best'"):
        _board(con, config="bests")


def test_tuned_configs_are_what_a_run_reports(con: Any, add: Callable[..., Any]) -> None:
    """The board's rows under `best` are the cells that `run --config best` plans."""
    _tune(add)
    tuned = tuple((r["agent"], r["input_dim"], r["config"]) for r in _tuning(con).dicts())
    wanted = Selection(("testbed",), ("mlp",), scale="quick", config="best", tuned=tuned)
    planned = expand(wanted)
    add("rbest", [(p.cell, kl(0.5)) for p in planned], scale="full")
    (row,) = _board(con, config="best").dicts()
    cells = len(planned)
    assert (row["agent"], row["coverage"]) == ("mlp[best by D]", f"{cells}/{cells}")


def test_other_sweeps_are_refused(con: Any) -> None:
    with pytest.raises(UsageError, match="real-quick has no tuning environments"):
        _tuning(con, sweep="real-quick")
    with pytest.raises(UsageError, match="needs the parameter 'sweep'"):
        queries.run(con, "tuning", {})
