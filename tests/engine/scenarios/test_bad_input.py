"""Bad input: a clear error before anything starts, or a right number; never a silent wrong one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.catalog.agents import AGENTS
from augury.engine.cli.points import with_points
from augury.engine.cli.selection import checked
from augury.engine.errors import UsageError
from augury.engine.plan import Selection
from augury.engine.problems.environment_file import describe
from augury.engine.scenarios import testbed
from augury.engine.types import BatchContext, Cell, CellFinished, MetricRow

SETTINGS = {"num_test_batches": 60, "num_epistemic": 40, "max_steps": 40}
SMALL = {
    "num_ensemble": 3, "hidden": [8], "num_steps": 40, "batch_size": 10, "num_trees": 5,
    "burn_in": 10, "save_every": 10,
}  # fmt: skip
NO_HIDDEN = {"logistic-regression"}


def arrays(**changes: Any) -> dict[str, Any]:
    """One input, one row, hence one class seen."""
    rng = np.random.default_rng(0)
    return {
        "w0": rng.normal(size=(1, 50)), "b0": rng.normal(size=50),
        "w1": rng.normal(size=(50, 50)) / 7, "b1": np.zeros(50),
        "w2": rng.normal(size=(50, 2)) / 7, "b2": np.zeros(2),
        "train_x": np.array([[0.5]]), "train_y": np.array([1]), "temperature": np.float64(1.0),
        **changes,
    }  # fmt: skip


def rows_of(subject: str, tmp_path: Path, **changes: Any) -> dict[Any, MetricRow]:
    path = tmp_path / "given.npz"
    np.savez(path, allow_pickle=False, **arrays(**changes))
    name, digest = describe(path)
    default = AGENTS[subject].config
    config = {k: v for k, v in SMALL.items() if hasattr(default, k)}
    if subject in NO_HIDDEN:
        del config["hidden"]
    problem = f"testbed/file-{name}-{digest}/e0"
    cell = Cell("testbed", problem, subject, config, SETTINGS, resources={"problem": str(path)})
    events: list[Any] = []
    testbed.run_batch([cell], events.append, BatchContext())
    (finished,) = [event for event in events if isinstance(event, CellFinished)]
    return {(row.metric, row.tau, row.kappa): row for row in finished.rows}


# One of each kind: constant, drawn fresh, trained and enumerated, kept on the way, on the host.
KINDS = ("uniform", "prior", "mlp", "sgmcmc", "knn")


@pytest.mark.parametrize("subject", KINDS)
def test_one_row_one_class_one_input_at_absurd_temperatures(subject: str, tmp_path: Path) -> None:
    found = {t: rows_of(subject, tmp_path, temperature=np.float64(t)) for t in (1e-12, 1.0, 1e6)}
    for rows in found.values():
        for row in rows.values():
            assert row.reason if row.value is None else np.isfinite(row.value)
    hot = found[1e6]
    # Labels are fair coins then: no agent beats ln 2, and accuracy is a half.
    assert (hot["nll", 0, 0].value or 0) >= np.log(2) - 1e-6
    assert hot["accuracy", 0, 0].value == pytest.approx(0.5, abs=1e-5)
    if subject == "uniform":
        cold = found[1e-12]
        for tau, kappa in ((1, 0), (10, 0), (10, 2)):  # labels are certain: tau ln 2
            assert cold["kl", tau, kappa].value == pytest.approx(tau * np.log(2), rel=1e-6)
            assert hot["kl", tau, kappa].value == pytest.approx(0.0, abs=1e-5)
    if subject == "prior":
        assert hot["kl", 10, 2].value == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("subject", ["mlp", "knn", "logistic-regression"])
def test_many_rows_of_one_class(subject: str, tmp_path: Path) -> None:
    x = np.linspace(-1, 1, 20)[:, None]
    rows = rows_of(subject, tmp_path, train_x=x, train_y=np.zeros(20))
    values = [rows["kl", tau, kappa].value for tau, kappa in ((1, 0), (10, 0), (10, 2))]
    assert all(value is not None and value > -0.01 for value in values)


def test_a_truth_without_numbers_is_refused(tmp_path: Path) -> None:
    signs = np.where(np.eye(50) > 0, 1e38, -1e38)  # finite; infinity less infinity behind them
    with pytest.raises(UsageError, match="no finite logits at .* make its weights smaller"):
        rows_of("uniform", tmp_path, w0=np.full((1, 50), 1e38), w1=signs)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"temperature": np.float64(0)}, "temperature must be one positive number"),
        ({"temperature": np.float64(-1)}, "temperature must be one positive number"),
        ({"temperature": np.float64(1e-40)}, "temperature must be one positive number"),
        ({"temperature": np.float64(np.nan)}, "temperature must hold finite numbers"),
        ({"temperature": np.float64(np.inf)}, "temperature must hold finite numbers"),
        ({"train_x": np.array([[np.nan]])}, "train_x must hold finite numbers"),
        ({"train_x": np.array([[np.inf]])}, "train_x must hold finite numbers"),
        ({"train_y": np.array([np.nan])}, "train_y must hold finite numbers"),
        ({"w1": np.full((50, 50), np.nan)}, "w1 must hold finite numbers"),
        ({"train_x": np.zeros((0, 1)), "train_y": np.zeros(0)}, "n >= 1"),
        ({"train_y": np.array([2])}, "train_y"),
        ({"train_y": np.array([-1])}, "train_y"),
    ],
)
def test_files_that_are_refused(changes: dict[str, Any], words: str, tmp_path: Path) -> None:
    np.savez(tmp_path / "bad.npz", allow_pickle=False, **arrays(**changes))
    with pytest.raises(UsageError, match=words) as refused:
        describe(tmp_path / "bad.npz")
    assert "\n" not in refused.value.message


@pytest.mark.parametrize(
    ("override", "words"),
    [
        ("ensemble.num_ensemble=0", "num_ensemble must be at least 1"),
        ("ensemble.num_ensemble=-3", "num_ensemble must be at least 1"),
        ("testbed.num_test_batches=0", "num_test_batches must be >= 2"),
        ("testbed.num_epistemic=0", "num_epistemic >= 1"),
        ("testbed.num_epistemic=-1", "num_epistemic >= 1"),
        ("testbed.tau=[]", "tau must be of 1 to 10,000"),
        ("testbed.tau=[0]", "tau must be of 1 to 10,000"),
        ("testbed.tau=[1.5]", "takes int"),
        ("testbed.tau=[NaN]", "takes int"),
        ("testbed.kappa=[-1]", r"kappa must be of 0 \(iid\) to 10,000"),
        ("testbed.labels=guessed", "labels"),
        ("testbed.estimator=projection", "for tau above 10"),
        ("mlp.learning_rate=NaN", "finite number"),
        ("mlp.weight_decay=-1", "not negative"),
    ],
)
def test_settings_that_are_refused(override: str, words: str) -> None:
    selection = Selection(("testbed-quick",), ("mlp", "ensemble"), overrides=(override,))
    with pytest.raises(UsageError, match=words) as refused:
        checked(with_points(selection, (), ()))
    assert "\n" not in refused.value.message
