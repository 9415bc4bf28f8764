"""The cells of one run: what the store says, and over it what events told since. No widgets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from augury.tui.formatting import number, spark, state
from augury.tui.live import Live, Training
from augury.tui.widgets.sheet import Column, Sheet

if TYPE_CHECKING:
    from augury.engine.store.table import Table

Line: TypeAlias = tuple[Any, ...]
STATE, PROBLEM, SEED, NOTE, CELL_ID = 1, 2, 3, -2, -1
WINDOW = 200  # lines that the table holds; measuring ten thousand would block the keys
_ORDER = {"failed": 0, "pending": 1, "done": 2}
_TREND = 8  # columns of a sparkline


class Cells:
    """Lines in the order they are shown: at work, failed, waiting, done."""

    def __init__(self, table: Table) -> None:
        """Order what the store knows; costs milliseconds, so it is for a thread."""
        self._stored: list[Line] = sorted(map(_stored, table.dicts()), key=_place)
        self._by_id = {line[CELL_ID]: line for line in self._stored}
        scenarios = {str(line[PROBLEM]).partition("/")[0] for line in self._stored}
        # The scenario in front of every problem is the one thing a person knows already.
        self._columns = _columns(f"{scenarios.pop()}/" if len(scenarios) == 1 else "")
        self._rank = {cell_id: place for place, cell_id in enumerate(self._by_id)}

    def __len__(self) -> int:
        """How many cells the run has."""
        return len(self._stored)

    def ids(self) -> Sequence[str]:
        """All of its cells."""
        return tuple(self._by_id)

    def first_failed(self, live: Live) -> str:
        """The first cell that failed; "" where none did."""
        lines = self.lines(live)
        return next((str(line[CELL_ID]) for line in lines if line[STATE] == "failed"), "")

    def lines(self, live: Live) -> Sequence[Line]:
        """All lines as events have it by now."""
        at_work: dict[str, Line] = {}
        for batch in live.batches.values():
            for cell_id in batch.cells & self._by_id.keys():
                at_work[cell_id] = _at_work(self._by_id[cell_id], batch)
        ended = {
            cell_id: _ended(self._by_id[cell_id], how, live.failures.get(cell_id, ""))
            for cell_id, how in live.settled.items()
            if cell_id in self._by_id and cell_id not in at_work
        }
        if not at_work and not ended:
            return self._stored
        # Of a batch those first whose training goes on just now.
        first = sorted(at_work.values(), key=lambda line: (not line[4], self._rank[line[CELL_ID]]))
        failed = [line for line in ended.values() if line[STATE] == "failed"]
        done = [line for line in ended.values() if line[STATE] != "failed"]
        changed = at_work.keys() | ended.keys()
        rest = [line for line in self._stored if line[CELL_ID] not in changed]
        return [*first, *failed, *rest, *done]

    def sheet(self, live: Live, around: int, run_id: str = "") -> Sheet:
        """The window of lines around one of them, as they stand in that run."""
        lines = self.lines(live)
        start = min(max(around - WINDOW // 2, 0), max(len(lines) - WINDOW, 0))
        window = tuple(lines[start : start + WINDOW])
        if live.runs.get(run_id, {}).get("state") == "cancelled":  # nothing waits any more
            window = tuple(map(_dropped, window))
        return Sheet(self._columns, window, len(lines), start, key=(CELL_ID,), row_tone=None)


def _stored(cell: Mapping[str, Any]) -> Line:
    # A failed cell that waits for another try is pending in the store, and its run says so.
    why = ": ".join(filter(None, (cell["error_kind"], cell["error_message"])))
    return (cell["label"], str(cell["status"]), cell["problem"], cell["seed"], "", None, "",
            cell["seconds"], why, cell["cell_id"])  # fmt: skip


def _place(line: Line) -> int:
    return _ORDER.get(line[STATE], 1)


def _at_work(line: Line, batch: Training) -> Line:
    # A batch works on some of its cells at a time; of the others it has nothing to say.
    if line[CELL_ID] not in batch.now:
        return line[0], "running", *line[2:]
    trend = spark([value for _, value in batch.curve], _TREND)
    return line[0], "running", *line[2:4], batch.short, batch.loss, trend, *line[7:]


def _dropped(line: Line) -> Line:
    return (line[0], "cancelled", *line[2:]) if line[STATE] == "pending" else line


def _ended(line: Line, how: str, why: str) -> Line:
    return line[0], how, *line[2:NOTE], why or line[NOTE], line[CELL_ID]


def _columns(prefix: str) -> tuple[Column, ...]:
    def problem(value: str) -> str:
        return str(value).removeprefix(prefix)

    def loss(value: float | None) -> str:
        return "" if value is None else f"{value:.4g}"

    def seconds(value: float | None) -> str:
        return "" if value is None else f"{value:.2f}"

    return (
        Column("label", "subject", "left", most=26, sortable=False),
        Column("status", "state", "left", lambda v: str(state(v)), lambda v: state(v).tone,
               sortable=False),
        Column("problem", "problem", "left", problem, most=34, sortable=False),
        Column("seed", "seed", show=number, sortable=False),
        Column("step", "step", "left", sortable=False),
        Column("loss", "loss", show=loss, sortable=False),
        Column("trend", "trend", "left", sortable=False),
        Column("seconds", "seconds", show=seconds, sortable=False),
        Column("note", "note", "left", most=60, sortable=False),
    )  # fmt: skip
