"""A store of posterior predictive checks of made-up predictions, quickly: `make(path)`.

Every row and histogram is what the scenario itself makes of them. The higher the severity, the
more labels are wrong, while members stay as sure as before.
`python tests/bench/seeded_checks.py PATH`
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.evaluation.checks import Prediction, evaluate
from augury.engine.evaluation.label_checks import LabelPrediction, evaluate_labels
from augury.engine.plan import PlannedCell
from augury.engine.statistics.mixture import normal_mixture
from augury.engine.store import connection, write
from augury.engine.store.records import FinishedCell, Provenance, RunRecord
from augury.engine.types import Cell, CellFinished

CORRUPTIONS = ("brightness", "zoom_blur")
AGENTS = ("mlp-dropout", "mlp-ensemble")
_ROWS, _CLASSES, _MEMBERS = 100, 10, 5
_SETTINGS = {"num_replicates": 100}


def make(path: Path) -> None:
    """20 cells of images under corruptions, and two of the quadratic."""
    draw = np.random.default_rng(0)
    version = SCENARIOS["ppc"].version
    images = [
        Cell("ppc", f"ppc/fashion_mnist-n1000-m{_ROWS}-s{severity}/{corruption}", agent,
             settings=_SETTINGS, scenario_version=version)
        for agent in AGENTS for corruption in CORRUPTIONS for severity in range(1, 6)
    ]  # fmt: skip
    quadratic = [
        Cell("ppc", f"ppc/quadratic-{region}/e0", "ensemble", settings=_SETTINGS,
             scenario_version=version)
        for region in ("gap", "iid")
    ]  # fmt: skip
    results = [_images(cell, draw) for cell in images] + [_quadratic(c, draw) for c in quadratic]
    con = connection.open_store(path)
    try:
        for run, sweep, cells in (
            ("rseeded", "ppc-quadratic", quadratic),
            ("rimages", "ppc-corruptions", images),
        ):
            planned = [PlannedCell(cell, sweep, "full") for cell in cells]
            write.add_run(con, RunRecord(run, f"augury run {sweep}", {}), planned)
        done = [FinishedCell(c, r) for c, r in zip([*images, *quadratic], results, strict=True)]
        write.commit_batch(con, done, [], Provenance("cpu", "w0", "0", "0"))
        for run in ("rseeded", "rimages"):
            write.set_run_state(con, run, "finished")
        con.execute("UPDATE runs SET created_at = TIMESTAMP '2026-01-02 03:04:05', "
                    "updated_at = created_at, code_version = '1'")  # fmt: skip
        con.execute("UPDATE cells SET finished_at = TIMESTAMP '2026-01-02 03:04:05', "
                    "evaluate_seconds = 0.1")  # fmt: skip
    finally:
        con.close()


def _images(cell: Cell, draw: np.random.Generator) -> CellFinished:
    severity = int(cell.problem.partition("-s")[2][0])
    labels = draw.integers(_CLASSES, size=_ROWS)
    told = np.where(draw.random(_ROWS) < 0.1 * severity, (labels + 1) % _CLASSES, labels)
    logits = draw.normal(0.0, 1.0, (_MEMBERS, _ROWS, _CLASSES))
    logits[:, np.arange(_ROWS), told] += 3.0
    return evaluate_labels(LabelPrediction(cell, logits, labels, 1.5))


def _quadratic(cell: Cell, draw: np.random.Generator) -> CellFinished:
    spread = 0.5 if "gap" in cell.problem else 0.05
    mean = draw.normal(0.0, spread, (_MEMBERS, 1)) + np.zeros((_MEMBERS, _ROWS))
    scale = np.full((_MEMBERS, _ROWS), 1.0)
    observed = draw.normal(spread, 1.0, _ROWS)
    return evaluate(Prediction(cell, normal_mixture(mean, scale), observed))


if __name__ == "__main__":
    make(Path(sys.argv[1]))
