"""A store full of made-up cells, quickly: `make(path, num_cells)`. For benches and screens only.

`python tests/bench/seeded_store.py PATH CELLS [rows]`; with `rows` each cell is a row of the board.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.sweeps import SWEEPS
from augury.engine.plan import PlannedCell
from augury.engine.store import connection, write
from augury.engine.store.records import FailedCell, FinishedCell, Provenance, RunRecord
from augury.engine.types import Cell, CellFinished, MetricRow, RowSums, Seconds

_LOSS = tuple((step, 1.0 / (1 + step)) for step in range(5))
_LEVEL = {"uniform": 1.0, "prior": 0.9, "mlp": 0.5, "ensemble": 0.3, "ensemble+": 0.2}


def make(
    path: Path, num_cells: int, scenario: str = "testbed", seed: int = 0, *, rows: bool = False
) -> None:
    """Write a store at `path` with `num_cells` cells of the full testbed, about 10 results each.

    One cell in a hundred has failed, one in two hundred has a number that is missing. With `rows`
    each cell is of a config of its own, all on one problem.
    """
    draw = random.Random(seed)
    problems = SWEEPS[scenario].full
    subjects = ["mlp"] if rows else list(_LEVEL)
    version = SCENARIOS[scenario].version
    planned = []
    for place in range(num_cells):
        subject = subjects[place % len(subjects)]
        problem = problems[0 if rows else place // len(subjects) % len(problems)]
        seed = 0 if rows else place // (len(subjects) * len(problems))
        config = {"learning_rate": (place + 1) / 1e5} if rows else {}
        cell = Cell(scenario, problem.id, subject, config, seed=seed, scenario_version=version)
        planned.append(PlannedCell(cell, scenario, "full"))
    con = connection.open_store(path)
    try:
        write.add_run(con, RunRecord("rseeded", "augury run testbed", {}), planned)
        for start in range(0, num_cells, 5_000):
            finished, failed = [], []
            for item in planned[start : start + 5_000]:
                if draw.random() < 0.01:
                    failed.append(
                        FailedCell(item.cell, "ValueError", "made up", "no traceback", _LOSS)
                    )
                else:
                    finished.append(FinishedCell(item.cell, _result(item.cell, draw)))
            write.commit_batch(con, finished, failed, Provenance("cpu", "w0", "0", "0"))
        write.set_run_state(con, "rseeded", "finished")
    finally:
        con.close()


def _result(cell: Cell, draw: random.Random) -> CellFinished:
    level = _LEVEL[cell.subject]
    rows = [
        MetricRow(
            "kl",
            max(level, 0.02) * tau + draw.gauss(0, 0.05),
            0.02,
            tau,
            kappa,
            "",
            1000,
            sums=RowSums(0.02, (0.0, 0.0)),
        )
        for tau, kappa in ((1, 0), (10, 0), (10, 2))
    ]
    if draw.random() < 0.005:
        rows[0] = MetricRow("kl", None, None, 1, 0, "", 1000, "the loss was not finite")
    for metric in ("accuracy", "ece10", "nll", "brier"):
        rows.append(MetricRow(metric, draw.random(), 0.01, num_samples=1000))
    for split in ("train", "train2", "train3"):
        rows.append(MetricRow("accuracy", draw.random(), 0.01, split=split, num_samples=100))
    curve = {"loss": [(step, level / (1 + step)) for step in range(0, 20)]}
    seconds = Seconds(0.1, draw.random(), 0.2)
    return CellFinished(cell.cell_id, tuple(rows), seconds, 16, curve)


if __name__ == "__main__":
    cells = int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    make(Path(sys.argv[1]), cells, rows=sys.argv[3:] == ["rows"])
