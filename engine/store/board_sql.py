"""A board and a request compiled to one SQL statement (`board_template`) and its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeAlias

from augury.engine.catalog.metrics import LEAST_ESS
from augury.engine.errors import unknown
from augury.engine.store import board_pieces as pieces
from augury.engine.store import filters
from augury.engine.store.board import (
    AXES,
    BY,
    LATE,
    PROBLEM_SQL,
    Board,
    Intervals,
    Request,
    place_sql,
)
from augury.engine.store.board_columns import (
    broken_out,
    columns,
    ranked_within,
    terms,
    wants_intervals,
)
from augury.engine.store.board_template import (
    COMMON,
    CURVES,
    LONE_ROWS,
    NUMBERS,
    ORIGIN,
    PAIRED,
    RATIOS,
    ROWS,
    SCOPE,
    STORED_SUMS,
    SUMS,
    TUNED,
    VALUES,
)
from augury.engine.store.shown import SHOWN

# What is limited by its estimator is told by its effective sample size.
_CAVEAT = "value IS NOT NULL AND reason <> '' AND NOT starts_with(reason, 'estimator-limited')"

Prepared: TypeAlias = tuple[str, dict[str, Any]]  # SQL and its named parameters


def statement(board: Board, request: Request, found: Intervals | None = None) -> Prepared:
    """The SQL and its named parameters. Raises `UsageError` for names that are not there.

    Intervals are columns of the answer where the request wants them; `found` holds their values.
    """
    end, chosen = rows(board, request, found)
    by = broken_out(board, request.by)
    _, inner = terms(board, request, by, wants_intervals(board, request))
    text, params = _sums(board, request, by, inner, end)
    return text, params | chosen


def rows(board: Board, request: Request, found: Intervals | None = None) -> Prepared:
    """What `statement` ends with: columns and rows out of `ranked`, filtered and sorted."""
    by = broken_out(board, request.by)
    keys = [board.subject, *by]
    intervals = wants_intervals(board, request)
    visible = columns(board, request.by, intervals)
    for name in request.columns:
        if name not in visible:
            raise unknown("column", name, visible)
    clause, _ = terms(board, request, by, intervals)
    ranked, lists = "ranked", {}
    if intervals:
        ranked, lists = pieces.with_intervals(board, found or Intervals())
    lists |= {f"only{n}": list(v) for n, v in enumerate(request.only.values())}
    kept = "".join(f' AND CAST("{name}" AS VARCHAR) IN (SELECT unnest($only{n}))'
                   for n, name in enumerate(request.only))  # fmt: skip
    text = ROWS.format(
        shown=",\n  ".join(pieces.shown(visible, request.columns, keys)),
        ranked=ranked,
        where=clause.sql + kept + (pieces.chosen(keys) if request.rows else ""),
        order=pieces.grouped(request.group, keys)
        + filters.order(request.sort or (*ranked_within(by), "rank"), visible, keys),
    )
    chosen = {"rows": list(request.rows)} if request.rows else {}
    return text.strip(), dict(clause.params) | lists | chosen


def stored(board: Board, request: Request) -> tuple[Prepared, Prepared]:
    """The SQL of tables `numbers` and `ranked`, the second out of the first.

    With them `pairs` and `rows` are planned in a fifth of the time that whole statements take, and
    planning is most of what a board costs.
    """
    by = broken_out(board, request.by)
    _, inner = terms(board, request, by, True)
    numbers = _sums(board, request, by, inner, "SELECT * FROM numbers", SCOPE + NUMBERS)
    ranked = _sums(board, request, by, inner, "SELECT * FROM ranked", SCOPE + SUMS)
    return numbers, ranked


def pairs(board: Board, request: Request) -> Prepared:
    """The SQL of what intervals are made of: one line for each comparison, measure and unit.

    Reads the tables of `stored`.
    """
    return _of_stored(board, request, PAIRED)


def lone_rows(board: Board, request: Request) -> Prepared:
    """Likewise of sums over test rows, one line for both cells of each pair in a lone unit."""
    return _of_stored(board, request, LONE_ROWS)


def _of_stored(board: Board, request: Request, template: str) -> Prepared:
    used = "used" if request.common else "numbers"
    given = _parameters(board, request)
    params = {name: given[name] for name in ("ranked", "ratios", "baseline")}
    parts = (COMMON if request.common else "") + template.format(used=used)
    return f"WITH {parts.strip()}", params


def values(board: Board, request: Request, wanted: Iterable[str], sums: bool = False) -> Prepared:
    """The SQL of every number behind some columns, if asked for with its sums over test rows."""
    used = "used" if request.common else "numbers"
    by = broken_out(board, request.by)
    _, inner = terms(board, request, by, True)
    more = ", own, groups" if sums else ""
    joined = f" LEFT JOIN {STORED_SUMS.strip()} USING (origin)" if sums else ""
    end = VALUES.format(used=used, sums=more, joined=joined)
    text, params = _sums(board, request, by, inner, end)
    return text, params | {"wanted": list(wanted)}


def curve_means(board: Board, request: Request) -> Prepared:
    """The SQL of the mean of a curve over the cells of each label; needs $labels and $curve."""
    by = broken_out(board, request.by)
    _, inner = terms(board, request, by, False)
    return _sums(board, request, by, inner, CURVES)


def _sums(
    board: Board,
    request: Request,
    by: Mapping[str, str],
    inner: filters.Clause,
    end: str,
    parts: str = SCOPE + NUMBERS + SUMS,
) -> Prepared:
    """All that is computed of each row, or some parts of it, and an end to ask for it."""
    cells = "(SELECT * FROM cells WHERE label = subject)" if request.defaults else "cells"
    if request.tuned:
        cells = TUNED.format(place=place_sql(board.name, "c"))
    if request.grouped:
        cells = f"(SELECT * REPLACE (subject AS label) FROM {cells})"
    ratios = any(column.stat == "ratio" for column in board.columns)
    measures, bound = pieces.measures(board)
    used = "used" if request.common else "numbers"
    early = [BY[of] for of in by.values() if of not in LATE]
    by_axis = "".join(f', "{name}"' for name, of in by.items() if of in AXES)
    free = {n: any(getattr(c, n) is None for c in board.columns) for n in ("tau", "kappa")}
    # Of problems' own columns only those asked for; they count as columns of the cell from here on.
    used_columns = (*by.values(), *board.strata, board.unit)
    own = {of: PROBLEM_SQL[of] for of in used_columns if of in PROBLEM_SQL}
    text = (
        parts.strip()
        .removesuffix(",")
        .format(
            own="".join(f", {sql} AS {name}" for name, sql in own.items()),
            cells=cells,
            least=LEAST_ESS,
            shown=SHOWN.format("error_message"),
            caveat=_CAVEAT,
            part=pieces.joined([own.get(e.removeprefix("s."), e) for e in early]),
            side=pieces.joined([BY[of] for of in by.values()]),
            run=" AND run_id = $run" if request.run else "",
            inner=inner.sql,
            measures=measures,
            by_numbers="".join(f'{BY[of]} AS "{name}", ' for name, of in by.items()),
            stratum=pieces.joined([BY[s] for s in board.strata]),
            unit=BY[board.unit],
            common=COMMON.strip() if request.common else "",
            ratios=RATIOS.format(used=used).strip() if ratios else "",
            with_ratios="LEFT JOIN ratios q ON q.key = b.key" if ratios else "",
            used=used,
            rest="c" if request.common else "b",
            # Two words are half of what a row of a large board weighs: only where they are used.
            origin=ORIGIN.format("s") if board.lone else "NULL",
            with_common="LEFT JOIN rest c ON c.part = n.part" if request.common else "",
            by_early="".join(
                f', {BY[of]} AS "{name}"' for name, of in by.items() if of not in LATE
            ),
            by_late="".join(f', "{name}"' for name, of in by.items() if of in LATE),
            by_axis=by_axis,
            places=" AND ".join(
                f"(m.{name} IS NULL OR r.{name} = m.{name})" if every else f"r.{name} = m.{name}"
                for name, every in free.items()
            ),
            by_names="".join(f', "{name}"' for name in by),
            subject=f'"{board.subject}"',
            values=",\n    ".join(pieces.values(board.columns)),
            enough="> 0" if request.common else "= planned",
            ranked=pieces.values([board.ranked])[0].split(" AS ")[0],
            rank_by=pieces.rank(board.rank, board.better),
            places_by="".join(
                f', CASE WHEN full_coverage AND "{c.of}" IS NOT NULL THEN rank() OVER ('
                f'PARTITION BY part, full_coverage, "{c.of}" IS NULL{by_axis} '
                f'ORDER BY {pieces.rank(c.of, pieces.direction(board, c.of))}) END AS "{c.name}"'
                for c in board.columns
                if c.stat == "rank"
            ),
        )
    )
    text = f"WITH {text}\n{end.strip()}"
    params = {**_parameters(board, request), **inner.params, **bound}
    if parts != SCOPE + NUMBERS + SUMS:  # parameters that a statement does not name are refused
        params = {name: value for name, value in params.items() if pieces.names(text, name)}
    return text, params


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
    for place, name in enumerate(("labels", "places", "names") if request.tuned else ()):
        params[name] = [None if line[place] is None else str(line[place]) for line in request.tuned]
    if request.run:
        params["run"] = request.run
    if ratios := [column.of for column in board.columns if column.stat == "ratio"]:
        params |= {"ratios": ratios, "baseline": request.baseline or board.baseline}
    return params
