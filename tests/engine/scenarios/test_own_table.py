"""A person's own table is learned from and scored; a file that changed is no other problem."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.datasets.own.load import describe, load
from augury.engine.datasets.own.recipe import Recipe
from augury.engine.errors import UsageError
from augury.engine.scenarios import real
from augury.engine.types import BatchContext, Cell, CellFinished, MetricRow

RECIPE = Recipe("y")
SETTINGS = {"num_test_batches": 60, "num_epistemic": 40, "max_steps": 200, "preprocess": "feature"}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Three classes that a level of text and a number tell apart; two thirds are of one."""
    rng = np.random.default_rng(0)
    lines = []
    for i in range(300):
        label = [0, 0, 0, 0, 1, 2][i % 6]
        x = f"{rng.normal(4 * (label == 1)):.3f}" if i % 10 else ""
        lines.append(f"{x},{'ab'[label == 2]},class {label}\n")
    file = tmp_path / "mine.csv"
    file.write_text("x,t,y\n" + "".join(lines))
    return file


def cell(path: Path, subject: str, rows: int = 240, **settings: Any) -> Cell:
    about = describe(path, RECIPE)
    assert about.num_train == 240
    return Cell(
        "real",
        f"real/table-{about.name}-{about.digest}/n{rows}",
        subject,
        {},
        SETTINGS | settings,
        resources={"table": str(path), "recipe": RECIPE.text()},
    )


def rows_of(cell: Cell) -> dict[Any, MetricRow]:
    events: list[Any] = []
    real.run_batch([cell], events.append, BatchContext())
    (finished,) = [event for event in events if isinstance(event, CellFinished)]
    return {(row.metric, row.tau, row.kappa): row for row in finished.rows}


def test_uniform_scores_what_it_must(path: Path) -> None:
    rows = rows_of(cell(path, "uniform"))
    labels = load(str(path), RECIPE.text(), describe(path, RECIPE).digest)[0].test_y
    assert np.bincount(labels).tolist() == [40, 10, 10]
    for tau, kappa in ((1, 0), (10, 2)):
        assert rows["kl", tau, kappa].value == pytest.approx(tau * np.log(3), rel=1e-6)
    assert rows["accuracy", 0, 0].value == pytest.approx(40 / 60)
    # All its confidence is 1/3, in one bin.
    assert rows["ece10", 0, 0].value == pytest.approx(40 / 60 - 1 / 3, rel=1e-5)
    assert rows["accuracy", 0, 0].num_samples == 60


def test_an_agent_learns_it(path: Path) -> None:
    rows = rows_of(cell(path, "mlp"))
    assert (rows["accuracy", 0, 0].value or 0) > 0.9
    assert (rows["kl", 1, 0].value or 9) < np.log(3) / 2


def test_few_rows_are_the_first_or_those_of_the_seed(path: Path) -> None:
    whole, some = (real.prepare(c, _settings(c)) for c in (cell(path, "mlp"), cell(path, "mlp", 9)))
    np.testing.assert_array_equal(whole.train.x[:9], some.train.x)
    drawn = cell(path, "mlp", 9, subsample="random")
    other = real.prepare(drawn, _settings(drawn)).train
    assert other.x.shape == (9, 4) and (other.x != some.train.x).any()


def _settings(cell: Cell) -> Any:
    from augury.engine.catalog.scenarios import settings_of

    return settings_of(cell)


def test_a_file_that_changed_is_refused_by_name(path: Path) -> None:
    planned = cell(path, "uniform")
    assert rows_of(planned)  # what was read before is no excuse
    path.write_text(path.read_text() + "1,a,class 0\n")
    with pytest.raises(UsageError, match=r"mine\.csv changed since the run was launched"):
        rows_of(planned)
    path.unlink()
    with pytest.raises(UsageError, match=r"mine\.csv: No such file or directory"):
        rows_of(planned)


def test_what_a_table_has_not(path: Path) -> None:
    with pytest.raises(UsageError, match="--preprocess feature"):
        rows_of(cell(path, "uniform", preprocess="example"))
    with pytest.raises(UsageError, match="for the testbed only"):
        rows_of(cell(path, "uniform", tau=[1, 20], estimator="projection"))
    with pytest.raises(UsageError, match="has 1 to 240 training rows, not 241"):
        rows_of(cell(path, "uniform", 241))
    planned = cell(path, "uniform")
    lost = Cell("real", planned.problem, "uniform", {}, planned.settings)
    with pytest.raises(UsageError, match=r"name its file with --data FILE --target COLUMN"):
        rows_of(lost)
