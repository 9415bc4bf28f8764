"""A store with numbers in it, made without computing any."""

from __future__ import annotations

import random
import shutil
from pathlib import Path

import pytest

from augury.engine.cli.selection import command_text
from augury.engine.paths import store_directory
from augury.engine.plan import PlannedCell, Selection, expand
from augury.engine.store import connection, write
from augury.engine.store.records import FailedCell, FinishedCell, Provenance, RunRecord
from augury.engine.types import CellFinished, MetricRow, RowSums, Seconds

AGENTS = ("uniform", "prior", "mlp", "ensemble", "ensemble+")
SELECTION = Selection(("testbed-quick",), AGENTS, (0, 1), "smoke")
RUN = "r1a2b3"


@pytest.fixture
def store(full: Path) -> Path:
    """Every cell of a run is done."""
    return Path(shutil.copytree(full, store_directory()))


@pytest.fixture
def broken_store(partial: Path) -> Path:
    """One subject's cells failed."""
    return Path(shutil.copytree(partial, store_directory()))


@pytest.fixture(scope="session")
def full(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Made once: writing a store takes a second, copying it none."""
    return fill(tmp_path_factory.mktemp("full"), set())


@pytest.fixture(scope="session")
def partial(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As `full`."""
    return fill(tmp_path_factory.mktemp("partial"), {"prior"})


def fill(path: Path, failing: set[str], kind: str = "ValueError") -> Path:
    """A store with one finished run, in which the subjects `failing` have no numbers."""
    planned = expand(SELECTION)
    draws = random.Random(0)
    finished = [_finished(p, draws) for p in planned if p.cell.subject not in failing]
    failed = [
        FailedCell(p.cell, kind, "loss is\nnot finite", "Traceback:\n  line")
        for p in planned
        if p.cell.subject in failing
    ]
    con = connection.open_store(path)
    try:
        record = RunRecord(RUN, command_text(SELECTION), SELECTION.to_json())
        write.add_run(con, record, planned)
        write.commit_batch(con, finished, failed, Provenance("cpu", "w0", "0.1.0", "0.10.2"))
        write.set_run_state(con, RUN, "finished")
    finally:
        con.close()
    return path


def _finished(planned: PlannedCell, draws: random.Random) -> FinishedCell:
    rows = [
        MetricRow(
            "kl", draws.random(), 0.01, tau, kappa, num_samples=100, sums=RowSums(0.01, (0.0, 0.0))
        )
        for tau, kappa in ((1, 0), (10, 0), (10, 2))
    ]
    rows.append(MetricRow("accuracy", draws.random(), 0.01, num_samples=100))
    cell = planned.cell
    return FinishedCell(cell, CellFinished(cell.cell_id, tuple(rows), Seconds(1.0, 2.0, 3.0)))
