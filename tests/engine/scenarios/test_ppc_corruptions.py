"""Corrupted images end to end: one training for all cells, rows by mode, statistic, temperature."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from augury.engine.agents import image_ensemble
from augury.engine.batching import batches, training_key
from augury.engine.catalog.agent_configs.images import ImageEnsembleConfig
from augury.engine.catalog.corruptions import CORRUPTIONS
from augury.engine.catalog.metrics import METRICS
from augury.engine.catalog.problems import CorruptionProblem, parse
from augury.engine.corruptions.corrupt import corrupt
from augury.engine.datasets import corrupted
from augury.engine.datasets.pixels import load_pixels
from augury.engine.errors import AuguryError, UsageError
from augury.engine.evaluation.temperature import fit_temperature, probabilities
from augury.engine.learning.epistemic import agent_key, epistemic_key
from augury.engine.networks import fitted_images as images
from augury.engine.plan import Selection, expand
from augury.engine.scenarios.ppc import run_batch
from augury.engine.types import BatchContext, Cell, CellFinished, MetricRow, Progress

pytestmark = pytest.mark.slow  # together they compile for minutes

SMALL = {"network": "mlp", "width": 16, "num_steps": 80, "num_ensemble": 3}
SETTINGS = {"num_replicates": 50}
SPLITS = {
    f"{mode}/{statistic}/{recalibration}"
    for mode in ("bayesian", "independent")
    for statistic in ("accuracy", "ece")
    for recalibration in ("none", "temperature")
}


def cell(corruption: str = "fog", severity: int = 3, seed: int = 0, **config: object) -> Cell:
    problem = f"ppc/cmaterdb-n600-m60-s{severity}/{corruption}"
    return Cell("ppc", problem, "mlp-ensemble", {**SMALL, **config}, SETTINGS, seed)


def run(*cells: Cell, context: BatchContext | None = None) -> tuple[dict, list[Progress]]:
    """Finished cells by id, and progress."""
    events: list[Progress | CellFinished] = []
    run_batch(cells, events.append, context or BatchContext())
    done = [e for e in events if isinstance(e, CellFinished)]
    assert sorted(e.cell_id for e in done) == sorted(c.cell_id for c in cells)
    return {e.cell_id: e for e in done}, [e for e in events if isinstance(e, Progress)]


def by_place(finished: CellFinished) -> dict[tuple[str, str], MetricRow]:
    rows = {(r.metric, r.split): r for r in finished.rows}
    assert len(rows) == len(finished.rows)
    return rows


def number(row: MetricRow) -> float:
    assert row.value is not None
    return row.value


def test_the_sweep_is_ninety_five_cells_and_one_training() -> None:
    planned = expand(Selection(("ppc-corruptions",), ("cnn-ensemble",), scale="quick"))
    problems = [parse(p.cell.problem) for p in planned]
    assert len(problems) == 95 and len({training_key(p.cell) for p in planned}) == 1
    assert len(batches(p.cell for p in planned)) == 1
    assert {(p.corruption, p.severity) for p in problems if isinstance(p, CorruptionProblem)} == {
        (name, severity) for name in CORRUPTIONS for severity in range(1, 6)
    }
    assert {problem.unit for problem in problems} == set(range(19))
    assert len({problem.setting for problem in problems}) == 5
    full = expand(Selection(("ppc-corruptions",), ("cnn-ensemble",), scale="full"))
    assert len({training_key(p.cell) for p in full}) == 3 and len(full) == 285


def test_published_files_share_the_training_and_not_the_identity() -> None:
    ours, theirs = (parse(f"ppc/{name}-n1000-m100-s1/fog") for name in ("cifar10", "cifar10_c"))
    assert ours.training() == theirs.training() and ours.shape() == theirs.shape()
    assert ours.id != theirs.id


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        ("ppc/cmaterdb-n600-m60-s3/mist", "corruption"),
        ("ppc/cmaterbd-n600-m60-s3/fog", "data set"),
        ("ppc/iris-n100-m30-s3/fog", "must be of images"),
        ("ppc/cmaterdb-n600-m6000-s3/fog", "2 to 1,000 to test"),
        ("ppc/cmaterdb-n600-m60-s6/fog", "no known form"),
    ],
)
def test_what_there_is_not(problem: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parse(problem)


def test_more_rows_than_there_are() -> None:
    problem = parse("ppc/cmaterdb-n4001-m60-s3/fog")
    assert isinstance(problem, CorruptionProblem)
    with pytest.raises(UsageError, match="has 4,000 images to train on"):
        corrupted.clean(problem)


def test_a_set_that_is_not_here_says_where_it_belongs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("AUGURY_DATA", raising=False)
    load_pixels.cache_clear()
    problem = parse("ppc/fashion_mnist-n100-m60-s3/fog")
    assert isinstance(problem, CorruptionProblem)
    with pytest.raises(AuguryError, match="augury data fetch fashion_mnist"):
        corrupted.tested(problem)


def test_cells_share_a_training_and_it_does_not_matter_who_asks() -> None:
    cells = [cell("fog"), cell("fog", 5), cell("contrast")]
    found, progress = run(*cells)
    assert len({tuple(e.curves["loss"]) for e in found.values()}) == 1
    assert [p.step for p in progress if p.phase == "train"][-1] == 80
    alone, _ = run(cells[1])
    assert alone[cells[1].cell_id].rows == found[cells[1].cell_id].rows
    assert len({e.rows for e in found.values()}) == 3
    other, _ = run(cell(seed=1))
    assert other[cell(seed=1).cell_id].rows != found[cells[0].cell_id].rows


def test_rows_of_a_cell() -> None:
    target = cell()
    found, _ = run(target)
    rows = by_place(found[target.cell_id])
    assert {metric for metric, _ in rows} <= METRICS.keys()
    assert all(row.value is not None and np.isfinite(row.value) for row in rows.values())
    for metric in ("p_value", "passes", "sharpness", "observed", "ece15", "accuracy"):
        assert {split for name, split in rows if name == metric} == SPLITS
    for split in SPLITS:
        passes, low, high, p = (
            number(rows[name, split]) for name in ("passes", "fails_low", "fails_high", "p_value")
        )
        assert passes + low + high == 1.0 and (p == 0.0) == (low == 1.0)
        assert rows["p_value", split].num_samples == 50
        assert rows["num_members", split].value == 3.0
        mode, statistic, recalibration = split.split("/")
        other = "independent" if mode == "bayesian" else "bayesian"
        twin = f"{other}/{statistic}/{recalibration}"
        assert rows["observed", split].value == rows["observed", twin].value
        beside = rows["accuracy" if statistic == "accuracy" else "ece15", split].value
        assert beside == rows["observed", split].value
        counts = [y for _, y in found[target.cell_id].curves[f"histogram/{split}"]]
        assert sum(counts) == 50


def test_rows_are_what_the_parts_say() -> None:
    """The same training by hand: temperature on held-out images, scores of the mixture."""
    target = cell("gaussian_noise", 4)
    found, _ = run(target)
    rows = by_place(found[target.cell_id])
    config = ImageEnsembleConfig(network="mlp", width=16, num_steps=80, num_ensemble=3)
    agent = image_ensemble.make_agent(config)
    every = load_pixels("cmaterdb")
    key = agent_key(0, "cmaterdb-n600")
    built = agent.programs((32, 32, 3), 10, "cpu")
    fitted, _ = images.fit(built, config, every.train_x[:600], every.train_y[:600], key)
    read = lambda x: images.predict(built, fitted, x, epistemic_key(key))  # noqa: E731
    temperature = fit_temperature(read(every.held_x[:60]), every.held_y[:60])
    assert rows["temperature", "temperature"].value == pytest.approx(temperature)
    assert rows["temperature", "none"].value == 1.0
    x = corrupt(every.test_x[:60], "gaussian_noise", 4, every.test_index[:60].tolist())
    logits, y = read(x), every.test_y[:60]
    for recalibration, t in (("none", 1.0), ("temperature", temperature)):
        mixture = probabilities(logits, t).mean(0)
        split = f"bayesian/accuracy/{recalibration}"
        assert rows["accuracy", split].value == pytest.approx((mixture.argmax(-1) == y).mean())
        nll = -np.log(mixture[np.arange(60), y]).mean()
        assert rows["nll", recalibration].value == pytest.approx(nll)
        brier = ((mixture - np.eye(10)[y]) ** 2).sum(-1).mean()
        assert rows["brier", recalibration].value == pytest.approx(brier)


def test_no_image_calibrates_and_is_tested_or_trained_on() -> None:
    problem = parse(cell().problem)
    assert isinstance(problem, CorruptionProblem)
    rows, every = corrupted.clean(problem), load_pixels("cmaterdb")
    assert len(rows.train_x) == 600 and len(rows.held_x) == 60
    # Held-out images are of the training file, tested ones of the other.
    assert np.shares_memory(rows.held_x, every.held_x)
    assert not np.shares_memory(rows.held_x, every.train_x)
    assert not np.shares_memory(rows.held_x, every.test_x)
    x, y = corrupted.tested(problem)
    assert x.shape == (60, 32, 32, 3) and x.dtype == np.uint8
    np.testing.assert_array_equal(y, every.test_y[:60])
    # More images change none of the first.
    more, _ = corrupted.tested(replace(problem, num_test=90))
    np.testing.assert_array_equal(more[:60], x)


def test_a_checkpoint_is_gone_when_the_results_are_out(tmp_path: Path) -> None:
    kept, _ = run(cell(), context=BatchContext(checkpoints=tmp_path))
    assert list(tmp_path.iterdir()) == []
    plain, _ = run(cell())
    assert kept[cell().cell_id].rows == plain[cell().cell_id].rows


def test_a_diverged_training_says_so_in_every_row() -> None:
    bad = cell(learning_rate=1e30)
    found, _ = run(bad)
    rows = found[bad.cell_id].rows
    assert {row.split for row in rows} == SPLITS
    assert all(row.value is None and row.reason for row in rows)


def test_dropout_takes_masks_for_members() -> None:
    config = {"network": "mlp", "width": 16, "num_steps": 40, "num_samples": 4}
    target = replace(cell(), subject="mlp-dropout", config=config)
    found, _ = run(target)
    rows = by_place(found[target.cell_id])
    assert rows["num_members", "bayesian/ece/none"].value == 4.0
    assert number(rows["sharpness", "bayesian/ece/none"]) > 0.0


def test_subjects_do_not_leak_into_other_families() -> None:
    with pytest.raises(UsageError, match="cannot be checked on"):
        run(replace(cell(), subject="ensemble", config={}))
    with pytest.raises(UsageError, match="cannot be checked on"):
        run(replace(cell(), problem="ppc/quadratic-gap/e0", config={}))
