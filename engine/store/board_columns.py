"""The columns of a board's answer, and what a filter may say of them and of problems."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from augury.engine.errors import UsageError, unknown
from augury.engine.store import filters
from augury.engine.store.board import AXES, BY, LATE, PROBLEM_NUMBERS, PROBLEM_SQL, Board, Request
from augury.engine.terms import spelled

# Columns that every board ends with.
TIES = "ties"  # whom a row ties with, the baseline or the best; there with intervals only
TAIL = ("problems", "seeds", "coverage", "done", "failed", "pending", "seconds", "reason")
_TEXT = {"coverage", "reason", TIES}
_NUMBERS = {"seed", "environment", "tau", "kappa", *PROBLEM_NUMBERS}
_FLAGS = {"failed", "pending", "rank"}


def ranked_within(by: Mapping[str, str]) -> list[str]:
    """Of the columns that `broken_out` gives, those whose every value has ranks of its own."""
    return [name for name, of in by.items() if of not in LATE or of in AXES]


def broken_out(board: Board, words: Sequence[str] = ()) -> dict[str, str]:
    """Columns that tell rows of one subject apart: name -> key of BY. Raises `UsageError`."""
    by = dict(board.by)
    for word in words:
        if word not in BY:
            raise unknown("way to break out rows", word, BY)
        if any(column.name == word for column in board.columns):
            what = f"{word} is a number of the board {board.name}"
            raise UsageError(f"{what}: it breaks no rows out.")
        by.setdefault(word, word)
    return by


def wants_intervals(board: Board, request: Request) -> bool:
    """Whether the answer has them."""
    return request.intervals and any(column.has_interval for column in board.columns)


def columns(board: Board, by: Sequence[str] = (), intervals: bool = False) -> dict[str, str]:
    """Every column of the answer, in order: name -> kind (number | text)."""
    names: dict[str, str] = {"rank": "number", board.subject: "text"}
    for name in [*(n for n, _ in board.by), *by]:
        names.setdefault(name, "number" if name in _NUMBERS else "text")
    for column in board.columns:
        names[column.name] = "number"
        if column.has_stderr:
            names[f"{column.name}_stderr"] = "number"
        if intervals and column.has_interval:
            names |= {f"{column.name}_low": "number", f"{column.name}_high": "number"}
    if intervals:
        names[TIES] = "text"
    names.update({name: "text" if name in _TEXT else "number" for name in TAIL})
    return names


def kinds(board: Board, request: Request) -> dict[str, str]:
    """What a filter may do with each column: number, text, or flag, which may stand alone."""
    shown = columns(board, request.by, wants_intervals(board, request))
    return {name: "flag" if name in _FLAGS else kind for name, kind in shown.items()}


def terms(
    board: Board, request: Request, by: Mapping[str, str], intervals: bool
) -> tuple[filters.Clause, filters.Clause]:
    """Terms on the board's columns keep rows; terms on a problem's columns choose problems."""
    shown = columns(board, tuple(by), intervals)
    outer = {
        name: filters.Column(f'"{name}"', "text" if kind == "text" else "number", name in _FLAGS)
        for name, kind in shown.items()
    }
    within = {name: column for name, column in PROBLEM.items() if name not in outer}
    parsed = [
        spelled(term, {*outer, *within}, board.rank) for term in filters.parse(request.filter)
    ]
    for term in parsed:
        if term.op and term.name not in outer and term.name not in within:
            raise term.wrong(unknown("column in the filter", term.name, {*outer, *within}))
    inside = [t for t in parsed if t.op and t.name in within]
    rest = [t for t in parsed if not (t.op and t.name in within)]
    return (
        filters.compile_terms(rest, outer, f'"{board.subject}"'),
        filters.compile_terms(inside, within, "label", prefix="p"),
    )


# What a filter may say of problems, beside the columns of the board.
PROBLEM: Mapping[str, filters.Column] = {
    "problem": filters.Column("problem", "text"),
    "setting": filters.Column("setting", "text"),
    "environment": filters.Column("environment"),
    "seed": filters.Column("seed"),
    **{name: filters.Column(sql, "number" if name in PROBLEM_NUMBERS else "text")
       for name, sql in PROBLEM_SQL.items()},
}  # fmt: skip
