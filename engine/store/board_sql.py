"""A board as one SQL statement.

Sums are ordered (by their own terms), so that the same store gives the same bytes whatever DuckDB's
threads do.
The standard error of a mean over problems is stratified: with settings s of n_s units (means m of
a unit over its seeds), Var = sum_s (n_s/N)^2 var_s(m)/n_s; where a setting has one unit, its
evaluation's own stderr stands in for var_s. A ratio R of two means has, by the delta
method and with numerator a and baseline b paired by unit,
Var = sum_s (n_s/N)^2 var_s(a - R b)/n_s / mean(b)^2.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augury.engine.errors import unknown
from augury.engine.store import filters
from augury.engine.store.board import BY, Board, Column, Request

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
    text = _SQL.format(
        part=_joined(early),
        side=_joined([BY[of] for of in by.values()]),
        run=" AND run_id = $run" if request.run else "",
        inner=inner.sql,
        measures=measures,
        by_numbers="".join(f'{BY[of]} AS "{name}", ' for name, of in by.items()),
        stratum=_joined([BY[s] for s in board.strata]),
        unit=BY[board.unit],
        common=_COMMON.strip() if request.common else "",
        ratios=_RATIOS.format(used=used).strip() if ratios else "",
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


_COMMON = """
had AS (
  SELECT key, part, problem, seed FROM numbers WHERE measure = $ranked
  GROUP BY ALL HAVING count(*) = count(value)
),
teams AS (SELECT part, count(DISTINCT key) AS teams FROM had GROUP BY part),
shared AS (
  SELECT part, problem, seed FROM had JOIN teams USING (part)
  GROUP BY part, problem, seed, teams HAVING count(*) = teams
),
rest AS (
  SELECT part, count(DISTINCT problem) AS problems, count(DISTINCT seed) AS seeds
  FROM shared GROUP BY part
),
used AS (SELECT * FROM numbers SEMI JOIN shared USING (part, problem, seed)),
"""

# A row of the board is its `key`; `side` is the key without the label, so that a mode is divided
# by the same mode of the baseline; `part` holds what of the key is known before any result.
_SQL = """
WITH scope AS (
  SELECT cell_id, label, problem, setting, environment, seed, status, error_kind, error_message,
    compile_seconds + train_seconds + evaluate_seconds AS seconds, {part} AS part
  FROM cells s
  WHERE scenario = $scenario AND scenario_version = $version AND context = $context
    AND cell_id IN (
      SELECT cell_id FROM run_cells WHERE sweep = $sweep AND scale = $scale{run})
    AND {inner}
  QUALIFY subject_version = max(subject_version) OVER (PARTITION BY subject)
),
measures(measure, metric, tau, kappa, split) AS (VALUES {measures}),
numbers AS (
  SELECT s.label || chr(31) || {side} AS key, {side} AS side, s.part, s.label, {by_numbers}
    m.measure, {stratum} AS stratum, {unit} AS unit, s.problem, s.seed, r.split, r.value, r.stderr,
    r.num_samples, r.reason
  FROM scope s JOIN results r ON r.cell_id = s.cell_id
  JOIN measures m ON r.metric = m.metric AND r.tau = m.tau AND r.kappa = m.kappa
    AND (m.split IS NULL OR m.split = r.split)
  WHERE s.status = 'done'
),
basis AS (
  SELECT key, part, label{by_late},
    count(DISTINCT (problem, seed)) FILTER (measure = $ranked) - count(DISTINCT (problem, seed))
      FILTER (measure = $ranked AND value IS NULL) AS covered,
    count(DISTINCT problem) FILTER (measure = $ranked) AS problems,
    count(DISTINCT seed) FILTER (measure = $ranked) AS seeds,
    min(reason) FILTER (value IS NULL) AS gap, count(*) FILTER (value IS NULL) AS missing,
    min(reason) FILTER (value IS NOT NULL AND reason <> '') AS caveat,
    count(*) FILTER (value IS NOT NULL AND reason <> '') AS doubtful
  FROM numbers GROUP BY ALL
),
{common}
units AS (
  SELECT key, side, label, measure, stratum, unit,
    avg(value ORDER BY value) AS value,
    CASE WHEN count(*) = count(stderr) THEN avg(stderr ORDER BY stderr) END AS own,
    count(*) - count(value) AS missing, max(num_samples) AS samples, max(value) AS largest,
    count(*) AS size
  FROM {used} GROUP BY ALL
),
strata AS (
  SELECT key, measure, stratum, count(*) AS n, sum(value ORDER BY value) AS total,
    CASE WHEN count(*) > 1 THEN var_samp(value ORDER BY value) / count(*)
      ELSE max(own) * max(own) END AS variance,
    sum(missing) AS missing, max(samples) AS samples, max(largest) AS largest, sum(size) AS size
  FROM units GROUP BY ALL
),
means AS (
  SELECT key, map(list(measure), list(number)) AS m,
    string_agg(measure, ', ' ORDER BY measure) FILTER (size < most) AS thin FROM (
    SELECT key, measure, sum(size) AS size, max(sum(size)) OVER (PARTITION BY key) AS most, {{
      'value': CASE WHEN sum(missing) = 0 THEN sum(total ORDER BY total) / sum(n) END,
      'stderr': CASE WHEN sum(missing) = 0 AND count(*) = count(variance)
        THEN sqrt(sum(n * n * variance ORDER BY n * n * variance)) / sum(n) END,
      'samples': max(samples), 'largest': max(largest)}} AS number
    FROM strata GROUP BY key, measure)
  GROUP BY key
),
{ratios}
counts AS (
  SELECT label, part{by_early}, count(*) FILTER (status = 'done') AS done,
    count(*) FILTER (status = 'failed') AS failed,
    count(*) FILTER (status = 'pending') AS pending,
    avg(seconds ORDER BY seconds) FILTER (status = 'done') AS seconds,
    min(error_kind || ': ' || error_message) FILTER (status = 'failed') AS failure
  FROM scope s GROUP BY ALL
),
planned AS (
  SELECT part, count(DISTINCT (problem, seed)) AS planned FROM scope GROUP BY part
),
facts AS (
  SELECT n.part, n.label AS {subject}{by_names},
    {values},
    coalesce({rest}.problems, 0) AS problems, coalesce({rest}.seeds, 0) AS seeds,
    coalesce(covered, 0) || '/' || planned AS coverage, done, failed, pending, seconds,
    nullif(concat_ws('; ',
      CASE WHEN failed > 0 THEN failed || ' failed (' || failure || ')' END,
      CASE WHEN missing > 0 THEN missing || ' without value (' || gap || ')' END,
      CASE WHEN doubtful > 0 THEN doubtful || ' with a caveat (' || caveat || ')' END,
      CASE WHEN pending > 0 THEN pending || ' pending' END,
      'fewer cells behind ' || thin,
      CASE WHEN failed + pending = 0 AND coalesce(missing, 0) = 0 AND coalesce(covered, 0) < planned
        THEN 'covers fewer problems or seeds than others' END
    ), '') AS reason,
    coalesce(covered, 0) {enough} AND {ranked} IS NOT NULL AS full_coverage
  FROM counts n JOIN planned p ON p.part = n.part
  LEFT JOIN basis b ON b.label = n.label AND b.part = n.part
  LEFT JOIN means m ON m.key = b.key {with_ratios} {with_common}
),
ranked AS (
  SELECT *, CASE WHEN full_coverage
    THEN rank() OVER (PARTITION BY part, full_coverage ORDER BY {rank_by}) END AS "rank"
  FROM facts
)
SELECT {shown}
FROM ranked
WHERE {where}
ORDER BY {order}
"""

_RATIOS = """
pairs AS (
  SELECT a.key, a.measure, a.stratum, a.unit, a.label = $baseline AS itself,
    avg(a.value ORDER BY a.value) AS av,
    avg(b.value ORDER BY b.value) AS bv,
    CASE WHEN count(*) = count(a.stderr) THEN avg(a.stderr ORDER BY a.stderr)
      END AS a_own,
    CASE WHEN count(*) = count(b.stderr) THEN avg(b.stderr ORDER BY b.stderr)
      END AS b_own,
    count(*) - count(a.value + b.value) AS missing
  FROM {used} a JOIN {used} b ON b.label = $baseline AND a.measure = b.measure AND a.side = b.side
    AND a.problem = b.problem AND a.seed = b.seed AND a.split = b.split
  WHERE a.measure IN (SELECT unnest($ratios))
  GROUP BY ALL
),
totals AS (
  SELECT key, measure, sum(bv ORDER BY bv) AS base,
    sum(av ORDER BY av) / sum(bv ORDER BY bv) AS ratio
  FROM pairs GROUP BY ALL HAVING sum(missing) = 0 AND base > 0
),
residuals AS (
  SELECT key, measure, stratum, base, ratio, count(*) AS n,
    CASE WHEN bool_and(itself) THEN 0
      WHEN count(*) > 1 THEN var_samp(av - ratio * bv ORDER BY av - ratio * bv) / count(*)
      ELSE max(a_own * a_own + ratio * ratio * b_own * b_own) END AS variance
  FROM pairs JOIN totals USING (key, measure)
  GROUP BY ALL
),
ratios AS (
  SELECT key, map(list(measure), list(number)) AS q FROM (
    SELECT key, measure, {{'value': max(ratio), 'stderr': CASE WHEN count(*) = count(variance)
      THEN sqrt(sum(n * n * variance ORDER BY n * n * variance)) / max(base) END}} AS number
    FROM residuals GROUP BY key, measure)
  GROUP BY key
),
"""
