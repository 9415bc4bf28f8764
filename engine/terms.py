"""The filter language: terms that must all hold, as in `agent~ens kl_t10_k2<0.5 seeds>=5 !failed`.

A term is `[!]COLUMN OP VALUE` with OP one of `OPERATORS`, or `[!]FLAG`, or a free `[!]word`.
`=` takes a list `a,b`; `none` is a missing value or that word; quotes keep spaces together.
`store.filters` makes SQL of terms, for rows; `store.arrange` sifts rows that are here already;
`keeps` holds them against a problem's own columns.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from augury.engine.errors import UsageError


@dataclass(frozen=True, slots=True)
class Syntax:
    """One way to write a term, for parser and help alike."""

    sign: str
    meaning: str
    example: str


OPERATORS = (
    Syntax("~", "contains, capitals or not", "agent~ens"),
    Syntax("!~", "does not contain", "agent!~prior"),
    Syntax("=", "is one of these; none: is missing", "agent=mlp,bbb"),
    Syntax("!=", "is none of these; none: is there", "kl_t1!=none"),
    Syntax("<", "less; kl alone: what ranks", "kl<0.5"),
    Syntax("<=", "at most", "seeds<=5"),
    Syntax(">", "more", "accuracy>.9"),
    Syntax(">=", "at least", "seeds>=5"),
)
WORDS = (
    Syntax("word", "letters in this order in a word of the name", "ensm"),
    Syntax('"word"', "exactly so, in the name", '"ensemble+"'),
    Syntax("failed", "a count of its own: more than none", "failed"),
    Syntax("!", "before a term: all that it does not keep", "!failed"),
)
_SIGNS = "|".join(re.escape(one.sign) for one in sorted(OPERATORS, key=lambda o: -len(o.sign)))
_TERM = re.compile(
    rf"""\s*(?P<whole>(?P<no>!)?
    (?P<name>"[^"]*"|[^\s<>=!~"]+)
    (?:\s*(?P<op>{_SIGNS})\s*(?P<value>"[^"]*"|[^\s"]+))?)""",
    re.VERBOSE,
)
_EDGES = r"[^\s,\[\]=/()]*"  # what may stand between the letters of a word


class FilterError(UsageError):
    """A filter that cannot be meant; characters `start` to `end` of it are why."""

    def __init__(self, message: str, start: int, end: int) -> None:
        """Keep the place."""
        super().__init__(message)
        self.start, self.end = start, end


@dataclass(frozen=True, slots=True)
class Term:
    """One condition. Without `op` it is a flag or a free word."""

    name: str
    op: str = ""
    value: str = ""
    negated: bool = False
    quoted: bool = False
    start: int = field(default=0, compare=False)  # where it stands in the filter
    end: int = field(default=0, compare=False)

    def wrong(self, error: UsageError) -> FilterError:
        """The error, with the place of this term."""
        return FilterError(error.message, self.start, self.end)


def parse(text: str) -> tuple[Term, ...]:
    """The terms of a filter. Raises `FilterError` where it cannot be read."""
    terms, place = [], 0
    while place < len(text) and text[place:].strip():
        match = _TERM.match(text, place)
        if match is None:
            rest = text[place:].strip()
            message = f"cannot read the filter from {rest!r}: try COLUMN<VALUE or a word."
            raise FilterError(message, len(text) - len(text[place:].lstrip()), len(text))
        name, value = match["name"], match["value"] or ""
        terms.append(
            Term(name.strip('"'), match["op"] or "", value.strip('"'), bool(match["no"]),
                 name.startswith('"'), match.start("whole"), match.end())
        )  # fmt: skip
        place = match.end()
    return tuple(terms)


def spelled(term: Term, columns: Container[str], ranked: str) -> Term:
    """The term itself; of the column that ranks, say `kl_t10_k2`, where it says `kl`.

    So it is unless a column is called like that.
    """
    short = bool(term.op) and term.name not in columns
    return replace(term, name=ranked) if short and ranked.startswith(f"{term.name}_") else term


def fuzzy(word: str) -> str:
    """A regular expression, for text in small letters, of what a free word is found in.

    >>> bool(re.search(fuzzy("ensm"), "ensemble")), bool(re.search(fuzzy("ens"), "even[s=1]"))
    (True, False)
    """
    return _EDGES.join(re.escape(letter) for letter in word.lower())


def keeps(terms: Iterable[Term], values: Mapping[str, Any], text: str) -> bool:
    """Whether all terms hold of `values`; a free word is looked for in `text` as it is.

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
        return (value in (None, "none")) == (term.op == "=")
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
