"""Pieces of a board's SQL: columns, orders, and what goes in as lists."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from augury.engine.errors import unknown
from augury.engine.store.board import KIND, Better, Board, Column, Intervals
from augury.engine.store.board_columns import TIES
from augury.engine.store.board_template import FOUND


def names(text: str, parameter: str) -> bool:
    """Whether a statement has that parameter."""
    return re.search(rf"\${parameter}\b", text) is not None


def measures(board: Board) -> tuple[str, dict[str, Any]]:
    """What numbers of the store the columns are made of, as values of a table."""
    rows, params = [], {}
    for place, column in enumerate(c for c in board.columns if c.stat not in ("ratio", "rank")):
        values = (column.name, column.metric, column.tau, column.kappa, column.split)
        params |= {f"m{place}_{i}": value for i, value in enumerate(values)}
        rows.append(
            f"($m{place}_0, $m{place}_1, CAST($m{place}_2 AS INTEGER), "
            f"CAST($m{place}_3 AS INTEGER), CAST($m{place}_4 AS VARCHAR))"
        )
    return ", ".join(rows), params


def values(every: Sequence[Column]) -> list[str]:
    """Each column out of the row's numbers by measure."""
    found = []
    for column in every:
        if column.stat == "rank":
            continue
        kind = "value" if column.has_stderr else column.stat
        table = "q.q" if column.stat == "ratio" else "m.m"
        value = f"{table}['{column.of or column.name}'].{kind}"
        found.append(f'{value} AS "{column.name}"')
        if column.has_stderr:
            stderr = value.replace("].value", "].stderr")
            found.append(f'{stderr} AS "{column.name}_stderr"')
    return found


def shown(visible: Mapping[str, str], chosen: Sequence[str], keys: Sequence[str]) -> list[str]:
    """The columns that are asked for, or all."""
    names = list(visible)
    if chosen:
        ends = ("", "_stderr", "_low", "_high")
        order = [*keys, *(f"{name}{end}" for name in chosen for end in ends)]
        names = [n for n in dict.fromkeys(order) if n in visible]
    return [f'"{name}"' for name in names]


def with_intervals(board: Board, intervals: Intervals) -> tuple[str, dict[str, Any]]:
    """The rows of `ranked` with their intervals, which go in as lists."""
    # A list of one missing value: an empty one would have no type.
    keys = list(intervals.keys) or [None]
    params: dict[str, Any] = {"found": keys, "ties": list(intervals.ties) or [None]}
    params["lacks"] = list(intervals.reasons) or [None] * len(keys)
    lists = [f'CAST(unnest($ties) AS VARCHAR) AS "{TIES}"',
             "CAST(unnest($lacks) AS VARCHAR) AS lacks"]  # fmt: skip
    errors = []
    for column in board.columns:
        if column.has_interval:
            errors.append(f'coalesce("{column.name}_stderr", "{column.name}_own") '
                          f'AS "{column.name}_stderr"')  # fmt: skip
        for end in ("low", "high", "own") if column.has_interval else ():
            name = f"{column.name}_{end}"
            place = f"i{len(lists)}"
            params[place] = list(intervals.numbers.get(name, ())) or [None] * len(keys)
            lists.append(f'CAST(unnest(${place}) AS DOUBLE) AS "{name}"')
    return FOUND.format(lists=", ".join(lists), errors=", ".join(errors)), params


def rank(column: str, better: Better) -> str:
    """What to order by, the best first."""
    name = f'"{column}"'
    return {"lower": name, "higher": f"-{name}", "one": f"abs({name} - 1)", "none": "0"}[better]


def direction(board: Board, name: str) -> Better:
    """Which way a column is better."""
    return next(column.better for column in board.columns if column.name == name)


def chosen(keys: Sequence[str]) -> str:
    """Keeps rows by their labels, or by all that identifies them."""
    return (
        f" AND ({quoted(keys[:1])} IN (SELECT unnest($rows))"
        f" OR concat_ws('|', {quoted(keys)}) IN (SELECT unnest($rows)))"
    )


def quoted(keys: Sequence[str]) -> str:
    """Names of columns, with commas between."""
    return ", ".join(f'"{key}"' for key in keys)


def grouped(group: str, keys: Sequence[str]) -> str:
    """The order of groups, before the order within one. Raises `UsageError`."""
    if not group:
        return ""
    if group == KIND:
        return f"split_part(\"{keys[0]}\", '[', 1), "
    if group not in keys[1:]:
        raise unknown("way to group", group, (KIND, *keys[1:]))
    return f'"{group}" IS NULL, "{group}", '


def joined(parts: Sequence[str]) -> str:
    """Several values as one text."""
    # What a problem has no value of is a place of its own, not one that rows get lost in.
    return " || '|' || ".join(f"coalesce(CAST({p} AS VARCHAR), '')" for p in parts) or "''"
