"""A board and a request compiled to one SQL statement (`board_template`) and its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from augury.engine.catalog.metrics import LEAST_ESS
from augury.engine.errors import unknown
from augury.engine.store import filters
from augury.engine.store.board import BY, LATE, Board, Column, Request
from augury.engine.store.board_template import (
    COMMON,
    FOUND,
    PAIRED,
    RATIOS,
    ROWS,
    SQL,
    TUNED,
    VALUES,
)

# Columns that every board ends with.
TIES = "ties"  # whom a row ties with, the baseline or the best; there with intervals only
TAIL = ("problems", "seeds", "coverage", "done", "failed", "pending", "seconds", "reason")
_TEXT = {"coverage", "reason", TIES}
# What is limited by its estimator is told by its effective sample size.
_CAVEAT = "value IS NOT NULL AND reason <> '' AND NOT starts_with(reason, 'estimator-limited')"
_NUMBERS = {"seed", "environment", "tau", "kappa"}
_FLAGS = {"failed", "pending", "rank"}


@dataclass(frozen=True, slots=True)
class Intervals:
    """Bootstrapped numbers by row key: what `board_intervals` finds for a board's statement."""

    keys: tuple[str, ...] = ()
    numbers: Mapping[str, Sequence[float | None]] = field(default_factory=dict)  # by column
    ties: Sequence[str | None] = ()


def statement(
    board: Board, request: Request, found: Intervals | None = None
) -> tuple[str, dict[str, Any]]:
    """The SQL and its named parameters. Raises `UsageError` for names that are not there.

    Intervals are columns of the answer where the request wants them; `found` holds their values.
    """
    by = broken_out(board, request.by)
    keys = [board.subject, *by]
    intervals = wants_intervals(board, request)
    visible = columns(board, request.by, intervals)
    for name in request.columns:
        if name not in visible:
            raise unknown("column", name, visible)
    clause, inner = _filters(board, request, by, intervals)
    rows, lists = "ranked", {}
    if intervals:
        rows, lists = _found(board, found or Intervals())
    end = ROWS.format(
        shown=",\n  ".join(_shown(visible, request.columns, keys)),
        ranked=rows,
        where=clause.sql,
        order=filters.order(request.sort or (*ranked_within(by), "rank"), visible, keys),
    )
    text, params = _sums(board, request, by, inner, end)
    return text, params | dict(clause.params) | lists


def pairs(board: Board, request: Request) -> tuple[str, dict[str, Any]]:
    """The SQL of what intervals are made of: one line for each comparison, measure and unit."""
    by = broken_out(board, request.by)
    used = "used" if request.common else "numbers"
    _, inner = _filters(board, request, by, True)
    return _sums(board, request, by, inner, PAIRED.format(used=used))


def values(board: Board, request: Request, wanted: Iterable[str]) -> tuple[str, dict[str, Any]]:
    """The SQL of every number behind some columns."""
    used = "used" if request.common else "numbers"
    by = broken_out(board, request.by)
    _, inner = _filters(board, request, by, True)
    text, params = _sums(board, request, by, inner, VALUES.format(used=used))
    return text, params | {"wanted": list(wanted)}


def wants_intervals(board: Board, request: Request) -> bool:
    """Whether the answer has them."""
    return request.intervals and any(column.has_interval for column in board.columns)


def ranked_within(by: Mapping[str, str]) -> list[str]:
    """Of the columns that `broken_out` gives, those whose every value has ranks of its own."""
    return [name for name, of in by.items() if of != "split"]


def broken_out(board: Board, words: Sequence[str] = ()) -> dict[str, str]:
    """Columns that tell rows of one subject apart: name -> key of BY. Raises `UsageError`."""
    by = dict(board.by)
    for word in words:
        if word not in BY:
            raise unknown("way to break out rows", word, BY)
        by.setdefault(word, word)
    return by


def _sums(
    board: Board, request: Request, by: Mapping[str, str], inner: filters.Clause, end: str
) -> tuple[str, dict[str, Any]]:
    """All that is computed of each row, and an end to ask for it."""
    cells = "(SELECT * FROM cells WHERE label = subject)" if request.defaults else "cells"
    ratios = any(column.stat == "ratio" for column in board.columns)
    measures, bound = _measures(board)
    used = "used" if request.common else "numbers"
    early = [BY[of] for of in by.values() if of not in LATE]
    free = {n: any(getattr(c, n) is None for c in board.columns) for n in ("tau", "kappa")}
    text = SQL.format(
        end=end.strip(),
        cells=TUNED if request.tuned else cells,
        least=LEAST_ESS,
        caveat=_CAVEAT,
        part=_joined(early),
        side=_joined([BY[of] for of in by.values()]),
        run=" AND run_id = $run" if request.run else "",
        inner=inner.sql,
        measures=measures,
        by_numbers="".join(f'{BY[of]} AS "{name}", ' for name, of in by.items()),
        stratum=_joined([BY[s] for s in board.strata]),
        unit=BY[board.unit],
        common=COMMON.strip() if request.common else "",
        ratios=RATIOS.format(used=used).strip() if ratios else "",
        with_ratios="LEFT JOIN ratios q ON q.key = b.key" if ratios else "",
        used=used,
        rest="c" if request.common else "b",
        with_common="LEFT JOIN rest c ON c.part = n.part" if request.common else "",
        by_early="".join(f', {BY[of]} AS "{name}"' for name, of in by.items() if of not in LATE),
        by_late="".join(f', "{name}"' for name, of in by.items() if of in LATE),
        by_axis="".join(f', "{name}"' for name, of in by.items() if of in ("tau", "kappa")),
        places=" AND ".join(
            f"(m.{name} IS NULL OR r.{name} = m.{name})" if every else f"r.{name} = m.{name}"
            for name, every in free.items()
        ),
        by_names="".join(f', "{name}"' for name in by),
        subject=f'"{board.subject}"',
        values=",\n    ".join(_values(board.columns)),
        enough="> 0" if request.common else "= planned",
        ranked=_values([board.ranked])[0].split(" AS ")[0],
        rank_by=_rank(board),
    )
    return text, {**_parameters(board, request), **inner.params, **bound}


