"""Intervals and ties of a board: the means of each unit come from SQL, the draws from `bootstrap`.

`ties` says whom a row cannot be told apart from at the 5 % level, by the ranked column: the
baseline, the best ranked row, or both. Each is a family of comparisons of its own, corrected by
Holm's method; "neither" where it is told apart from both.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import TYPE_CHECKING, Any

from augury.engine.store import interval_cache
from augury.engine.store.board import Board, Intervals, Request
from augury.engine.store.board_columns import wants_intervals
from augury.engine.store.board_sql import pairs, stored
from augury.engine.store.bootstrap import Paired, Unit, paired, replicates, ties

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
    ratios = [(column.name, column.of) for column in board.columns if column.has_interval]
    question = interval_cache.question(lines, ratios, board.ranked.of or board.rank, board.lone)
    known = interval_cache.recall(question)
    if known is None:
        known = found(board, lines)
        interval_cache.keep(question, known)
    return known


def found(board: Board, lines: Iterable[tuple[Any, ...]]) -> Intervals:
    """Intervals from lines (versus, key, measure, stratum, above, below, errors, missing)."""
    groups = {group: list(members) for group, members in groupby(lines, key=lambda line: line[:3])}
    count = replicates(len({key for _, key, _ in groups}))
    pairs = {group: _paired(members, count, board.lone) for group, members in groups.items()}
    keys = tuple(sorted({key for _, key, _ in groups}))
    numbers: dict[str, list[float | None]] = {}
    for column in board.columns:
        if column.has_interval:
            mine = [pairs.get(("baseline", key, column.of)) for key in keys]
            numbers[f"{column.name}_low"] = [pair.low if pair else None for pair in mine]
            numbers[f"{column.name}_high"] = [pair.high if pair else None for pair in mine]
    return Intervals(keys, numbers, _ties(keys, pairs, board.ranked.of or board.rank))


def _paired(lines: list[tuple[Any, ...]], count: int, shared: str) -> Paired | None:
    if any(missing for *_, missing in lines):
        return None
    return paired([Unit(*line[3:8], shared=shared) for line in lines], count)


def _ties(
    keys: Iterable[str], pairs: dict[tuple[str, str, str], Paired | None], measure: str
) -> list[str | None]:
    names: dict[str, list[str]] = {key: [] for key in keys}
    tested: set[str] = set()
    for versus in ("best", "baseline"):
        mine = {key: pairs.get((versus, key, measure)) for key in names}
        tied = ties({key: pair.p if pair else None for key, pair in mine.items()})
        tested.update(tied)
        for key, equal in tied.items():
            names[key] += [versus] if equal else []
    return [", ".join(names[key]) or "neither" if key in tested else None for key in names]
