"""What is asked of the store and comes out of it. Standard library only; no DuckDB here."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from augury.engine.canonical import JSON

# In front of a run's id, a name in the table `meta`: schema 1 has no column for a priority.
PRIORITY = "priority of "


@dataclass(frozen=True, slots=True)
class Table:
    """The answer to a query: names, rows, and what a reader should know about them."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    meta: Mapping[str, JSON] = field(default_factory=dict)

    def dicts(self) -> Iterator[dict[str, Any]]:
        """Each row by column name."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)

    def column(self, name: str) -> list[Any]:
        """All values of one column."""
        place = self.columns.index(name)
        return [row[place] for row in self.rows]

    def to_json(self) -> dict[str, JSON]:
        """A JSON object that `from_json` restores; times become ISO-8601, decimals floats."""
        rows = [[_plain(value) for value in row] for row in self.rows]
        return {"columns": list(self.columns), "rows": rows, "meta": dict(self.meta)}

    @classmethod
    def from_json(cls, value: Mapping[str, JSON]) -> Table:
        """The inverse of `to_json`."""
        rows = [tuple(row) for row in value["rows"]]
        return cls(tuple(value["columns"]), rows, value.get("meta", {}))


@dataclass(frozen=True, slots=True)
class Query:
    """A statement, its named parameters, and what a reader of the rows should know."""

    sql: str
    params: Mapping[str, Any] = field(default_factory=dict)
    meta: Mapping[str, JSON] = field(default_factory=dict)


def _plain(value: Any) -> JSON:
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, datetime):
        return f"{value.replace(tzinfo=None).isoformat(timespec='seconds')}Z"
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return _plain(float(value))
    if isinstance(value, (bytes, bytearray)):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_plain(v) for v in value]
    return str(value)
