"""Numbers of single cells behind a board's columns, and their pairing: what comparisons rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from augury.engine.store import row_sums
from augury.engine.store.board import Board, Request
from augury.engine.store.board_sql import values
from augury.engine.store.bootstrap import Unit

if TYPE_CHECKING:
    import duckdb


class Value(NamedTuple):
    """One stored number: where it belongs, and what it is."""

    label: str
    measure: str  # the board's column
    stratum: str
    unit: int | str
    problem: str
    seed: int
    split: str
    value: float | None
    stderr: float | None
    own: float | None = None  # standard error of what is the subject's alone
    groups: bytes | None = None  # sums over groups of test rows
    shared: str = ""  # why errors of two are not independent

    @property
    def pair(self) -> tuple[str, int, str]:
        """What two subjects must share to be compared."""
        return (self.problem, self.seed, self.split)

    @property
    def setting(self) -> str:
        """The stratum; of a board that has but one, what the problem says."""
        if self.stratum:
            return self.stratum
        from augury.engine.catalog.problems import parse  # most boards need no catalog

        return parse(self.problem).setting


# (label, column) -> its numbers by (problem, seed, split)
Table: TypeAlias = Mapping[tuple[str, str], Mapping[tuple[str, int, str], Value]]


def read(
    cursor: duckdb.DuckDBPyConnection, board: Board, request: Request, columns: Iterable[str]
) -> Table:
    """All numbers of these columns."""
    sums = bool(board.lone) and row_sums.kept(cursor)
    sql, params = values(board, request, columns, sums)
    found: dict[tuple[str, str], dict[tuple[str, int, str], Value]] = {}
    for line in cursor.execute(sql, params).fetchall():
        value = Value(*line, shared=board.lone)
        found.setdefault((value.label, value.measure), {})[value.pair] = value
    return found


def units(above: Iterable[Value], below: Iterable[Value]) -> list[Unit] | None:
    """Both subjects' means in each unit over the pairs they share, in the order of draws.

    Agent seeds are averaged inside a unit. None where a shared number is missing.
    """
    theirs = {value.pair: value for value in below}
    groups: dict[tuple[str, int | str], list[tuple[Value, Value]]] = {}
    for value in above:
        if value.pair in theirs:
            groups.setdefault((value.stratum, value.unit), []).append((value, theirs[value.pair]))
    if any(v.value is None for pairs in groups.values() for pair in pairs for v in pair):
        return None
    alone = Counter(stratum for stratum, _ in groups)
    return [
        _unit(stratum, pairs, alone[stratum] == 1) for (stratum, _), pairs in sorted(groups.items())
    ]


def without_interval(both: Sequence[Unit]) -> str:
    """Why `bootstrap.paired` gives none over these units."""
    alone = Counter(unit.stratum for unit in both)
    mine = [unit for unit in both if alone[unit.stratum] == 1]
    if unknown := [unit.shared for unit in mine if unit.unknown]:
        return unknown[0]
    if any(unit.above_stderr is None or unit.below_stderr is None for unit in mine):
        return "one unit, without a standard error of its own"
    return "no interval: the mean below may not be above 0"


def _unit(stratum: str, pairs: Sequence[tuple[Value, Value]], lone: bool) -> Unit:
    sides = list(zip(*pairs, strict=True))
    stored = [[(value.own, value.groups) for value in side] for side in sides] if lone else []
    return Unit(
        stratum,
        _mean([a.value for a, _ in pairs]) or 0.0,
        _mean([b.value for _, b in pairs]) or 0.0,
        _mean([a.stderr for a, _ in pairs]),
        _mean([b.stderr for _, b in pairs]),
        pairs[0][0].shared,
        row_sums.together(*stored) if stored else None,
    )


def _mean(numbers: Sequence[Any]) -> float | None:
    return None if any(n is None for n in numbers) else sum(numbers) / len(numbers)
