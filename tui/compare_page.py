"""A comparison of two subjects as a table with a forest plot, and how their configs differ."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from augury.tui.cell_page import shown
from augury.tui.formatting import MISSING, decimals, fixed, number
from augury.tui.widgets.sheet import Column, Row, Sheet

if TYPE_CHECKING:
    from augury.engine.store.table import Table

_FOREST, _NARROW_FOREST = 31, 21
ALPHA = 0.05


def sheet(table: Table, wide: bool) -> Sheet:
    """One line for each setting: both means, the difference, its interval as a picture, wins."""
    place = {name: n for n, name in enumerate(table.columns)}
    rows = tuple(tuple(row) for row in table.rows)
    values = [row[place[n]] for row in rows for n in ("first_mean", "second_mean")]
    errors = [row[place[n]] for row in rows for n in ("first_stderr", "second_stderr")]
    mean = fixed(decimals(values, errors))
    deltas = fixed(decimals((row[place["difference"]] for row in rows),
                            [row[place["stderr"]] for row in rows]))  # fmt: skip
    ends = _ends(rows, place)
    width = _FOREST if wide else _NARROW_FOREST

    def signed(value: Any) -> str:
        return ("+" if value is not None and value > 0 else "") + deltas(value)

    def wins(row: Row) -> str:
        if row[place["units"]] is None:
            return MISSING
        first, second = row[place["wins"]], row[place["losses"]]
        who = "A" if first > second else "B" if second > first else "="
        return f"{who} {max(first, second)}/{row[place['units']]}"

    def forest(row: Row) -> str:
        low, middle, high = (row[place[n]] for n in ("low", "difference", "high"))
        return interval(low, middle, high, ends, width)

    title = f"{number(ends[0], '.2g')} … B-A … {number(ends[1], '.2g')}"
    columns = (
        Column("place", "setting", "left", sortable=False, names=True),
        Column("first_mean", "A", show=mean, sortable=False),
        Column("first_stderr", "±SE", show=mean, tone=_muted, sortable=False),
        Column("second_mean", "B", show=mean, sortable=False),
        Column("second_stderr", "±SE", show=mean, tone=_muted, sortable=False),
        Column("difference", "B-A", show=signed, sortable=False),
        Column("stderr", "±SE", show=deltas, tone=_muted, sortable=False),
        Column("p_holm", "p Holm", show=_p, tone=_p_tone, sortable=False),
        Column("wins", "wins", "left", draw=wins, sortable=False),
        Column("low", title, "left", draw=forest, width=width, most=width + 4, sortable=False),
        Column("reason", "note", "left", show=lambda v: v or "", most=60, sortable=False),
    )
    order = [*range(8), 8, 9, 10] if wide else [0, 5, 6, 9, 7, 8, 1, 2, 3, 4, 10]
    chosen = tuple(columns[n] for n in order)
    return Sheet(chosen, rows, len(rows), key=(place["place"],), frozen=1,
                 places=tuple(place[c.name] for c in chosen))  # fmt: skip


def interval(
    low: float | None, middle: float | None, high: float | None, ends: tuple[float, float],
    width: int,
) -> str:  # fmt: skip
    """A forest plot's line: `├──●──┤`, with a bar where the difference is 0."""
    line = [" "] * width
    zero = _place(0.0, ends, width)
    line[zero] = "│"
    if middle is None:
        return "".join(line)
    if low is not None and high is not None:
        start, end = _place(low, ends, width), _place(high, ends, width)
        for at in range(start, end + 1):
            line[at] = "┼" if at == zero else "─"
        line[start], line[end] = "├", "┤"
    line[_place(middle, ends, width)] = "●"
    return "".join(line)


def config_lines(first: Mapping[str, Any], second: Mapping[str, Any], differing: bool) -> list[str]:
    """Fields of both configs, A -> B; those that differ are marked."""
    mine, theirs = (json.loads(cell.get("config") or "{}") for cell in (first, second))
    lines = []
    for name in dict.fromkeys((*mine, *theirs)):
        a, b = (shown(c[name]) if name in c else MISSING for c in (mine, theirs))
        if a != b:
            lines.append(f"● {name} {a} → {b}")
        elif not differing:
            lines.append(f"  {name} {a}")
    return lines or ["no field differs"]


def _ends(rows: Sequence[Row], place: Mapping[str, int]) -> tuple[float, float]:
    """What the forest plots span: every interval and 0."""
    values = [row[place[n]] for row in rows for n in ("low", "difference", "high")]
    known = [v for v in values if v is not None] + [0.0]
    low, high = min(known), max(known)
    return (low, high) if high > low else (-1.0, 1.0)


def _place(value: float, ends: tuple[float, float], width: int) -> int:
    return round((value - ends[0]) / (ends[1] - ends[0]) * (width - 1))


def _p(value: Any) -> str:
    if value is None:
        return MISSING
    return "<.001" if value < 0.001 else f"{value:.3f}".lstrip("0")


def _p_tone(value: Any) -> str:
    return "good" if value is not None and value <= ALPHA else "muted"


def _muted(_value: Any) -> str:
    return "muted"