def _parameters(board: Board, request: Request) -> dict[str, Any]:
    ctx = request.context
    params: dict[str, Any] = {
        "scenario": board.name,
        "sweep": ctx.sweep if ctx else None,
        "scale": ctx.scale if ctx else None,
        "context": ctx.settings if ctx else None,
        "version": ctx.scenario_version if ctx else None,
        "ranked": board.ranked.of or board.rank,
        "sizes": [c.name for c in board.columns if c.metric == "ess"] or [""],
    }
    for place, name in enumerate(("labels", "dims", "names") if request.tuned else ()):
        params[name] = [line[place] for line in request.tuned]
    if request.run:
        params["run"] = request.run
    if ratios := [column.of for column in board.columns if column.stat == "ratio"]:
        params |= {"ratios": ratios, "baseline": request.baseline or board.baseline}
    return params


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


def _filters(
    board: Board, request: Request, by: Mapping[str, str], intervals: bool
) -> tuple[filters.Clause, filters.Clause]:
    """Terms on the board's columns keep rows; terms on a problem's columns choose problems."""
    shown = columns(board, tuple(by), intervals)
    outer = {
        name: filters.Column(f'"{name}"', "text" if kind == "text" else "number", name in _FLAGS)
        for name, kind in shown.items()
    }
    within = {name: column for name, column in PROBLEM.items() if name not in outer}
    terms = filters.parse(request.filter)
    for term in terms:
        if term.op and term.name not in outer and term.name not in within:
            raise unknown("column in the filter", term.name, {*outer, *within})
    inside = [t for t in terms if t.op and t.name in within]
    rest = [t for t in terms if not (t.op and t.name in within)]
    return (
        filters.compile_terms(rest, outer, f'"{board.subject}"'),
        filters.compile_terms(inside, within, "label", prefix="p"),
    )


def _json(name: str, kind: filters.Kind) -> filters.Column:
    text = f"problem_columns ->> '{name}'"
    return filters.Column(f"TRY_CAST({text} AS DOUBLE)" if kind == "number" else f"({text})", kind)


# What a filter may say of problems, beside the columns of the board.
PROBLEM: Mapping[str, filters.Column] = {
    "problem": filters.Column("problem", "text"),
    "setting": filters.Column("setting", "text"),
    "environment": filters.Column("environment"),
    "seed": filters.Column("seed"),
    **{n: _json(n, "number") for n in
       ("input_dim", "ratio", "temperature", "num_train", "num_test", "num_sources")},
    **{n: _json(n, "text") for n in
       ("file", "dataset", "family", "truth", "region", "domain", "schedule")},
}  # fmt: skip


def _measures(board: Board) -> tuple[str, dict[str, Any]]:
    rows, params = [], {}
    for place, column in enumerate(c for c in board.columns if c.stat != "ratio"):
        values = (column.name, column.metric, column.tau, column.kappa, column.split)
        params |= {f"m{place}_{i}": value for i, value in enumerate(values)}
        rows.append(
            f"($m{place}_0, $m{place}_1, CAST($m{place}_2 AS INTEGER), "
            f"CAST($m{place}_3 AS INTEGER), CAST($m{place}_4 AS VARCHAR))"
        )
    return ", ".join(rows), params


def _values(every: Sequence[Column]) -> list[str]:
    """Each column out of the row's numbers by measure."""
    found = []
    for column in every:
        kind = "value" if column.has_stderr else column.stat
        table = "q.q" if column.stat == "ratio" else "m.m"
        value = f"{table}['{column.of or column.name}'].{kind}"
        found.append(f'{value} AS "{column.name}"')
        if column.has_stderr:
            stderr = value.replace("].value", "].stderr")
            found.append(f'{stderr} AS "{column.name}_stderr"')
    return found


def _shown(visible: Mapping[str, str], chosen: Sequence[str], keys: Sequence[str]) -> list[str]:
    names = list(visible)
    if chosen:
        ends = ("", "_stderr", "_low", "_high")
        order = [*keys, *(f"{name}{end}" for name in chosen for end in ends)]
        names = [n for n in dict.fromkeys(order) if n in visible]
    return [f'"{name}"' for name in names]


def _found(board: Board, intervals: Intervals) -> tuple[str, dict[str, Any]]:
    """The rows with their intervals, which go in as lists."""
    # A list of one missing value: an empty one would have no type.
    keys = list(intervals.keys) or [None]
    params: dict[str, Any] = {"found": keys, "ties": list(intervals.ties) or [None]}
    lists = [f'CAST(unnest($ties) AS VARCHAR) AS "{TIES}"']
    for column in board.columns:
        for end in ("low", "high") if column.has_interval else ():
            name = f"{column.name}_{end}"
            place = f"i{len(lists)}"
            params[place] = list(intervals.numbers.get(name, ())) or [None] * len(keys)
            lists.append(f'CAST(unnest(${place}) AS DOUBLE) AS "{name}"')
    return FOUND.format(lists=", ".join(lists)), params


def _rank(board: Board) -> str:
    name = f'"{board.rank}"'
    return {"lower": name, "higher": f"-{name}", "one": f"abs({name} - 1)", "none": "0"}[
        board.better
    ]


def _joined(parts: Sequence[str]) -> str:
    return " || '|' || ".join(f"CAST({part} AS VARCHAR)" for part in parts) or "''"
