"""Runs and their cells as the Runs tab shows them: pure functions of what is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.text_width import cut
from augury.tui.formatting import MISSING, bar, duration, number, percent, state
from augury.tui.live import Live, Training
from augury.tui.widgets.sheet import Column, Sheet

if TYPE_CHECKING:
    from augury.engine.store.table import Table

RUN_COLUMNS = (  # name, title, width; fixed, for a width that follows its text makes lines jump
    ("state", "State", 11),
    ("run", "Run", 7),
    ("progress", "Progress", 15),
    ("cells", "Cells", 11),
    ("failed", "Failed", 6),
    ("left", "Left", 5),
    ("command", "Command", None),
)
FIXED_WIDTH = sum((width or 0) + 2 for _, _, width in RUN_COLUMNS)
CELL_ID, NOTE = -1, -2
_STATE, _STEP = 1, 4


def newest_first(live: Live) -> list[Mapping[str, Any]]:
    """Runs, the newest on top."""
    return sorted(live.runs.values(), key=lambda run: str(run.get("created")), reverse=True)


def run_line(run: Mapping[str, Any], width: int) -> tuple[str, ...]:
    """The texts of one run, in the order of `RUN_COLUMNS`."""
    total, done, failed = run["total"], run["done"], run["failed"]
    ended = done + failed
    left = duration(run.get("seconds_left")) if run["state"] == "running" else ""
    return (
        str(state(run["state"])),
        run["run_id"],
        f"{bar(ended, total, 10)} {percent(ended, total):>4}",
        f"{done}/{total}",
        f"✖ {failed}" if failed else MISSING,
        left,
        cut(str(run.get("command", "")).removeprefix("augury run "), max(width, 1)),
    )


def summary(run: Mapping[str, Any], live: Live) -> str:
    """One line about the selected run."""
    waiting = f"{run['pending']} {'dropped' if run['state'] == 'cancelled' else 'waiting'}"
    counts = f"{run['done']} done, {run.get('running', 0)} running, {waiting}"
    parts = [f"{counts}, {run['failed']} failed"]
    if run["state"] == "paused":
        parts.insert(0, f"paused, R resumes: {run.get('reason') or 'no reason given'}")
    if live.engine is None and run["state"] == "running":
        parts.insert(0, "R resumes")
    return ", ".join(parts)


def cells_sheet(cells: Table, live: Live) -> Sheet:
    """One line for each cell of a run; those at work first, then failed, waiting and done."""
    running = live.running_cells
    rows = []
    for cell in cells.dicts():
        cell_id = cell["cell_id"]
        batch = live.batch_of(cell_id) if cell_id in running else None
        name = str(live.settled.get(cell_id, cell["status"]))
        if batch is not None and name != "done":
            name = "running"  # also one that failed, when it is tried again
        # A failed cell that waits for another try is pending in the store, and its run says so.
        rows.append(
            (cell["label"], name, cell["problem"], cell["seed"], *_work(batch, name, cell_id),
             cell["seconds"], _note(cell, live), cell_id)
        )  # fmt: skip
    order = {"running": 0, "failed": 1, "pending": 2, "done": 3}
    # Of a batch those first whose training goes on just now.
    rows.sort(key=lambda row: (order.get(row[_STATE], 2), not row[_STEP]))
    return Sheet(_COLUMNS, tuple(rows), len(rows), key=(CELL_ID,), row_tone=None)


def _work(batch: Training | None, name: str, cell_id: str) -> tuple[str, float | None]:
    # A batch works on some of its cells at a time; of the others it has nothing to say.
    if batch is None or name != "running" or cell_id not in batch.now:
        return "", None
    return batch.where, batch.loss


def _note(cell: Mapping[str, Any], live: Live) -> str:
    told = live.failures.get(cell["cell_id"])
    return told or ": ".join(filter(None, (cell["error_kind"], cell["error_message"])))


_COLUMNS = (
    Column("label", "subject", "left", most=26, sortable=False),
    Column("status", "state", "left", lambda v: str(state(v)), lambda v: state(v).tone,
           sortable=False),
    Column("problem", "problem", "left", most=34, sortable=False),
    Column("seed", "seed", show=number, sortable=False),
    Column("step", "step", "left", sortable=False),
    Column("loss", "loss", show=lambda v: "" if v is None else f"{v:.4g}", sortable=False),
    Column("seconds", "seconds", show=lambda v: "" if v is None else f"{v:.2f}", sortable=False),
    Column("note", "note", "left", most=60, sortable=False),
)  # fmt: skip
