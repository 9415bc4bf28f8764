"""The quadratic with a gap: shared trainings, programs, progress, failures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from augury.engine.agents import gaussian_dropout, gaussian_ensemble
from augury.engine.batching import batch_key
from augury.engine.catalog.members import GaussianDropoutConfig, GaussianEnsembleConfig
from augury.engine.compiled import compile_seconds
from augury.engine.errors import UsageError
from augury.engine.learning.epistemic import agent_key
from augury.engine.networks import fitted_gaussian
from augury.engine.plan import Selection, expand
from augury.engine.problems import quadratic
from augury.engine.scenarios.ppc import run_batch
from augury.engine.types import BatchContext, Cell, CellFinished, Data, Prior, Progress

pytestmark = pytest.mark.slow  # together they compile for minutes

SMALL = {"num_ensemble": 3, "hidden": [8], "num_steps": 60}
SETTINGS = {"num_replicates": 50}


THIN = {"hidden": [8], "num_steps": 60, "num_samples": 4}


def cell(region: str = "gap", environment: int = 0, seed: int = 0, **config: object) -> Cell:
    problem = f"ppc/quadratic-{region}/e{environment}"
    return Cell("ppc", problem, "ensemble", {**SMALL, **config}, SETTINGS, seed)


def dropout(region: str = "gap", environment: int = 0, **config: object) -> Cell:
    problem = f"ppc/quadratic-{region}/e{environment}"
    return Cell("ppc", problem, "dropout", {**THIN, **config}, SETTINGS)


def run(*cells: Cell, context: BatchContext | None = None) -> tuple[dict, list[Progress]]:
    """Finished cells by id, and progress."""
    events: list[Progress | CellFinished] = []
    run_batch(cells, events.append, context or BatchContext())
    done = [e for e in events if isinstance(e, CellFinished)]
    assert sorted(e.cell_id for e in done) == sorted(c.cell_id for c in cells)
    return {e.cell_id: e for e in done}, [e for e in events if isinstance(e, Progress)]


def test_data_leave_the_gap_and_fill_it() -> None:
    data = quadratic.generate(0)
    for region, rows, low, high in (
        ("gap", 500, -0.75, 0.0),
        ("iid", 200, -1.5, 1.5),
    ):
        x, y = data.test[region]
        assert x.shape == (rows, 1) and y.shape == (rows,)
        assert low <= x.min() and x.max() <= high
    for rows in (data.train, data.test["iid"]):
        assert not ((rows.x > -0.75) & (rows.x < 0.0)).any()
    assert data.train.y.mean() == pytest.approx(0.0, abs=1e-12)
    assert data.train.y.std() == pytest.approx(1.0)
    residual = data.shift + data.unit * data.train.y - (2.0 * data.train.x[:, 0]) ** 2
    assert abs(residual.std() - 0.25) < 4 * 0.25 / np.sqrt(2_000)
    # Uniform on [-3, -1.5] and [0, 3]: a third lies left of the gap.
    assert abs((data.train.x < 0).mean() - 1 / 3) < 4 * np.sqrt(2 / 9 / 1_000)
    assert not np.array_equal(quadratic.generate(1).train.y, data.train.y)


def test_regions_share_a_training_and_it_does_not_matter_who_asks() -> None:
    gap, iid = cell("gap"), cell("iid")
    both, progress = run(gap, iid)
    alone, _ = run(gap)
    assert both[gap.cell_id].rows == alone[gap.cell_id].rows
    assert both[gap.cell_id].curves["loss"] == both[iid.cell_id].curves["loss"]
    assert both[gap.cell_id].rows != both[iid.cell_id].rows
    assert [p.phase for p in progress].count("compile") <= 1
    trained = [p for p in progress if p.phase == "train"]
    assert trained[-1].step == trained[-1].num_steps == 60
    assert trained[-1].loss is not None
    curve = both[gap.cell_id].curves["loss"]
    assert len(curve) == 60 and curve[-1][0] == 60
    assert curve[-1][1] < curve[0][1]


def test_rates_seeds_and_environments_compile_nothing() -> None:
    run(cell())
    before = compile_seconds()
    others = [
        cell(seed=1),
        cell("iid", environment=1),
        cell(learning_rate=1e-3, weight_decay=0.1),
    ]
    assert {batch_key(c) for c in others} == {batch_key(cell())}
    found, _ = run(*others)
    assert compile_seconds() == before
    assert len({e.rows for e in found.values()}) == 3
    assert all(e.seconds.compile == 0.0 for e in found.values())


def test_side_by_side_is_as_one_after_another() -> None:
    cells = [cell(seed=0), cell(seed=1), cell(seed=2)]
    wide, _ = run(*cells, context=BatchContext(width=2))
    for one in cells:
        alone, _ = run(one)
        assert wide[one.cell_id].width == 2
        a = [s for _, s in wide[one.cell_id].curves["loss"]]
        b = [s for _, s in alone[one.cell_id].curves["loss"]]
        assert a == pytest.approx(b, abs=1e-3)


def test_a_checkpoint_is_gone_when_the_results_are_out(tmp_path: Path) -> None:
    kept, _ = run(cell(), context=BatchContext(checkpoints=tmp_path))
    assert list(tmp_path.iterdir()) == []
    plain, _ = run(cell())
    assert kept[cell().cell_id].rows == plain[cell().cell_id].rows


def test_settings_cap_the_steps() -> None:
    capped = replace(cell(), settings={**SETTINGS, "max_steps": 20})
    found, progress = run(capped)
    assert progress[-1].num_steps in (20, 1) and len(found[capped.cell_id].curves["loss"]) == 20
    assert all(row.num_samples != 1000 for row in found[capped.cell_id].rows)


def test_a_diverged_ensemble_says_so_in_every_row() -> None:
    bad = cell(learning_rate=1e30)
    found, _ = run(bad)
    rows = found[bad.cell_id].rows
    assert {row.metric for row in rows} >= {"p_value", "sharpness", "nll", "picp90"}
    assert all(row.value is None and "training diverged at step" in row.reason for row in rows)


def test_the_two_line_contract_is_the_same_training() -> None:
    target = cell()
    data = quadratic.generate(0)
    config = GaussianEnsembleConfig(num_ensemble=3, hidden=(8,), num_steps=60)
    agent = gaussian_ensemble.make_agent(config)
    train: Data = Data(data.train.x, data.train.y[:, None])  # type: ignore[arg-type]
    key = agent_key(0, "quadratic/e0")
    sampler = agent(train, Prior(1, len(train.x)), key)
    members = np.asarray(sampler.members(data.test["gap"].x), np.float64)  # type: ignore[arg-type]
    assert members.shape == (3, 500, 2)
    one = np.asarray(sampler(data.test["gap"].x, key))  # type: ignore[arg-type]
    assert any(np.array_equal(one, m) for m in members.astype(np.float32))
    mean, scale = members[..., 0], members[..., 1]
    y = data.test["gap"].y
    density = np.exp(-0.5 * ((y - mean) / scale) ** 2) / scale / np.sqrt(2 * np.pi)
    nll = -np.log(density.mean(0)).mean() + np.log(data.unit)
    found, _ = run(target)
    ours = next(r for r in found[target.cell_id].rows if r.metric == "nll")
    assert ours.value == pytest.approx(nll, rel=1e-4)


def test_one_member_is_refused_when_planned() -> None:
    with pytest.raises(UsageError, match="num_ensemble must be at least 2"):
        expand(Selection(("ppc-quadratic",), overrides=("ensemble.num_ensemble=1",)))


def test_dropout_takes_one_mask_for_all_rows_as_a_member() -> None:
    """Inside the gap a member must be one function: rows of equal x are predicted alike."""
    config = GaussianDropoutConfig(hidden=(8,), rate=0.4, num_steps=60, num_samples=4)
    data = quadratic.generate(0)
    train: Data = Data(data.train.x, data.train.y[:, None])  # type: ignore[arg-type]
    key = agent_key(0, "quadratic/e0")
    sampler = gaussian_dropout.make_agent(config)(train, Prior(1, len(train.x)), key)
    twice = np.repeat(np.linspace(-1.0, 1.0, 5), 2)[:, None]
    members = np.asarray(sampler.members(twice), np.float64)  # type: ignore[arg-type]
    assert members.shape == (4, 10, 2)
    assert np.allclose(members[:, ::2], members[:, 1::2], atol=1e-6)
    assert len({member.tobytes() for member in members}) > 1
    tested = np.asarray(sampler.members(data.test["iid"].x), np.float64)  # type: ignore[arg-type]
    y = data.test["iid"].y
    density = np.exp(-0.5 * ((y - tested[..., 0]) / tested[..., 1]) ** 2) / tested[..., 1]
    nll = -np.log(density.mean(0) / np.sqrt(2 * np.pi)).mean() + np.log(data.unit)
    asked = dropout("iid", rate=0.4)
    found, _ = run(asked, dropout("gap", rate=0.4))
    rows = found[asked.cell_id].rows
    ours = {row.metric: row.value for row in rows if row.split == ""}
    assert ours["nll"] == pytest.approx(nll, rel=1e-4)
    assert {row.value for row in rows if row.metric == "num_members"} == {4.0}


def test_a_rate_of_dropout_compiles_nothing_and_counts() -> None:
    run(dropout())
    before = compile_seconds()
    found, _ = run(dropout(), dropout(rate=0.4))
    assert compile_seconds() == before
    assert len({event.rows for event in found.values()}) == 2


def test_masks_leave_out_units_at_their_rate() -> None:
    """Against a mask drawn here: what stays is divided by the share that stays."""
    key = agent_key(0, "masks")
    drop = fitted_gaussian.dropped(key, {"rate": 0.25}, (40, 1))
    ones = np.ones((40, 3, 50), np.float32)
    kept = np.asarray(drop(ones, 0))
    assert set(np.unique(kept)) == {np.float32(0.0), np.float32(1.0 / 0.75)}
    assert (kept == kept[:, :1]).all()  # the same for all rows of a member
    share = (kept[:, 0] > 0).mean()
    assert abs(share - 0.75) < 4 * (0.75 * 0.25 / 2_000) ** 0.5
    assert not np.array_equal(kept, np.asarray(drop(ones, 1)))  # a layer has its own
    rows = np.asarray(fitted_gaussian.dropped(key, {"rate": 0.25}, (40, 3))(ones, 0))
    assert not (rows == rows[:, :1]).all()
