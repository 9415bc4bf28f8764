"""A board as one SQL statement.

Sums are ordered, so that the same store gives the same bytes whatever the engine's threads do.
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
        "run": request.run,
        "baseline": request.baseline or board.baseline,
        "common": request.common,
        "ranked": board.ranked.of or board.rank,
        "ratios": [c.of for c in board.columns if c.stat == "ratio"],
        **clause.params,
        **inner.params,
    }
    measures, bound = _measures(board)
    text = _SQL.format(
        keys=", ".join(f'"{k}"' for k in keys),
        by_of=", ".join(
            [f's.label AS "{keys[0]}"', *(f'{BY[of]} AS "{n}"' for n, of in by.items())]
        ),
        by_scope=", ".join(
            ["s.label", *("NULL" if of == "split" else BY[of] for of in by.values())]
        ),
        part=" || '|' || ".join(
            [f"CAST({BY[of]} AS VARCHAR)" for of in by.values() if of != "split"] or ["''"]
        ),
        subject=f'"{keys[0]}"',
        stratum=" || '|' || ".join(BY[s] for s in board.strata),
        unit=BY[board.unit],
        measures=measures,
        inner=inner.sql,
        a_keys=", ".join(f'a."{k}"' for k in keys),
        same_by=" AND ".join([f'a."{k}" IS NOT DISTINCT FROM b."{k}"' for k in by] or ["true"]),
        on_means=_same("g", "m", keys),
        on_ratios=_same("g", "q", keys),
        on_cover=_same("g", "c", keys),
        on_basis=_same("g", "b", keys),
        on_gaps=_same("g", "x", keys),
        on_totals=_same("a", "t", [*keys, "measure"]),
        values=",\n    ".join(_values(board.columns)),
        g_keys=", ".join(f'g."{k}"' for k in keys),
        rank_by=_rank(board),
        better_null=f'"{board.rank}" IS NOT NULL',
        shown=",\n  ".join(_shown(visible, request.columns, keys)),
        where=clause.sql,
        order=filters.order(request.sort or ("rank",), visible, keys),
    )  # fmt: skip
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
    found = []
    for column in every:
        name = column.of or column.name
        if column.stat == "ratio":
            pick = f"max(q.{{}}) FILTER (q.measure = '{name}')"
            found.append(f'{pick.format("ratio")} AS "{column.name}"')
            found.append(f'{pick.format("stderr")} AS "{column.name}_stderr"')
            continue
        stat = {"mean": "value", "samples": "samples", "largest": "largest"}[column.stat]
        pick = f"max(m.{{}}) FILTER (m.measure = '{name}')"
        found.append(f'{pick.format(stat)} AS "{column.name}"')
        if column.has_stderr:
            found.append(f'{pick.format("stderr")} AS "{column.name}_stderr"')
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


def _same(left: str, right: str, keys: Sequence[str]) -> str:
    return " AND ".join(f'{left}."{k}" IS NOT DISTINCT FROM {right}."{k}"' for k in keys)


_SQL = """
WITH scope AS MATERIALIZED (
  SELECT cell_id, label, problem, setting, environment, seed, status, error_kind, error_message,
    compile_seconds + train_seconds + evaluate_seconds AS seconds, {part} AS part
  FROM cells s
  WHERE scenario = $scenario AND scenario_version = $version AND context = $context
    AND cell_id IN (
      SELECT cell_id FROM run_cells WHERE sweep = $sweep AND scale = $scale
        AND ($run IS NULL OR run_id = $run))
    AND {inner}
  QUALIFY subject_version = max(subject_version) OVER (PARTITION BY subject)
),
measures(measure, metric, tau, kappa, split) AS (VALUES {measures}),
numbers AS MATERIALIZED (
  SELECT {by_of}, m.measure, {stratum} AS stratum, {unit} AS unit, s.part, s.problem, s.seed,
    r.split, r.value, r.stderr, r.num_samples, r.reason
  FROM scope s JOIN results r ON r.cell_id = s.cell_id
  JOIN measures m ON r.metric = m.metric AND r.tau = m.tau AND r.kappa = m.kappa
    AND (m.split IS NULL OR m.split = r.split)
  WHERE s.status = 'done'
),
had AS MATERIALIZED (
  SELECT {keys}, part, problem, seed FROM numbers WHERE measure = $ranked
  GROUP BY ALL HAVING count(*) = count(value)
),
coverage AS (SELECT {keys}, part, count(*) AS covered FROM had GROUP BY ALL),
planned AS (
  SELECT part, count(DISTINCT (problem, seed)) AS planned FROM scope GROUP BY part
),
teams AS (SELECT part, count(*) AS teams FROM coverage GROUP BY part),
shared AS (
  SELECT problem, seed FROM had JOIN teams USING (part)
  GROUP BY problem, seed, teams HAVING count(*) = teams
),
used AS MATERIALIZED (
  SELECT * FROM numbers
  WHERE NOT $common OR (problem, seed) IN (SELECT (problem, seed) FROM shared)
),
units AS (
  SELECT {keys}, measure, stratum, unit,
    avg(value ORDER BY problem, seed, split) AS value,
    CASE WHEN count(*) = count(stderr) THEN avg(stderr ORDER BY problem, seed, split) END AS own,
    count(*) - count(value) AS missing, max(num_samples) AS samples, max(value) AS largest
  FROM used GROUP BY ALL
),
strata AS (
  SELECT {keys}, measure, stratum, count(*) AS n, sum(value ORDER BY unit) AS total,
    CASE WHEN count(*) > 1 THEN var_samp(value ORDER BY unit) / count(*)
      ELSE max(own) * max(own) END AS variance,
    sum(missing) AS missing, max(samples) AS samples, max(largest) AS largest
  FROM units GROUP BY ALL
),
means AS (
  SELECT {keys}, measure, max(samples) AS samples, max(largest) AS largest,
    CASE WHEN sum(missing) = 0 THEN sum(total ORDER BY stratum) / sum(n) END AS value,
    CASE WHEN sum(missing) = 0 AND count(*) = count(variance)
      THEN sqrt(sum(n * n * variance ORDER BY stratum)) / sum(n) END AS stderr
  FROM strata GROUP BY ALL
),
pairs AS (
  SELECT {a_keys}, a.measure, a.stratum, a.unit, a.{subject} = $baseline AS itself,
    avg(a.value ORDER BY a.problem, a.seed, a.split) AS av,
    avg(b.value ORDER BY a.problem, a.seed, a.split) AS bv,
    CASE WHEN count(*) = count(a.stderr) THEN avg(a.stderr ORDER BY a.problem, a.seed, a.split)
      END AS a_own,
    CASE WHEN count(*) = count(b.stderr) THEN avg(b.stderr ORDER BY a.problem, a.seed, a.split)
      END AS b_own,
    count(*) - count(a.value + b.value) AS missing
  FROM used a JOIN used b ON b.{subject} = $baseline AND a.measure = b.measure
    AND a.stratum = b.stratum AND a.unit = b.unit AND a.problem = b.problem AND a.seed = b.seed
    AND a.split = b.split AND {same_by}
  WHERE a.measure IN (SELECT unnest($ratios))
  GROUP BY ALL
),
totals AS (
  SELECT {keys}, measure, sum(bv ORDER BY stratum, unit) AS base,
    sum(av ORDER BY stratum, unit) / sum(bv ORDER BY stratum, unit) AS ratio
  FROM pairs GROUP BY ALL HAVING sum(missing) = 0 AND base > 0
),
residuals AS (
  SELECT {a_keys}, a.measure, a.stratum, t.base, t.ratio, count(*) AS n,
    CASE WHEN bool_and(itself) THEN 0
      WHEN count(*) > 1 THEN var_samp(av - t.ratio * bv ORDER BY unit) / count(*)
      ELSE max(a_own * a_own + t.ratio * t.ratio * b_own * b_own) END AS variance
  FROM pairs a JOIN totals t ON {on_totals}
  GROUP BY ALL
),
ratios AS (
  SELECT {keys}, measure, ratio,
    CASE WHEN count(*) = count(variance)
      THEN sqrt(sum(n * n * variance ORDER BY stratum)) / max(base) END AS stderr
  FROM residuals GROUP BY ALL
),
counts AS (
  SELECT label, part, count(*) FILTER (status = 'done') AS done,
    count(*) FILTER (status = 'failed') AS failed,
    count(*) FILTER (status = 'pending') AS pending,
    avg(seconds ORDER BY problem, seed) FILTER (status = 'done') AS seconds,
    min(error_kind || ': ' || error_message) FILTER (status = 'failed') AS failure
  FROM scope GROUP BY ALL
),
basis AS (
  SELECT {keys}, count(DISTINCT problem) AS problems, count(DISTINCT seed) AS seeds,
  FROM used WHERE measure = $ranked GROUP BY ALL
),
gaps AS (
  SELECT {keys}, min(reason) FILTER (value IS NULL) AS gap,
    count(*) FILTER (value IS NULL) AS missing
  FROM used GROUP BY ALL
),
groups AS (
  SELECT DISTINCT {keys}, part FROM numbers
  UNION ALL SELECT DISTINCT {by_scope}, part FROM scope s
  WHERE (label, part) NOT IN (SELECT ({subject}, part) FROM numbers)
),
board AS (
  SELECT {g_keys}, g.part,
    {values}
  FROM groups g LEFT JOIN means m ON {on_means} LEFT JOIN ratios q ON {on_ratios}
    AND q.measure = m.measure
  GROUP BY ALL
),
facts AS (
  SELECT g.*, coalesce(b.problems, 0) AS problems, coalesce(b.seeds, 0) AS seeds,
    coalesce(c.covered, 0) || '/' || planned AS coverage,
    done, failed, pending, seconds,
    nullif(concat_ws('; ',
      CASE WHEN failed > 0 THEN failed || ' failed (' || failure || ')' END,
      CASE WHEN missing > 0 THEN missing || ' without value (' || gap || ')' END,
      CASE WHEN pending > 0 THEN pending || ' pending' END,
      CASE WHEN failed + pending = 0 AND coalesce(missing, 0) = 0
        AND coalesce(c.covered, 0) < planned THEN 'covers fewer problems or seeds than others' END
    ), '') AS reason,
    ($common AND coalesce(c.covered, 0) > 0 OR coalesce(c.covered, 0) = planned)
      AND {better_null} AS full_coverage
  FROM board g JOIN planned p ON p.part = g.part
  JOIN counts n ON n.label = g.{subject} AND n.part = g.part
  LEFT JOIN coverage c ON {on_cover} LEFT JOIN basis b ON {on_basis} LEFT JOIN gaps x ON {on_gaps}
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
