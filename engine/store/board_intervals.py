"""Intervals and ties of a board: the means of each unit come from SQL, the draws from `bootstrap`.

`ties` says whom a row cannot be told apart from at the 5 % level, by the ranked column: the
baseline, the best ranked row, or both. Each is a family of comparisons of its own, corrected by
Holm's method; "neither" where it is told apart from both.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any

from augury.engine.store import interval_cache, row_sums
from augury.engine.store.board import Board, Intervals, Request
from augury.engine.store.board_columns import wants_intervals
from augury.engine.store.board_sql import lone_rows, pairs, stored
from augury.engine.store.bootstrap import Paired, Unit, paired, replicates, ties
from augury.engine.store.row_sums import Rows

if TYPE_CHECKING:
    import duckdb


def intervals(
    cursor: duckdb.DuckDBPyConnection, board: Board, request: Request
) -> Intervals | None:
    """What `rows` needs for the interval columns; None where the request has none.

    Leaves the tables of `stored` in the cursor: the rows come out of them.
    """
    if not wants_intervals(board, request):
        return None
    for name, (sql, params) in zip(("numbers", "ranked"), stored(board, request), strict=True):
        cursor.execute(f"CREATE OR REPLACE TEMP TABLE {name} AS {sql}", params)
    sql, params = pairs(board, request)
    lines = cursor.execute(sql, params).fetchall()
    rows: list[tuple[Any, ...]] = []
    if board.lone and _has_lone(lines) and row_sums.kept(cursor):
        rows = cursor.execute(*lone_rows(board, request)).fetchall()
    ratios = [(column.name, column.of) for column in board.columns if column.has_interval]
    asked = (ratios, board.ranked.of or board.rank, board.lone)
    question = interval_cache.question(lines, rows, *asked)
    known = interval_cache.recall(question)
    if known is None:
        known = found(board, lines, rows)
        interval_cache.keep(question, known)
    return known


def found(
    board: Board, lines: Iterable[tuple[Any, ...]], rows: Iterable[tuple[Any, ...]] = ()
) -> Intervals:
    """Intervals from lines (versus, key, measure, stratum, above, below, errors, missing).

    `rows` are sums over test rows of both cells of each pair in a lone unit: (versus, key, measure,
    stratum, own, groups, own, groups).
    """
    groups = {group: list(members) for group, members in groupby(lines, key=lambda line: line[:3])}
    shared = {
        place: row_sums.together(*zip(*[(line[4:6], line[6:8]) for line in members], strict=True))
        for place, members in groupby(rows, key=lambda line: line[:4])
    }
    count = replicates(len({key for _, key, _ in groups}))
    pairs = {g: _paired(members, count, board.lone, shared) for g, members in groups.items()}
    keys = tuple(sorted({key for _, key, _ in groups}))
    numbers: dict[str, list[float | None]] = {}
    for column in board.columns:
        if column.has_interval:
            mine = [pairs.get(("baseline", key, column.of)) for key in keys]
            numbers[f"{column.name}_low"] = [pair.low if pair else None for pair in mine]
            numbers[f"{column.name}_high"] = [pair.high if pair else None for pair in mine]
            numbers[f"{column.name}_own"] = [pair.stderr if pair else None for pair in mine]
    unknown = {key for (versus, key, _), pair in pairs.items()
               if versus == "baseline" and pair and pair.lone}  # fmt: skip
    lacks = [board.lone if key in unknown else None for key in keys]
    return Intervals(keys, numbers, _ties(keys, pairs, board.ranked.of or board.rank), lacks)


def _has_lone(lines: Iterable[tuple[Any, ...]]) -> bool:
    """Whether some stratum of a comparison is of one unit."""
    return 1 in Counter(line[:4] for line in lines).values()


def _paired(
    lines: list[tuple[Any, ...]], count: int, shared: str, rows: Mapping[Any, Rows | None]
) -> Paired | None:
    if any(missing for *_, missing in lines):
        return None
    units = [Unit(*line[3:8], shared=shared, rows=rows.get(line[:4])) for line in lines]
    return paired(units, count)


def _ties(
    keys: Iterable[str], pairs: dict[tuple[str, str, str], Paired | None], measure: str
) -> list[str | None]:
    names: dict[str, list[str]] = {key: [] for key in keys}
    compared: dict[str, list[bool]] = {key: [] for key in keys}  # with each rival: was it told?
    for versus in ("best", "baseline"):
        mine = {key: pairs[place] for key in names if (place := (versus, key, measure)) in pairs}
        tied = ties({key: pair.p if pair else None for key, pair in mine.items()})
        for key in mine:
            compared[key].append(key in tied)
        for key, equal in tied.items():
            names[key] += [versus] if equal else []
    apart = {key for key, told in compared.items() if told and all(told)}
    return [", ".join(names[key]) or ("neither" if key in apart else None) for key in names]
