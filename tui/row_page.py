"""The cells behind one row of a board: by problem and seed, with the board's own numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from augury.tui.board_page import page
from augury.tui.formatting import number, state
from augury.tui.widgets.sheet import Column, Row, Sheet

if TYPE_CHECKING:
    from augury.engine.store.records import Table

_BEFORE = (
    Column("problem", "problem", "left", most=34),
    Column("status", "state", "left", lambda name: str(state(name)), lambda n: state(n).tone),
    Column("seed", "seed", show=number),
)
_AFTER = (
    Column("seconds", "seconds", show=lambda value: number(value, ".2f")),
    Column("note", "note", "left", most=60),
)
# Where the values that are not numbers of the board stand in a row.
CELL_ID = -1


@dataclass(frozen=True, slots=True)
class Place:
    """One row of a board and the context it belongs to."""

    scenario: str
    subject: str  # name of the subject's column: agent | estimator
    label: str
    context: Mapping[str, Any] = field(default_factory=dict)
    also: Mapping[str, Any] = field(default_factory=dict)  # further columns that take rows apart

    def cell_params(self) -> dict[str, Any]:
        """The query of the cells."""
        return {"scenario": self.scenario, "label": self.label, **self.context}

    def board_params(self) -> dict[str, Any]:
        """The query of their numbers; a label can hold what a filter cannot quote."""
        safe = self.label.split('"')[0]
        return {
            "scenario": self.scenario,
            "by": ["problem", "seed"],
            "filter": f'{self.subject}~"{safe}"',
            **self.context,
        }


def sheet(place: Place, cells: Table, numbers: Table) -> Sheet:
    """One line for each cell: state, problem, seed, the board's numbers, seconds, what failed."""
    board = page(place.scenario, numbers).sheet
    names = [column.name for column in board.columns]
    titles = numbers.meta.get("titles", {})
    errors = {about.get("stderr") for about in titles.values()}
    kept = [n for n, name in enumerate(names) if name in titles or name in errors]
    found: dict[tuple[Any, Any], Row] = {}
    for row in board.rows:
        values = dict(zip(names, row, strict=True))
        if values[place.subject] == place.label and all(
            values.get(name) == value for name, value in place.also.items()
        ):
            found[values["problem"], values["seed"]] = [row[n] for n in kept]
    nothing = [None] * len(kept)
    rows = []
    for cell in cells.dicts():
        measured = found.get((cell["problem"], cell["seed"]), nothing)
        note = ": ".join(filter(None, (cell["error_kind"], cell["error_message"])))
        rows.append(
            (cell["problem"], cell["status"], cell["seed"], *measured, cell["seconds"], note,
             cell["cell_id"])
        )  # fmt: skip
    columns = (*_BEFORE, *(board.columns[n] for n in kept), *_AFTER)
    return Sheet(columns, tuple(rows), len(rows), key=(CELL_ID,))
