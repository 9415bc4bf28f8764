"""A board and a request compiled to one SQL statement (`board_template`) and its parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augury.engine.errors import unknown
from augury.engine.store import filters
from augury.engine.store.board import BY, Board, Column, Request
from augury.engine.store.board_template import COMMON, RATIOS, SQL

# Columns that every board ends with.
TAIL = ("problems", "seeds", "coverage", "done", "failed", "pending", "seconds", "reason")
_TEXT = {"coverage", "reason"}
_FLAGS = {"failed", "pending", "rank"}


def statement(board: Board, request: Request) -> tuple[str, dict[str, Any]]:
    """The SQL and its named parameters. Raises `UsageError` for names that are not there."""
    by = dict(board.by)
    for word in request.by:
        if word not in BY:
            raise unknown("way to break out rows", word, BY)
        by.setdefault(word, word)
    keys = [board.subject, *by]
    visible = columns(board, request.by)
    for name in request.columns:
        if name not in visible:
            raise unknown("column", name, visible)
    clause, inner = _filters(board, request, by)
    ctx = request.context
    params: dict[str, Any] = {
        "scenario": board.name,
        "sweep": ctx.sweep if ctx else None,
        "scale": ctx.scale if ctx else None,
        "context": ctx.settings if ctx else None,
        "version": ctx.scenario_version if ctx else None,
        "ranked": board.ranked.of or board.rank,
        **clause.params,
        **inner.params,
    }
    ratios = [column.of for column in board.columns if column.stat == "ratio"]
    if request.run:
        params["run"] = request.run
    if ratios:
        params |= {"ratios": ratios, "baseline": request.baseline or board.baseline}
    measures, bound = _measures(board)
    used = "used" if request.common else "numbers"
    early = [BY[of] for of in by.values() if of != "split"]
    text = SQL.format(
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
        by_early="".join(f', {BY[of]} AS "{name}"' for name, of in by.items() if of != "split"),
        by_late="".join(f', "{name}"' for name, of in by.items() if of == "split"),
        by_names="".join(f', "{name}"' for name in by),
        subject=f'"{board.subject}"',
        values=",\n    ".join(_values(board.columns)),
        enough="> 0" if request.common else "= planned",
        ranked=_values([board.ranked])[0].split(" AS ")[0],
        rank_by=_rank(board),
        shown=",\n  ".join(_shown(visible, request.columns, keys)),
        where=clause.sql,
        order=filters.order(request.sort or ("rank",), visible, keys),
    )
    return text, params | bound


def columns(board: Board, by: Sequence[str] = ()) -> dict[str, str]:
    """Every column of the answer, in order: name -> kind (number | text)."""
    names: dict[str, str] = {"rank": "number", board.subject: "text"}
    for name in [*(n for n, _ in board.by), *by]:
        names.setdefault(name, "number" if name in ("seed", "environment") else "text")
    for column in board.columns:
        names[column.name] = "number"
        if column.has_stderr:
            names[f"{column.name}_stderr"] = "number"
    names.update({name: "text" if name in _TEXT else "number" for name in TAIL})
    return names


def _filters(
    board: Board, request: Request, by: Mapping[str, str]
) -> tuple[filters.Clause, filters.Clause]:
    """Terms on the board's columns keep rows; terms on a problem's columns choose problems."""
    shown = columns(board, tuple(by))
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
            f"($m{place}_0, $m{place}_1, $m{place}_2, $m{place}_3, CAST($m{place}_4 AS VARCHAR))"
        )
    return ", ".join(rows), params


def _values(every: Sequence[Column]) -> list[str]:
    """Each column out of the row's numbers by measure."""
    fields = {"mean": "m.m['{}'].value", "ratio": "q.q['{}'].value", "samples":
              "m.m['{}'].samples", "largest": "m.m['{}'].largest"}  # fmt: skip
    found = []
    for column in every:
        value = fields[column.stat].format(column.of or column.name)
        found.append(f'{value} AS "{column.name}"')
        if column.has_stderr:
            stderr = value.replace("].value", "].stderr")
            found.append(f'{stderr} AS "{column.name}_stderr"')
    return found


def _shown(visible: Mapping[str, str], chosen: Sequence[str], keys: Sequence[str]) -> list[str]:
    names = list(visible)
    if chosen:
        wanted = {*chosen, *(f"{c}_stderr" for c in chosen), *keys}
        order = [*keys, *(c for name in chosen for c in (name, f"{name}_stderr"))]
        names = [n for n in dict.fromkeys(order) if n in visible and n in wanted]
    return [f'"{name}"' for name in names]


def _rank(board: Board) -> str:
    name = f'"{board.rank}"'
    return {"lower": name, "higher": f"-{name}", "one": f"abs({name} - 1)", "none": "0"}[
        board.better
    ]


def _joined(parts: Sequence[str]) -> str:
    return " || '|' || ".join(f"CAST({part} AS VARCHAR)" for part in parts) or "''"
