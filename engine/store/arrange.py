"""Rows of a board that are here already, sifted and sorted as the board's SQL would have it.

A keystroke in the filter line has no time to ask the store again. The same terms and sort words
give the same rows in the same order (`tests/engine/store/test_arrange.py` holds both together).
Terms on problems change the numbers themselves: they are the store's, `split` says which.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from augury.engine.errors import UsageError, unknown
from augury.engine.terms import Term, fuzzy, number, parse, spelled

Row: TypeAlias = Sequence[Any]
Test: TypeAlias = Callable[[Any], bool]
_ORDER: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Place:
    """One column of the rows: where it is, and what a filter may do with it."""

    place: int
    kind: str = "number"  # number | text
    flag: bool = False


@dataclass(frozen=True, slots=True)
class Asked:
    """A filter taken apart."""

    rows: tuple[Term, ...]  # that keep rows of the board
    problems: tuple[Term, ...]  # that choose problems, and so change the numbers
    problem_text: str  # the latter as they were typed


def split(
    text: str, columns: Iterable[str], problems: Mapping[str, str], ranked: str = ""
) -> Asked:
    """Which terms of a filter are on the board's columns, which on its problems' (name -> kind).

    `ranked` is the column that ranks, which has a short name too. Raises `FilterError` where it
    cannot be read or names a column that is neither.
    """
    inside, rest = [], []
    mine = set(columns)
    for term in parse(text):
        term = spelled(term, {*mine, *problems}, ranked)
        if not term.op or term.name in mine:
            rest.append(term)
            continue
        try:
            _check(term, problems, mine)
        except UsageError as error:
            raise term.wrong(error) from None
        inside.append(term)
    typed = " ".join(text[term.start : term.end] for term in inside)
    return Asked(tuple(rest), tuple(inside), typed)


def of_problems(scenario: str, text: str) -> str:
    """The terms of a filter that a board's numbers depend on, as they were typed.

    Raises `FilterError` as `split`, and `UsageError` for a scenario that is none.
    """
    from augury.engine.store import board_columns, boards

    board = boards.load(scenario)
    columns = board_columns.columns(board, (), True)
    problems = {name: column.kind for name, column in board_columns.PROBLEM.items()}
    return split(text, columns, problems, board.rank).problem_text


def sift(
    rows: Sequence[Row], terms: Iterable[Term], columns: Mapping[str, Place], free: int
) -> Sequence[Row]:
    """The rows that all terms keep; `free` is the place of what a free word is looked for in.

    Raises `FilterError` for a number compared with a word.
    """
    for term in terms:
        try:
            place, holds = _test(term, columns, free)
        except UsageError as error:
            raise term.wrong(error) from None
        keep = not term.negated
        rows = [row for row in rows if holds(row[place]) == keep]
    return rows


def ordered(
    rows: Sequence[Row], words: Iterable[str], columns: Mapping[str, Place], ties: Iterable[str]
) -> list[Row]:
    """The rows by `COLUMN` or `-COLUMN` words, missing values last; `ties` make it total.

    Raises `UsageError` for a column that is none.
    """
    found = list(rows)
    keys = [word for word in words if word.lstrip("+-")]
    for word in reversed([*keys, *ties]):  # sorting is stable: the first word decides last
        name = word.lstrip("+-")
        if name not in columns:
            raise unknown("column to sort by", name, columns)
        value = operator.itemgetter(columns[name].place)
        there = [row for row in found if value(row) is not None]
        there.sort(key=value, reverse=word.startswith("-"))
        if len(there) < len(found):
            there += [row for row in found if value(row) is None]
        found = there
    return found


def _check(term: Term, problems: Mapping[str, str], columns: Iterable[str]) -> None:
    if term.name not in problems:
        raise unknown("column in the filter", term.name, {*columns, *problems})
    if problems[term.name] == "number" and term.op not in ("~", "!~") and term.value != "none":
        for word in term.value.split(",") if term.op in ("=", "!=") else [term.value]:
            number(term.name, word)


def _test(term: Term, columns: Mapping[str, Place], free: int) -> tuple[int, Test]:
    """Where to look, and what must hold there; what is missing fails every comparison."""
    column = columns.get(term.name)
    if term.op:
        if column is None:
            raise unknown("column in the filter", term.name, columns)
        return column.place, _comparison(term, column)
    if column is not None and column.flag and not term.quoted:
        return column.place, lambda value: value is not None and value > 0
    if term.quoted:
        word = term.name.lower()
        return free, lambda value: value is not None and word in value.lower()
    found = re.compile(fuzzy(term.name)).search
    return free, lambda value: value is not None and found(value.lower()) is not None


def _comparison(term: Term, column: Place) -> Test:
    op, typed = term.op, term.value
    if op in ("~", "!~"):
        word, wanted = typed.lower(), op == "~"
        return lambda value: value is not None and (word in str(value).lower()) == wanted
    if op in ("=", "!="):
        equal = op == "="
        if typed == "none":
            empty = (None, "none") if column.kind == "text" else (None,)
            return lambda value: (value in empty) == equal
        words = typed.split(",")
        chosen = [number(term.name, w) for w in words] if column.kind == "number" else words
        return lambda value: value is not None and (value in chosen) == equal
    other = number(term.name, typed) if column.kind == "number" else typed
    compare = _ORDER[op]
    return lambda value: value is not None and compare(value, other)
