"""The filter language: terms that must all hold, as in `agent~ens kl_t10_k2<0.5 seeds>=5 !failed`.

A term is `[!]COLUMN OP VALUE` with OP one of ~ (contains) !~ = != < <= > >=, or `[!]FLAG`, or a
free `[!]word`. `=` takes a list `a,b`; `none` is a missing value; quotes keep spaces together.
`store.filters` makes SQL of terms, for rows; `keeps` holds them against a problem's own columns.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from augury.engine.errors import UsageError

_TERM = re.compile(
    r"""\s*(?P<no>!)?
    (?P<name>"[^"]*"|[^\s<>=!~"]+)
    (?:\s*(?P<op>!~|!=|<=|>=|=|<|>|~)\s*(?P<value>"[^"]*"|[^\s"]+))?""",
    re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. Without `op` it is a flag or a free word."""

    name: str
    op: str = ""
    value: str = ""
    negated: bool = False
    quoted: bool = False


def parse(text: str) -> tuple[Term, ...]:
    """The terms of a filter. Raises `UsageError` where it cannot be read."""
    terms, place = [], 0
    while place < len(text) and text[place:].strip():
        match = _TERM.match(text, place)
        if match is None:
            rest = text[place:].strip()
            raise UsageError(f"cannot read the filter from {rest!r}: try COLUMN<VALUE or a word.")
        name, value = match["name"], match["value"] or ""
        terms.append(
            Term(name.strip('"'), match["op"] or "", value.strip('"'), bool(match["no"]),
                 name.startswith('"'))
        )  # fmt: skip
        place = match.end()
    return tuple(terms)


def keeps(terms: Iterable[Term], values: Mapping[str, Any], text: str) -> bool:
    """Whether all terms hold of `values`; a free word is looked for in `text`.

    A value that is not there fails every comparison, as in SQL. Raises `UsageError` for a number
    compared with a word.
    """
    return all(_holds(term, values, text) != term.negated for term in terms)


def number(name: str, text: str) -> float:
    """The number that a column is compared with. Raises `UsageError`."""
    try:
        return float(text)
    except ValueError:
        raise UsageError(f"{name} is compared with a number, got {text!r}.") from None


_ORDER = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}


def _holds(term: Term, values: Mapping[str, Any], text: str) -> bool:
    if not term.op:
        return term.name.lower() in text.lower()
    value = values.get(term.name)
    if term.op in ("=", "!=") and term.value == "none":
        return (value is None) == (term.op == "=")
    if value is None:
        return False
    if term.op in ("~", "!~"):
        return (term.value.lower() in str(value).lower()) == (term.op == "~")
    numeric = isinstance(value, (int, float))
    if term.op in ("=", "!="):
        words = term.value.split(",")
        chosen = [number(term.name, word) for word in words] if numeric else words
        return (value in chosen) == (term.op == "=")
    other = number(term.name, term.value) if numeric else term.value
    return _ORDER[term.op](value, other)
