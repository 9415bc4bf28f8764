"""The filter and sort language of boards and cells, compiled to SQL with parameters.

A filter is as `augury.engine.terms` says, with a free word looked for, letter by letter, in the
row's label. A sort is `COLUMN` or `-COLUMN`, several with commas between.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from augury.engine.errors import UsageError, unknown
from augury.engine.terms import Term, fuzzy, number, parse

__all__ = ["Clause", "Column", "Kind", "Term", "compile_terms", "order", "parse"]
Kind: TypeAlias = Literal["number", "text"]


@dataclass(frozen=True, slots=True)
class Column:
    """What a name in a filter stands for; `sql` is the project's own text, never a person's."""

    sql: str
    kind: Kind = "number"
    flag: bool = False  # may stand alone, for "more than zero"


@dataclass(frozen=True, slots=True)
class Clause:
    """SQL that is true for the rows to keep, and its named parameters."""

    sql: str
    params: Mapping[str, Any]


def compile_terms(
    terms: Iterable[Term], columns: Mapping[str, Column], free: str, prefix: str = "f"
) -> Clause:
    """All terms as one condition; `free` is the SQL that a free word must be found in."""
    parts: list[str] = []
    params: dict[str, Any] = {}

    def bind(value: Any) -> str:
        name = f"{prefix}{len(params)}"
        params[name] = value
        return f"${name}"

    for term in terms:
        try:
            sql = _condition(term, columns, free, bind)
        except UsageError as error:
            raise term.wrong(error) from None
        sql = f"coalesce({sql}, false)"
        parts.append(f"NOT {sql}" if term.negated else sql)
    return Clause(" AND ".join(parts) or "true", params)


def order(sort: str | Sequence[str], columns: Iterable[str], ties: Sequence[str]) -> str:
    """An ORDER BY list with missing values last; `ties` make it total."""
    known = list(columns)
    words = sort.split(",") if isinstance(sort, str) else list(sort)
    parts: list[str] = []
    for word in (w.strip() for w in words):
        name = word.lstrip("+-")
        if not name:
            continue
        if name not in known:
            raise unknown("column to sort by", name, known)
        direction = " DESC" if word.startswith("-") else ""
        parts.append(f'"{name}" IS NULL, "{name}"{direction}')
    parts.extend(f'"{name}" IS NULL, "{name}"' for name in ties)
    return ", ".join(parts)


def _condition(term: Term, columns: Mapping[str, Column], free: str, bind: Any) -> str:
    if term.op:
        if term.name not in columns:
            raise unknown("column in the filter", term.name, columns)
        return _comparison(term, columns[term.name], bind)
    column = None if term.quoted else columns.get(term.name)
    if column is not None and column.flag:
        return f"{column.sql} > 0"
    if term.quoted:
        return f"contains(lower({free}), {bind(term.name.lower())})"
    return f"regexp_matches(lower({free}), {bind(fuzzy(term.name))})"


def _comparison(term: Term, column: Column, bind: Any) -> str:
    op, values = term.op, term.value.split(",")
    if op in ("~", "!~"):
        found = f"contains(lower(CAST({column.sql} AS VARCHAR)), {bind(term.value.lower())})"
        return found if op == "~" else f"NOT {found}"
    if op in ("=", "!="):
        if term.value == "none":
            found = f"{column.sql} IS NULL"
            if column.kind == "text":  # some columns have the word itself, and show it
                found = f"coalesce({column.sql}, 'none') = 'none'"
            return found if op == "=" else f"NOT ({found})"
        if column.kind == "number":
            chosen = [number(term.name, value) for value in values]
        else:
            chosen = values
        found = f"{column.sql} IN ({', '.join(bind(value) for value in chosen)})"
        return found if op == "=" else f"NOT {found}"
    value = number(term.name, term.value) if column.kind == "number" else term.value
    return f"{column.sql} {op} {bind(value)}"
