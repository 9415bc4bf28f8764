"""Testbed batches: rows, composition, divergence, compile counts, the contract beside them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jax
import numpy as np
import pytest

from augury.engine import training
from augury.engine.batching import batch_key
from augury.engine.catalog.agent_configs.networks import EnsembleConfig
from augury.engine.catalog.agents import AGENTS
from augury.engine.catalog.entry import load as import_target
from augury.engine.compiled import compilations
from augury.engine.errors import UsageError
from augury.engine.learning import reports
from augury.engine.learning.epistemic import agent_key, epistemic_key
from augury.engine.metrics.pool import Pool
from augury.engine.problems.environment_file import describe
from augury.engine.scenarios import testbed
from augury.engine.types import BatchContext, Cell, CellFinished, MetricRow, Progress

SETTINGS: dict[str, Any] = {"num_test_batches": 60, "num_epistemic": 50, "max_steps": 30}
SMALL = {"num_ensemble": 4, "hidden": [10, 10], "batch_size": 20}
FILES = Path(__file__).parents[2] / "golden" / "data"


def cell(subject: str, problem: str = "testbed/d2-l10-t0.1/e0", seed: int = 0, **config) -> Cell:
    return Cell("testbed", problem, subject, config, SETTINGS, seed)


def run(cells: Sequence[Cell], width: int | None = None) -> dict[str, CellFinished]:
    events: list[Any] = []
    testbed.run_batch(cells, events.append, BatchContext(width=width))
    finished = [event for event in events if isinstance(event, CellFinished)]
    assert sorted(f.cell_id for f in finished) == sorted(c.cell_id for c in cells)
    return {event.cell_id: event for event in finished}


@cache
def _one(subject: str) -> CellFinished:
    config = SMALL if subject.startswith("ensemble") else {}
    only = cell(subject, **config)
    return run([only])[only.cell_id]


@pytest.mark.parametrize("subject", ["uniform", "prior", "mlp", "ensemble+"])
def test_rows_of_one_cell(subject: str) -> None:
    finished = _one(subject)
    kinds = [(row.metric, row.tau, row.kappa, row.num_samples) for row in finished.rows]
    assert kinds[:6] == [
        ("kl", 1, 0, 60), ("kl", 10, 0, 60), ("kl", 10, 2, 60),
        ("accuracy", 0, 0, 600), ("nll", 0, 0, 600), ("ece10", 0, 0, 600),
    ]  # fmt: skip
    points = [(1, 0), (10, 0), (10, 2)]
    drawn = [(metric, *point, 50) for point in points for metric in ("ess", "kl_bias")]
    assert kinds[6:] == (drawn if subject == "prior" else [])
    for row in finished.rows:
        assert row.value is not None and (row.stderr is not None) == (row.metric != "ess")
    trained = AGENTS[subject].config
    assert bool(finished.curves) == hasattr(trained, "num_steps")
    if finished.curves:
        assert finished.curves["loss"][-1][0] == 30


def test_uniform_in_closed_form() -> None:
    rows = {(r.metric, r.tau, r.kappa): r for r in _one("uniform").rows}
    tests = testbed.prepare(cell("uniform"), _settings()).tests
    assert isinstance(tests, Pool)
    truth = np.asarray(tests.truth, float)
    entropy = -(np.exp(truth) * truth).sum(-1).mean()
    assert rows["kl", 1, 0].value == pytest.approx(np.log(2) - entropy, rel=1e-5)
    for tau, kappa in tests.counts:
        row = rows["kl", tau, kappa]
        assert row.value == pytest.approx(tau * (np.log(2) - entropy), abs=2 * (row.stderr or 0))
    assert rows["nll", 0, 0].value == pytest.approx(np.log(2), rel=1e-6)


def test_progress_has_all_phases() -> None:
    events: list[Any] = []
    testbed.run_batch([cell("mlp", seed=9)], events.append, BatchContext())
    phases = [event.phase for event in events if isinstance(event, Progress)]
    assert phases[0] in ("compile", "train") and "train" in phases and phases[-1] == "evaluate"
    last = [e for e in events if isinstance(e, Progress) and e.phase == "train"][-1]
    assert (last.step, last.num_steps) == (30, 30) and last.loss is not None


def _mixed() -> list[Cell]:
    return [
        cell("ensemble", "testbed/d2-l10-t0.1/e0", 0, **SMALL),
        cell("ensemble", "testbed/d2-l1-t0.5/e1", 1, **SMALL, weight_decay=0.1),
        cell("ensemble", "testbed/2d-n100-t0.01/e2", 2, **SMALL, learning_rate=0.01),
    ]


@pytest.mark.parametrize("width", [1, 4])
def test_composition_does_not_matter(width: int) -> None:
    cells = _mixed()
    assert len({batch_key(c) for c in cells}) == 1
    together = run(cells, width)
    alone = run(cells[1:2], width)[cells[1].cell_id]
    assert together[cells[1].cell_id].rows == alone.rows  # bitwise
    assert together[cells[1].cell_id].curves == alone.curves
    assert alone.width == width
    values = {tuple(row.value for row in f.rows) for f in together.values()}
    assert len(values) == 3


def test_width_changes_little() -> None:
    cells = _mixed()
    narrow, wide = run(cells, 1), run(cells, 4)
    for name in narrow:
        for a, b in zip(narrow[name].rows, wide[name].rows, strict=True):
            assert a.value == pytest.approx(b.value, rel=2e-3, abs=2e-3)


def test_a_diverged_cell_harms_no_neighbour() -> None:
    fine = cell("mlp", seed=1)
    wild = cell("mlp", seed=2, learning_rate=1e38)
    together = run([fine, wild], 2)
    assert together[fine.cell_id].rows == run([fine], 2)[fine.cell_id].rows
    rows = together[wild.cell_id].rows
    assert len(rows) == 6
    assert all(row.value is None and "diverged at step" in row.reason for row in rows)
    assert all(np.isfinite(v) for _, v in together[wild.cell_id].curves["loss"])


def test_sweeps_compile_once() -> None:
    _one("mlp")
    programs = compilations()
    cells = [
        cell("mlp", f"testbed/d2-l{ratio}-t{t}/e{e}", weight_decay=decay)
        for ratio, t, e, decay in [(1, 0.1, 0, 1.0), (10, 0.5, 1, 0.3), (1000, 0.01, 2, 1.0)]
    ]
    run(cells)
    assert compilations() == programs


def test_the_contract_gives_the_same_numbers() -> None:
    only = cell("ensemble", **SMALL)
    settings = _settings()
    problem = testbed.prepare(only, settings)
    config = EnsembleConfig(num_ensemble=4, hidden=(10, 10), batch_size=20, num_steps=30)
    agent = import_target(AGENTS["ensemble"].target)(config)
    key = agent_key(0, only.problem)
    sampler = agent(problem.train, problem.prior, key)
    rows = problem.score(sampler, epistemic_key(key))
    for a, b in zip(rows, run([only], 1)[only.cell_id].rows, strict=True):
        assert a.value == pytest.approx(b.value, rel=2e-3, abs=2e-3)
        assert (a.metric, a.tau, a.kappa, a.num_samples) == (
            b.metric,
            b.tau,
            b.kappa,
            b.num_samples,
        )


def test_a_file_is_scored_on_its_own_draws() -> None:
    path = str(FILES / "problem_P1_D2_lam10_T0.1_J1000.npz")
    name, digest = describe(path)
    only = Cell(
        "testbed", f"testbed/file-{name}-{digest}/e0", "uniform", resources={"problem": path}
    )
    rows = {(r.metric, r.tau, r.kappa): r for r in run([only])[only.cell_id].rows}
    for (tau, kappa), known in {(1, 0): 0.4452, (10, 0): 4.3543, (10, 2): 4.3281}.items():
        assert rows["kl", tau, kappa].value == pytest.approx(known, abs=1e-4)
        assert rows["kl", tau, kappa].num_samples == 1_000


def test_a_file_without_draws_gets_fresh_ones(tmp_path: Path) -> None:
    with np.load(FILES / "problem_P1_D2_lam10_T0.1_J1000.npz") as file:
        kept = {k: file[k] for k in file.files if not k.startswith("test_")}
    np.savez(tmp_path / "mine.npz", **kept)
    name, digest = describe(tmp_path / "mine.npz")
    problem = f"testbed/file-{name}-{digest}/e0"
    files = {"problem": str(tmp_path / "mine.npz")}
    only = Cell("testbed", problem, "uniform", {}, SETTINGS, resources=files)
    rows = run([only])[only.cell_id].rows
    assert [(r.tau, r.kappa) for r in rows if r.metric == "kl"] == [(1, 0), (10, 0), (10, 2)]
    # The same environment: the known value on its own 1,000 draws is 4.354 with error .05.
    assert abs((_row(rows, 10, 0).value or 0) - 4.354) < 4 * (_row(rows, 10, 0).stderr or 0) + 0.2
    lost = Cell("testbed", problem, "uniform", {}, SETTINGS)
    with pytest.raises(UsageError, match="--problem FILE.npz"):
        run([lost])


def test_another_scenarios_problem_is_refused() -> None:
    with pytest.raises(UsageError, match="no problem of 'testbed'"):
        testbed.prepare(cell("uniform", "real/iris/n120"), _settings())


def test_environments_differ_and_seeds_do_not_move_tests() -> None:
    a, b = (
        testbed.prepare(cell("uniform", f"testbed/d2-l10-t0.1/e{e}"), _settings()) for e in (0, 1)
    )
    assert not np.array_equal(a.x, b.x)
    c = testbed.prepare(cell("mlp", "testbed/d2-l10-t0.1/e0", seed=5), _settings())
    for one, other in zip(*map(jax.tree.leaves, (a.tests, c.tests)), strict=True):
        np.testing.assert_array_equal(one, other)


def _row(rows: Sequence[MetricRow], tau: int, kappa: int) -> MetricRow:
    return next(r for r in rows if (r.metric, r.tau, r.kappa) == ("kl", tau, kappa))


def _settings() -> Any:
    from augury.engine.catalog.settings import JointSettings

    return JointSettings(**SETTINGS)


def test_keys_of_agents_are_independent_between_problems() -> None:
    keys = [agent_key(0, "testbed/d2-l1-t0.1/e0"), agent_key(0, "testbed/d2-l1-t0.1/e1")]
    first, second = (jax.random.key_data(key) for key in keys)
    assert not np.array_equal(first, second)


def test_a_long_training_is_taken_up_again(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for module, name, value in [
        (training, "CHUNK", 5),
        (training, "CHECKPOINT_SECONDS", 0.0),
        (reports, "PROGRESS_SECONDS", 0.0),
    ]:
        monkeypatch.setattr(module, name, value)
    cells = [cell("ensemble+", seed=seed, **SMALL) for seed in (0, 1)]
    context = BatchContext(width=2, checkpoints=tmp_path)

    def die(event: Progress | CellFinished) -> None:
        if isinstance(event, Progress) and event.phase == "train" and event.step >= 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        testbed.run_batch(cells, die, context)
    assert len(list(tmp_path.iterdir())) == 1
    events: list[Any] = []
    testbed.run_batch(cells, events.append, context)
    steps = [e.step for e in events if isinstance(e, Progress) and e.phase == "train" and e.step]
    assert steps[0] > 15
    whole = run(cells, 2)
    for event in events:
        if isinstance(event, CellFinished):
            assert event.rows == whole[event.cell_id].rows
            assert event.curves == whole[event.cell_id].curves
    assert not list(tmp_path.iterdir())
