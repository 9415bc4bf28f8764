"""Tuning as a plan: grids on environments that choose, tuned configs on those that report."""

from __future__ import annotations

import json

import pytest

from augury.engine.catalog.agents import AGENTS
from augury.engine.catalog.grids import GRIDS, configs
from augury.engine.catalog.problems import parse
from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.sweeps import SWEEPS, TUNING
from augury.engine.errors import UsageError
from augury.engine.plan import Selection, expand
from augury.engine.types import canonical

# Points that differ, the default counted where the grid has it.
COUNTS = {
    "testbed": {"mlp": 17, "ensemble": 21, "ensemble+": 17, "dropout": 34, "bbb": 10,
                "hypermodel": 21, "sgmcmc": 18},
    "testbed-2d": {"mlp": 14, "ensemble": 18, "ensemble+": 11, "dropout": 26, "bbb": 23,
                   "hypermodel": 20, "sgmcmc": 12, "deep-kernel": 30, "knn": 12,
                   "random-forest": 6, "logistic-regression": 14},
    **dict.fromkeys(
        ("real", "real-regimes", "real-regimes-more"),
        {"mlp": 15, "ensemble": 18, "ensemble+": 75, "dropout": 147, "bbb": 9, "hypermodel": 75,
         "sgmcmc": 60, "epinet": 19, "deep-kernel": 44, "logistic-regression": 15, "knn": 12,
         "random-forest": 6},
    ),
}  # fmt: skip


def _distinct(sweep: str, agent: str) -> int:
    """Points of a grid; the default, which tuning always tries, only if the grid names it."""
    default = AGENTS[agent].config
    points = [*configs(sweep, agent, default)]
    named = any(not _differences(agent, point) for point in GRIDS[sweep][agent])
    return len(points) - (0 if named else 1)


def _differences(agent: str, point: dict[str, object]) -> bool:
    from augury.engine.catalog.entry import differences, override

    default = AGENTS[agent].config
    return bool(differences(override(default, point, agent), default))


@pytest.mark.parametrize("sweep", GRIDS)
def test_grids_have_their_distinct_points(sweep: str) -> None:
    assert GRIDS[sweep].keys() == COUNTS[sweep].keys()
    assert GRIDS[sweep].keys() <= AGENTS.keys()
    for agent in GRIDS[sweep]:
        assert _distinct(sweep, agent) == COUNTS[sweep][agent], agent


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("sweep", TUNING)
def test_environments_that_choose_are_never_reported(sweep: str, scale: str) -> None:
    reported = SWEEPS[sweep].problems(scale)  # type: ignore[arg-type]
    choosing = SWEEPS[TUNING[sweep]].problems(scale)  # type: ignore[arg-type]
    every = {problem.id for problem in SWEEPS[sweep].full}
    assert not every & {problem.id for problem in choosing}
    assert {p.setting for p in reported} == {p.setting for p in choosing}
    if scale == "full" and sweep.startswith("testbed"):
        units = {p.unit for p in choosing}
        assert units == (set(range(5, 10)) if sweep == "testbed" else set(range(10, 15)))


def test_all_configs_run_where_configs_are_chosen() -> None:
    planned = expand(Selection(("testbed",), ("mlp",), scale="smoke", config="all"))
    assert {p.sweep for p in planned} == {"testbed-tuning"}
    assert {parse(p.cell.problem).unit for p in planned} == {5}
    assert len(planned) == 2 * len(configs("testbed", "mlp", AGENTS["mlp"].config))
    assert {canonical(p.cell.config) for p in planned} >= {"{}"}
    every = expand(Selection(("testbed",), scale="smoke", config="all"))
    assert {p.cell.subject for p in every} == GRIDS["testbed"].keys()


def test_set_goes_with_a_grid() -> None:
    wanted = Selection(
        ("testbed",), ("mlp",), scale="smoke", config="all", overrides=("mlp.learning_rate=0.01",)
    )
    planned = expand(wanted)
    assert {p.cell.config["learning_rate"] for p in planned} == {0.01}
    assert len(planned) == 2 * len(configs("testbed", "mlp", AGENTS["mlp"].config))


def test_the_best_are_reported_by_dimension() -> None:
    tuned = (("mlp", 2, '{"weight_decay":0.1}'), ("mlp", 10, "{}"))
    wanted = Selection(("testbed",), ("mlp", "uniform"), scale="quick", config="best", tuned=tuned)
    planned = expand(Selection.from_json(json.loads(json.dumps(wanted.to_json()))))
    usual = expand(Selection(("testbed",), ("mlp", "uniform"), scale="quick"))
    assert len(planned) == len(usual)
    assert {p.cell.problem for p in planned} == {p.cell.problem for p in usual}
    for item in planned:
        dim = parse(item.cell.problem).columns()["input_dim"]
        changed = {"weight_decay": 0.1} if (item.cell.subject, dim) == ("mlp", 2) else {}
        assert item.cell.config == changed and item.sweep == "testbed"
    # A tuned config that is the default is the same cell.
    ids = {p.cell.cell_id for p in usual}
    kept = [p.cell.cell_id in ids for p in planned]
    assert sum(kept) == len(planned) * 3 // 4


def test_what_cannot_be_tuned_is_said() -> None:
    with pytest.raises(UsageError, match="for D=10: first augury run testbed --config all"):
        expand(Selection(("testbed",), ("mlp",), config="best", tuned=(("mlp", 2, "{}"),)))
    with pytest.raises(UsageError, match="testbed-quick has no tuning environments"):
        expand(Selection(("testbed-quick",), config="all"))
    with pytest.raises(UsageError, match="Did you mean 'best'"):
        expand(Selection(("testbed",), config="bets"))  # type: ignore[arg-type]
    files = (("mine", "abc", "/mine.npz"),)
    with pytest.raises(UsageError, match="does not go with --problem"):
        expand(Selection(("testbed",), ("mlp",), config="all", problem_files=files))
