"""A board and a request compiled to one SQL statement (`board_template`) and its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from augury.engine.catalog.metrics import LEAST_ESS
from augury.engine.errors import unknown
from augury.engine.store import filters
from augury.engine.store.board import (
    AXES,
    BY,
    KIND,
    LATE,
    PROBLEM_SQL,
    Better,
    Board,
    Column,
    Request,
)
from augury.engine.store.board_columns import (
    TIES,
    broken_out,
    columns,
    ranked_within,
    terms,
    wants_intervals,
)
from augury.engine.store.board_template import (
    COMMON,
    CURVES,
    FOUND,
    PAIRED,
    RATIOS,
    ROWS,
    SQL,
    TUNED,
    VALUES,
)

# What is limited by its estimator is told by its effective sample size.
_CAVEAT = "value IS NOT NULL AND reason <> '' AND NOT starts_with(reason, 'estimator-limited')"


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
    clause, inner = terms(board, request, by, intervals)
    rows, lists = "ranked", {}
    if intervals:
        rows, lists = _found(board, found or Intervals())
    lists |= {f"only{n}": list(v) for n, v in enumerate(request.only.values())}
    kept = "".join(f' AND CAST("{name}" AS VARCHAR) IN (SELECT unnest($only{n}))'
                   for n, name in enumerate(request.only))  # fmt: skip
    end = ROWS.format(
        shown=",\n  ".join(_shown(visible, request.columns, keys)),
        ranked=rows,
        where=clause.sql
        + kept
        + (_CHOSEN.format(label=_quoted(keys[:1]), keys=_quoted(keys)) if request.rows else ""),
        order=_grouped(request.group, keys)
        + filters.order(request.sort or (*ranked_within(by), "rank"), visible, keys),
    )
    text, params = _sums(board, request, by, inner, end)
    chosen = {"rows": list(request.rows)} if request.rows else {}
    return text, params | dict(clause.params) | lists | chosen


def pairs(board: Board, request: Request) -> tuple[str, dict[str, Any]]:
    """The SQL of what intervals are made of: one line for each comparison, measure and unit."""
    by = broken_out(board, request.by)
    used = "used" if request.common else "numbers"
    _, inner = terms(board, request, by, True)
    return _sums(board, request, by, inner, PAIRED.format(used=used))


def values(board: Board, request: Request, wanted: Iterable[str]) -> tuple[str, dict[str, Any]]:
    """The SQL of every number behind some columns."""
    used = "used" if request.common else "numbers"
    by = broken_out(board, request.by)
    _, inner = terms(board, request, by, True)
    text, params = _sums(board, request, by, inner, VALUES.format(used=used))
    return text, params | {"wanted": list(wanted)}


def curve_means(board: Board, request: Request) -> tuple[str, dict[str, Any]]:
    """The SQL of the mean of a curve over the cells of each label; needs $labels and $curve."""
    by = broken_out(board, request.by)
    _, inner = terms(board, request, by, False)
    return _sums(board, request, by, inner, CURVES)


def _sums(
    board: Board, request: Request, by: Mapping[str, str], inner: filters.Clause, end: str
) -> tuple[str, dict[str, Any]]:
    """All that is computed of each row, and an end to ask for it."""
    cells = "(SELECT * FROM cells WHERE label = subject)" if request.defaults else "cells"
    if request.tuned:
        cells = TUNED
    if request.grouped:
        cells = f"(SELECT * REPLACE (subject AS label) FROM {cells})"
    ratios = any(column.stat == "ratio" for column in board.columns)
    measures, bound = _measures(board)
    used = "used" if request.common else "numbers"
    early = [BY[of] for of in by.values() if of not in LATE]
    by_axis = "".join(f', "{name}"' for name, of in by.items() if of in AXES)
    free = {n: any(getattr(c, n) is None for c in board.columns) for n in ("tau", "kappa")}
    # Of problems' own columns only those asked for; they count as columns of the cell from here on.
    own = {of: PROBLEM_SQL[of] for of in by.values() if of in PROBLEM_SQL}
    text = SQL.format(
        end=end.strip(),
        own="".join(f", {sql} AS {name}" for name, sql in own.items()),
        cells=cells,
        least=LEAST_ESS,
        caveat=_CAVEAT,
        part=_joined([own.get(e.removeprefix("s."), e) for e in early]),
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
        by_axis=by_axis,
        places=" AND ".join(
            f"(m.{name} IS NULL OR r.{name} = m.{name})" if every else f"r.{name} = m.{name}"
            for name, every in free.items()
        ),
        by_names="".join(f', "{name}"' for name in by),
        subject=f'"{board.subject}"',
        values=",\n    ".join(_values(board.columns)),
        enough="> 0" if request.common else "= planned",
        ranked=_values([board.ranked])[0].split(" AS ")[0],
        rank_by=_rank(board.rank, board.better),
        places_by="".join(
            f', CASE WHEN full_coverage AND "{c.of}" IS NOT NULL THEN rank() OVER ('
            f'PARTITION BY part, full_coverage, "{c.of}" IS NULL{by_axis} '
            f'ORDER BY {_rank(c.of, _direction(board, c.of))}) END AS "{c.name}"'
            for c in board.columns
            if c.stat == "rank"
        ),
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


def _measures(board: Board) -> tuple[str, dict[str, Any]]:
    rows, params = [], {}
    for place, column in enumerate(c for c in board.columns if c.stat not in ("ratio", "rank")):
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


def _rank(column: str, better: Better) -> str:
    name = f'"{column}"'
    return {"lower": name, "higher": f"-{name}", "one": f"abs({name} - 1)", "none": "0"}[better]


def _direction(board: Board, name: str) -> Better:
    return next(column.better for column in board.columns if column.name == name)


# A row by its label, or by all that identifies it.
_CHOSEN = """ AND ({label} IN (SELECT unnest($rows))
  OR concat_ws('|', {keys}) IN (SELECT unnest($rows)))"""


def _quoted(keys: Sequence[str]) -> str:
    return ", ".join(f'"{key}"' for key in keys)


def _grouped(group: str, keys: Sequence[str]) -> str:
    """The order of groups, before the order within one. Raises `UsageError`."""
    if not group:
        return ""
    if group == KIND:
        return f"split_part(\"{keys[0]}\", '[', 1), "
    if group not in keys[1:]:
        raise unknown("way to group", group, (KIND, *keys[1:]))
    return f'"{group}" IS NULL, "{group}", '


def _joined(parts: Sequence[str]) -> str:
    # What a problem has no value of is a place of its own, not one that rows get lost in.
    return " || '|' || ".join(f"coalesce(CAST({p} AS VARCHAR), '')" for p in parts) or "''"
