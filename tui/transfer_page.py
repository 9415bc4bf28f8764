"""Scores on the testbed beside those on real data as a table. No widgets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from augury.tui.formatting import MISSING, decimals, fixed
from augury.tui.widgets.sheet import Column, Row, Sheet

if TYPE_CHECKING:
    from augury.engine.store.table import Table

_SIDES = (("testbed", "environments", "environments"), ("real", "data_sets", "data sets"))


def sheet(table: Table) -> Sheet:
    """One line for each agent: score, interval, place and what it rests on, on either side."""
    place = {name: n for n, name in enumerate(table.columns)}
    columns = [Column("agent", "agent", "left", sortable=False, names=True)]
    for side, count, title in _SIDES:
        values = [row[place[side]] for row in table.rows]
        show = fixed(decimals(values))
        columns += [
            Column(side, f"{side} / mlp", show=show, sortable=False),
            Column(f"{side}_low", "95 %", draw=_interval(side, place, show), sortable=False),
            Column(f"{side}_rank", "place", show=_place, sortable=False),
            Column(count, title, show=_place, sortable=False),
        ]
    rows = tuple(tuple(row) for row in table.rows)
    return Sheet(tuple(columns), rows, len(rows), key=(place["agent"],), frozen=1,
                 places=tuple(place[column.name] for column in columns))  # fmt: skip


def _interval(side: str, place: Mapping[str, int], show: Any) -> Any:
    def draw(row: Row) -> str:
        low, high = row[place[f"{side}_low"]], row[place[f"{side}_high"]]
        return MISSING if low is None else f"{show(low)} … {show(high)}"

    return draw


def _place(value: Any) -> str:
    return MISSING if value is None else f"{value:g}"
