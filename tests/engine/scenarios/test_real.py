"""Real data: counts of given labels, a truth of zero, every test row once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.problems import RealProblem
from augury.engine.catalog.settings import JointSettings
from augury.engine.datasets.load import load
from augury.engine.errors import UsageError
from augury.engine.evaluation.scores import Tests
from augury.engine.problems.real import prepare
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
    problem = prepare(RealProblem("iris", 50), JointSettings(**SETTINGS, kappa=(2,)))
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
        prepare(RealProblem("iris", 121), JointSettings(**SETTINGS, kappa=(2,)))
    with pytest.raises(UsageError, match="no problem of 'real'"):
        real.prepare(Cell("real", "testbed/d2-l1-t0.1/e0", "mlp"), JointSettings())
