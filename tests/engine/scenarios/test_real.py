"""Real data: which rows are learned from, which are scored, and which choose configs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.problems import RealProblem
from augury.engine.catalog.settings import JointSettings, RealSettings
from augury.engine.datasets.load import load
from augury.engine.errors import UsageError
from augury.engine.metrics.labelled import Labelled
from augury.engine.plan import Selection, expand
from augury.engine.problems.real import prepare, sample_rows, shuffled
from augury.engine.scenarios import real
from augury.engine.types import BatchContext, Cell, CellFinished

SETTINGS: dict[str, Any] = {"num_test_batches": 80, "num_epistemic": 20, "max_steps": 200}


def _run(subject: str, **config: Any) -> CellFinished:
    events: list[Any] = []
    cell = Cell("real", "real/iris/n120", subject, config, SETTINGS)
    real.run_batch([cell], events.append, BatchContext())
    return next(e for e in events if isinstance(e, CellFinished))


def _labelled(problem: Any) -> Labelled:
    assert isinstance(problem.tests, Labelled)
    return problem.tests


def test_what_is_scored_is_the_test_rows() -> None:
    split = load("iris")
    problem = prepare(RealProblem("iris", 50), RealSettings(**SETTINGS))
    tests = _labelled(problem)
    assert list(tests.anchors) == [(1, 0), (10, 2)]
    np.testing.assert_array_equal(tests.x, split.test_x)
    np.testing.assert_array_equal(np.argmax(tests.truth, 1), split.test_y)
    np.testing.assert_array_equal(tests.anchors[1, 0].rows[:, 0], np.arange(30))
    assert tests.anchors[10, 2].rows.shape == (465, 2)  # all pairs
    assert problem.train.x.shape == (50, 4)
    np.testing.assert_array_equal(problem.train.x, split.train_x[:50])


def test_rows_lie_on_the_device_once() -> None:
    settings = RealSettings(**SETTINGS)
    one, two = (prepare(RealProblem("iris", n), settings, seed) for n, seed in ((10, 0), (120, 1)))
    assert one.x is two.x and one.y is two.y and one.shared and two.shared
    assert _labelled(one).x is _labelled(two).x
    own = prepare(RealProblem("iris", 10), RealSettings(**SETTINGS, subsample="random"), 0)
    assert not own.shared and own.x is not one.x


@pytest.mark.parametrize(
    ("name", "learned", "held_out"),
    [("iris", {10: 10, 100: 100, 120: 108}, {10: 110, 100: 20, 120: 12}),
     ("wine_quality", {1: 1, 1_000: 1_000, 3_918: 3_526}, {1: 1_000, 1_000: 1_000, 3_918: 392})],
)  # fmt: skip
def test_configs_are_chosen_on_rows_that_nobody_learns_from(
    name: str, learned: dict[int, int], held_out: dict[int, int]
) -> None:
    split = load(name)
    for rows, number in learned.items():
        problem = prepare(RealProblem(name, rows, validation=True), RealSettings(**SETTINGS))
        assert problem.prior.num_train == number and len(problem.train.x) == number
        tests = _labelled(problem)
        behind = slice(number, number + held_out[rows])
        np.testing.assert_array_equal(tests.x, split.train_x[behind])
        np.testing.assert_array_equal(np.argmax(tests.truth, 1), split.train_y[behind])


def test_so_are_they_where_a_seed_chooses_the_rows() -> None:
    random = RealSettings(**SETTINGS, subsample="random")
    order = shuffled(120, "iris", 4)
    for rows, number in ((10, 10), (120, 108)):
        problem = prepare(RealProblem("iris", rows, validation=True), random, 4)
        split, mine = load("iris"), order[:number]
        if rows == 120:  # all rows are used: the last tenth of the data set, whatever the seed
            mine = np.arange(108)
        np.testing.assert_array_equal(problem.train.x, split.train_x[np.sort(mine)])
        rest = order[number:] if rows < 120 else np.arange(108, 120)
        np.testing.assert_array_equal(_labelled(problem).x, split.train_x[rest])


def test_uniform_in_closed_form() -> None:
    rows = {(r.metric, r.tau, r.kappa): r for r in _run("uniform").rows}
    assert rows["kl", 1, 0].value == pytest.approx(np.log(3), rel=1e-6)
    assert rows["kl", 10, 2].value == pytest.approx(10 * np.log(3), rel=1e-6)
    assert rows["kl", 10, 2].num_samples == 30
    assert rows["brier", 0, 0].value == pytest.approx(2 / 3)
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
    # The same test rows are paired, whatever is done with their features.
    for point, anchors in _labelled(by_row).anchors.items():
        np.testing.assert_array_equal(anchors.rows, _labelled(by_column).anchors[point].rows)


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
