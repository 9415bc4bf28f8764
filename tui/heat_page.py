"""A board along a column of problems as a map: a number and a shade for each row and value."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augury.tui.board_tail import TAIL, TIES
from augury.tui.formatting import MISSING, decimals, fixed

if TYPE_CHECKING:
    from augury.engine.store.table import Table

SHADES = (" ░", "░░", "▒▒", "▓▓", "██")  # from the best to the worst: a dark block is far from it
_APART = ("mode", "statistic", "recalibration", "split")  # in a row's name, after its label
_PLAIN = (None, "", "none")
BEST = "▴"  # before the best number of a column
ASCII_SHADES = (" .", "..", "::", "%%", "##")


@dataclass(frozen=True, slots=True)
class Cell:
    """One number of the map."""

    value: float | None
    stderr: float | None
    shade: int | None  # place in SHADES; None without a number
    best: bool = False  # in its column


@dataclass(frozen=True, slots=True)
class Heat:
    """Rows are what the board ranks, columns the values of one dimension."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Cell, ...], ...]
    dimension: str
    title: str
    scale: str  # what the shades mean, in words
    # What identifies the board's row behind each cell: column -> value.
    keys: tuple[tuple[Mapping[str, Any], ...], ...] = ()

    def text(self, row: int, column: int) -> str:
        """How a cell reads: its number, with a mark where it is the best of its column."""
        cell = self.cells[row][column]
        if cell.value is None:
            return MISSING
        return f"{BEST if cell.best else ''}{self.number(cell.value)}"

    def number(self, value: float) -> str:
        """A value with decimals that suit all of the map."""
        values = [c.value for line in self.cells for c in line if c.value is not None]
        errors = [c.stderr for line in self.cells for c in line if c.stderr]
        return fixed(decimals(values, errors))(value)


def heat(table: Table, dimension: str, column: str) -> Heat:
    """Pivot the answer of a board that is broken out by `dimension`."""
    titles: Mapping[str, Any] = table.meta["titles"]
    about = titles[column]
    subject = str(table.meta["subject"])
    better = str(about.get("better") or "none")
    found: dict[str, dict[Any, tuple[float | None, float | None]]] = {}
    keys: dict[str, dict[Any, Mapping[str, Any]]] = {}
    names, told = _key_columns(table, subject)
    for row in table.dicts():
        error = row.get(str(about.get("stderr")))
        name = _row_name(row, subject, told)
        keys.setdefault(name, {})[row[dimension]] = {key: row[key] for key in names}
        found.setdefault(name, {})[row[dimension]] = (row[column], error)
    values = sorted({v for line in found.values() for v in line if v is not None}, key=_order)
    known = [pair[0] for line in found.values() for pair in line.values() if pair[0] is not None]
    shade, words = _shader(known, better)
    best = {v: _best([line.get(v, (None, None))[0] for line in found.values()], better)
            for v in values}  # fmt: skip
    rows = sorted(found, key=lambda name: _mean(found[name].values(), better))
    cells = tuple(
        tuple(
            Cell(value, error, None if value is None else shade(value),
                 value is not None and value == best[v])
            for v in values
            for value, error in [found[name].get(v, (None, None))]
        )
        for name in rows
    )  # fmt: skip
    unit = f", {about['unit']}" if about.get("unit") else ""
    shown = tuple(f"{v:g}" if isinstance(v, (int, float)) else str(v) for v in values)
    return Heat(tuple(rows), shown, cells, dimension, f"{about['title']}{unit}", words,
                tuple(tuple(_keys(keys[name], v, dimension, (subject, *told)) for v in values)
                      for name in rows))  # fmt: skip


def _key_columns(table: Table, subject: str) -> tuple[list[str], list[str]]:
    """What identifies a row of the answer, and which of it a name tells besides the label."""
    titles = table.meta["titles"]
    parts = {str(t.get(part)) for t in titles.values() for part in ("stderr", "low", "high")}
    known = {"rank", TIES, *titles, *TAIL, *parts}
    return [n for n in table.columns if n not in known], [n for n in table.columns if n in _APART]


def _keys(
    cells: Mapping[Any, Mapping[str, Any]], value: Any, dimension: str, of_row: tuple[str, ...]
) -> Mapping[str, Any]:
    """Of one cell; where it has no number, what all of the map's row have, and its column."""
    if value in cells:
        return cells[value]
    some = next(iter(cells.values()))
    return {**{name: some[name] for name in of_row}, dimension: value}


def _row_name(row: Mapping[str, Any], subject: str, told: list[str]) -> str:
    """The label, with what else takes rows of this board apart."""
    return " ".join([str(row[subject]), *(str(row[n]) for n in told if row[n] not in _PLAIN)])


def _distance(value: float, better: str) -> float:
    """How far from good: what shades and order go by."""
    return {"higher": -value, "one": abs(value - 1.0)}.get(better, value)


def _shader(known: list[float], better: str) -> tuple[Any, str]:
    if not known:
        return (lambda _: None), "no number yet"
    places = [_distance(v, better) for v in known]
    low, high = min(places), max(places)
    # Ratios matter where numbers differ by more than a power of ten.
    log = low > 0 and high / low > 10

    def place(value: float) -> int:
        d = _distance(value, better)
        share = math.log(d / low) / math.log(high / low) if log else (d - low) / (high - low)
        return min(int(share * len(SHADES)), len(SHADES) - 1)

    if high == low:
        return (lambda _: 0), "all numbers are the same"
    by_place = sorted(known, key=lambda v: _distance(v, better))
    words = {"higher": "higher is better", "one": "nearer 1 is better", "lower": "lower is better"}
    steps = "steps of equal ratio" if log else "equal steps"
    said = words.get(better, "")
    return place, (
        f"from {by_place[0]:.3g} (lightest) to {by_place[-1]:.3g} (darkest), {steps}"
        + (f"; {said}" if said else "")
    )


def _best(values: list[float | None], better: str) -> float | None:
    known = [v for v in values if v is not None]
    return min(known, key=lambda v: _distance(v, better)) if known and better != "none" else None


def _mean(pairs: Any, better: str) -> float:
    known = [_distance(value, better) for value, _ in pairs if value is not None]
    return sum(known) / len(known) if known else math.inf


def _order(value: Any) -> tuple[int, Any]:
    return (0, value) if isinstance(value, (int, float)) else (1, str(value))
