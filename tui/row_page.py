"""The cells behind one row of a board: by problem and seed, with the board's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from augury.engine.catalog.splits import parts_of
from augury.engine.store import render
from augury.tui.board_page import Limited, marked
from augury.tui.formatting import decimals, fixed, number, state
from augury.tui.widgets.sheet import Column, Group, Sheet

if TYPE_CHECKING:
    from augury.engine.store import boards
    from augury.engine.store.table import Table

WINDOW = 200  # cells read at once
CELL_ID = -1  # where a row holds its cell
_BEFORE = (
    Column("problem", "problem", "left", most=34, sortable=False, names=True),
    Column("status", "state", "left", lambda v: str(state(v)), lambda v: state(v).tone,
           sortable=False),
    Column("seed", "seed", show=number, sortable=False),
)  # fmt: skip
_AFTER = (
    Column("seconds", "seconds", show=lambda value: number(value, ".2f"), sortable=False),
    Column("note", "note", "left", most=60, sortable=False),
)


@dataclass(frozen=True, slots=True)
class Place:
    """One row of a board and the context it belongs to."""

    scenario: str
    label: str
    context: Mapping[str, Any] = field(default_factory=dict)
    also: Mapping[str, Any] = field(default_factory=dict)  # further columns that take rows apart
    problem: str = ""  # only its cells on this one

    def params(self, offset: int) -> dict[str, Any]:
        """The query of a window on its cells."""
        return {
            "scenario": self.scenario,
            "label": self.label,
            **self.context,
            "setting": self.also.get("setting"),
            "problem": self.problem or None,
            "limit": WINDOW,
            "offset": offset,
        }


def sheet(place: Place, board: boards.Board, cells: Table, offset: int) -> Sheet:
    """One line for each cell: problem, state, seed, the board's numbers, seconds, what failed."""
    measured = [c for c in board.columns if c.stat == "mean"]
    splits = {dict(board.by)[name]: value for name, value in place.also.items()
              if name in dict(board.by)}  # fmt: skip
    rows: list[tuple[Any, ...]] = []
    total = 0
    for cell in cells.dicts():
        total = cell["total"]
        values: list[float | None] = []
        for column in measured:
            values += _number(column, cell["numbers"], splits)
        note = ": ".join(filter(None, (cell["error_kind"], cell["error_message"])))
        rows.append(
            (cell["problem"], cell["status"], cell["seed"], *values, cell["seconds"], note,
             cell["cell_id"])
        )  # fmt: skip
    columns: list[Column] = []
    for column in measured:
        place_of = len(_BEFORE) + len(columns)
        errors = [row[place_of + 1] for row in rows]
        show = fixed(decimals((row[place_of] for row in rows), errors))
        columns.append(Column(column.name, column.title, show=marked(show), sortable=False))
        columns.append(
            Column(f"{column.name}_stderr", "±SE", show=show, tone=_muted, sortable=False)
        )
    return Sheet((*_BEFORE, *columns, *_AFTER), tuple(rows), total, offset, (CELL_ID,))


def legend(sheet: Sheet) -> str:
    """What the mark at some of the numbers means; empty where none has it."""
    rows = (row for row in sheet.rows if not isinstance(row, Group))
    has = any(isinstance(value, Limited) for row in rows for value in row)
    return render.LEGEND if has else ""


def _number(
    column: boards.Column, numbers: list[dict[str, Any]], splits: Mapping[str, Any]
) -> tuple[float | None, float | None]:
    """The cell's own value; the mean, without an error, where several splits make it up."""
    found = [
        n for n in numbers
        if (n["metric"], n["tau"], n["kappa"]) == (column.metric, column.tau, column.kappa)
        and (_within(n["split"], splits) if column.split is None else column.split == n["split"])
    ]  # fmt: skip
    values = [n["value"] for n in found if n["value"] is not None]
    if not values or len(values) < len(found):
        return None, None
    if len(values) == 1:
        few = column.metric == "kl" and any(
            n["metric"] == "ess" and (n["tau"], n["kappa"]) == (column.tau, column.kappa)
            and render.too_few(n["value"]) for n in numbers
        )  # fmt: skip
        return Limited(values[0]) if few else values[0], found[0]["stderr"]
    return sum(values) / len(values), None


def _muted(_value: Any) -> str:
    return "muted"


def _within(split: str, wanted: Mapping[str, Any]) -> bool:
    """Whether a number's split is the row's, in whole or by the parts that the row names."""
    parts = parts_of(split)
    return wanted.get("split", split) == split and all(
        wanted[name] == part for name, part in parts.items() if name in wanted
    )
