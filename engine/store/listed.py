"""Rows that were computed here as a statement, so that they are exported like any others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from augury.engine.canonical import JSON
from augury.engine.store.table import Query

Kind: TypeAlias = Literal["VARCHAR", "DOUBLE", "BIGINT"]


def listed(
    columns: Mapping[str, Kind], rows: Sequence[Mapping[str, Any]], meta: Mapping[str, JSON]
) -> Query:
    """A statement that gives `rows` in their order; names that a row lacks are missing values."""
    # A list of one missing value where there are no rows: an empty one would have no type.
    params: dict[str, Any] = {"order": list(range(len(rows))) or [None]}
    shown = []
    for number, (name, kind) in enumerate(columns.items()):
        params[f"c{number}"] = [row.get(name) for row in rows] or [None]
        shown.append(f'CAST(unnest($c{number}) AS {kind}) AS "{name}"')
    names = ", ".join(f'"{name}"' for name in columns)
    sql = f"""
    SELECT {names} FROM (SELECT unnest($order) AS "#", {", ".join(shown)})
    WHERE "#" IS NOT NULL ORDER BY "#"
    """
    return Query(sql, params, meta)
