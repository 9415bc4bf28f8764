"""Real data: counts of given labels, a truth of zero, every test row once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.problems import RealProblem
from augury.engine.catalog.settings import JointSettings, RealSettings
from augury.engine.datasets.load import load
from augury.engine.errors import UsageError
from augury.engine.evaluation.scores import Tests
from augury.engine.plan import Selection, expand
from augury.engine.problems.real import prepare, sample_rows
from augury.engine.scenarios import real
from augury.engine.types import BatchContext, Cell, CellFinished

SETTINGS: dict[str, Any] = {"num_test_batches": 80, "num_epistemic": 20, "max_steps": 200}


def _run(subject: str, **config: Any) -> CellFinished:
    events: list[Any] = []
    cell = Cell("real", "real/iris/n120", subject, config, SETTINGS)
    real.run_batch([cell], events.append, BatchContext())
    return next(e for e in events if isinstance(e, CellFinished))


def test_test_batches_are_test_rows() -> None:
    split = load("iris")
    problem = prepare(RealProblem("iris", 50), RealSettings(**SETTINGS))
    assert isinstance(problem.tests, Tests)
    assert list(problem.tests.joint) == [(1, 0), (10, 2)]
    labels = {
        tuple(x): y for x, y in zip(split.test_x.tolist(), split.test_y.tolist(), strict=True)
    }
    for (tau, _), tests in problem.tests.joint.items():
        assert not np.asarray(tests.true_ll).any()
        counts = np.asarray(tests.counts)
        np.testing.assert_array_equal(counts.sum((1, 2)), np.full(80, tau))
        for x, seen in zip(np.asarray(tests.x).reshape(-1, 4), counts.reshape(-1, 3), strict=True):
            others = np.delete(seen, labels[tuple(x.tolist())])
            assert not others.any()  # a row has one label, however often it is drawn
    assert problem.tests.single.x.shape == (30, 1, 4)
    assert problem.train.x.shape == (50, 4)
    np.testing.assert_array_equal(problem.train.x, split.train_x[:50])


def test_uniform_in_closed_form() -> None:
    rows = {(r.metric, r.tau, r.kappa): r for r in _run("uniform").rows}
    assert rows["kl", 1, 0].value == pytest.approx(np.log(3), rel=1e-6)
    assert rows["kl", 10, 2].value == pytest.approx(10 * np.log(3), rel=1e-6)
    assert rows["kl", 10, 2].num_samples == 80
    assert rows["nll", 0, 0].num_samples == 30


def test_an_mlp_learns_iris() -> None:
    rows = {(r.metric, r.tau, r.kappa): r for r in _run("mlp", learning_rate=0.01).rows}
    assert (rows["accuracy", 0, 0].value or 0) > 0.8
    assert (rows["kl", 1, 0].value or 9) < np.log(3)


def test_refusals() -> None:
    with pytest.raises(UsageError, match="iris has 1 to 120 rows, not 121"):
        prepare(RealProblem("iris", 121), RealSettings(**SETTINGS))
    with pytest.raises(UsageError, match="no problem of 'real'"):
        real.prepare(Cell("real", "testbed/d2-l1-t0.1/e0", "mlp"), RealSettings())
    with pytest.raises(UsageError, match="no problem of 'real'"):
        real.prepare(Cell("real", "real/iris/n120", "mlp"), JointSettings())


def test_features_may_be_standardised_instead() -> None:
    by_row = prepare(RealProblem("iris", 120), RealSettings(**SETTINGS))
    by_column = prepare(RealProblem("iris", 120), RealSettings(**SETTINGS, preprocess="feature"))
    x = np.asarray(by_column.x, np.float64)
    np.testing.assert_allclose(x.mean(0), 0.0, atol=1e-6)
    np.testing.assert_allclose(x.std(0), 1.0, atol=1e-6)
    assert not np.allclose(x, by_row.x)
    np.testing.assert_array_equal(by_column.y, by_row.y)
    assert isinstance(by_column.tests, Tests) and isinstance(by_row.tests, Tests)
    # The same test rows are drawn, whatever is done with their features.
    for point, tests in by_row.tests.joint.items():
        np.testing.assert_array_equal(tests.counts, by_column.tests.joint[point].counts)


def test_a_seed_may_choose_the_rows() -> None:
    split, random = load("iris"), RealSettings(**SETTINGS, subsample="random")

    def rows(number: int, seed: int) -> set[int]:
        problem = prepare(RealProblem("iris", number), random, seed)
        chosen = sample_rows(120, number, "iris", seed)
        np.testing.assert_array_equal(problem.train.x, split.train_x[chosen])
        np.testing.assert_array_equal(problem.train.y[:, 0], split.train_y[chosen])
        assert problem.x.shape == (120, 4)  # one program serves every size
        assert len(set(chosen)) == number and sorted(chosen) == chosen.tolist()
        return set(chosen.tolist())

    assert rows(10, 0) != rows(10, 1) and rows(10, 0) != set(range(10))
    assert rows(10, 3) < rows(50, 3) < rows(120, 3)
    first = prepare(RealProblem("iris", 10), RealSettings(**SETTINGS), 5)
    np.testing.assert_array_equal(first.train.x, split.train_x[:10])


def test_sampled_rows_are_uniform() -> None:
    chosen = np.concatenate([sample_rows(20, 5, "iris", seed) for seed in range(2_000)])
    counts = np.bincount(chosen, minlength=20)
    # chi-squared with 19 degrees of freedom, less for draws without replacement: .999 quantile
    assert ((counts - 500) ** 2 / 500).sum() < 43.8


def test_rows_made_otherwise_are_other_cells() -> None:
    def cell(*overrides: str) -> Cell:
        selection = Selection(("real-quick",), ("mlp",), (0,), "full", overrides)
        return expand(selection)[0].cell

    changed = {
        cell(f"real.{text}").cell_id
        for text in ("preprocess=feature", "subsample=random", "test_rows=all")
    }
    assert len(changed | {cell().cell_id}) == 4
    assert cell("real.preprocess=example").cell_id == cell().cell_id
