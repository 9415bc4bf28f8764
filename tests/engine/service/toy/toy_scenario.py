"""Cells that behave as their seed says: mostly well, some badly."""

import os
import signal
import sys
import threading
import time
from collections.abc import Sequence

import numpy as np

from augury.engine.types import (
    BatchContext,
    Cell,
    CellFinished,
    Emit,
    MetricRow,
    OutOfMemory,
    Progress,
    Seconds,
)

RAISES, KILLS, WAITS, SILENT, TWICE, PRINTS = 1001, 1002, 1003, 1004, 1005, 1006
SAVES_AND_DIES, SAVES_AND_WAITS = 1007, 1008  # the first time; then they go on from there
INTERRUPTS, EXITS, HANGS = 1009, 1010, 1011
WIDE = 2000  # with cells from here on, a batch of more than two does not fit


def run_batch(cells: Sequence[Cell], emit: Emit, context: BatchContext) -> None:
    """One number for each cell: the mean of normal draws of its seed."""
    seeds = [cell.seed for cell in cells]
    width = context.width or len(cells)
    if any(seed >= WIDE for seed in seeds) and width > 2:
        raise OutOfMemory(f"{width} cells do not fit")
    if KILLS in seeds:
        os.kill(os.getpid(), signal.SIGKILL)
    if RAISES in seeds:
        for step in (1, 2, 3):
            emit(Progress(tuple(cell.cell_id for cell in cells), "train", step, 9, 1.0 / step))
        raise ValueError("a poisoned cell")
    if INTERRUPTS in seeds:
        raise KeyboardInterrupt
    if HANGS in seeds:
        threading.Event().wait()
    if EXITS in seeds:
        sys.exit(0)
    if PRINTS in seeds:
        print('{"batch": "b1", "done": true}', flush=True)
    if {SAVES_AND_DIES, SAVES_AND_WAITS} & set(seeds) and context.checkpoints:
        carry = context.checkpoints / "carry"
        if not carry.exists():
            carry.write_text("half way")
            if SAVES_AND_DIES in seeds:
                os.kill(os.getpid(), signal.SIGKILL)
            seeds = [WAITS]
    while WAITS in seeds:
        emit(Progress((cells[0].cell_id,), "train", 1, 2, 0.5))
        time.sleep(0.01)
    for cell in cells:
        time.sleep(float(os.environ.get("TOY_SECONDS", "0")))
        rows = np.random.default_rng(cell.seed).normal(size=100)
        row = MetricRow("kl", float(rows.mean()), 0.1, 1, 0, "", len(rows))
        emit(Progress((cell.cell_id,), "train", 1, 1, float(rows.var())))
        if cell.seed == SILENT:
            continue
        numbers = (row, row) if cell.seed == TWICE else (row,)
        seconds = Seconds(train=0.001)
        emit(CellFinished(cell.cell_id, numbers, seconds, width, {"loss": [(1, 0.5)]}))
