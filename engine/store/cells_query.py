"""Queries about single cells: the long form, one cell in full, curves, failures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import canonical
from augury.engine.catalog.names import SCENARIO_NAMES
from augury.engine.errors import UsageError, unknown
from augury.engine.store import filters
from augury.engine.store.resolve import TIME, resolve_run
from augury.engine.store.shown import SHOWN
from augury.engine.store.table import Query

if TYPE_CHECKING:
    import duckdb

# Name -> SQL. One row for each cell and metric; a cell without results has one row.
LONG: Mapping[str, filters.Column] = {
    "cell_id": filters.Column("c.cell_id", "text"),
    "run": filters.Column("f.run_id", "text"),
    "scenario": filters.Column("c.scenario", "text"),
    "sweep": filters.Column("f.sweep", "text"),
    "problem": filters.Column("c.problem", "text"),
    "subject": filters.Column("c.subject", "text"),
    "config": filters.Column("CAST(c.config AS VARCHAR)", "text"),
    "seed": filters.Column("c.seed"),
    "status": filters.Column("c.status", "text"),
    "metric": filters.Column("r.metric", "text"),
    "tau": filters.Column("r.tau"),
    "kappa": filters.Column("r.kappa"),
    "split": filters.Column("r.split", "text"),
    "value": filters.Column("r.value"),
    "stderr": filters.Column("r.stderr"),
    "num_samples": filters.Column("r.num_samples"),
    "scale": filters.Column("f.scale", "text"),
    "settings": filters.Column("CAST(c.settings AS VARCHAR)", "text"),
    "scenario_version": filters.Column("c.scenario_version"),
    "code_version": filters.Column("c.code_version", "text"),
    "device": filters.Column("c.device", "text"),
    "seconds": filters.Column("c.compile_seconds + c.train_seconds + c.evaluate_seconds"),
}
# What a filter may name beside the columns.
_BESIDE: Mapping[str, filters.Column] = {
    "agent": filters.Column("c.label", "text"),
    "estimator": filters.Column("c.label", "text"),
    "label": filters.Column("c.label", "text"),
    "setting": filters.Column("c.setting", "text"),
    "environment": filters.Column("c.environment"),
    "failed": filters.Column("CAST(c.status = 'failed' AS INTEGER)", flag=True),
    "pending": filters.Column("CAST(c.status = 'pending' AS INTEGER)", flag=True),
    "done": filters.Column("CAST(c.status = 'done' AS INTEGER)", flag=True),
}
_TIES = (
    "scenario", "problem", "subject", "config", "seed", "cell_id",
    "metric", "tau", "kappa", "split",
)  # fmt: skip


def cells(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """The long form. A cell that several runs share is listed once, under its first run."""
    scenario, run = params.get("scenario"), params.get("run")
    if scenario and scenario not in SCENARIO_NAMES:
        raise unknown("scenario", str(scenario), SCENARIO_NAMES)
    clause = filters.compile_terms(
        filters.parse(str(params.get("filter") or "")), {**LONG, **_BESIDE}, "c.label"
    )
    order = filters.order(params.get("sort") or (), LONG, _TIES)
    shown = ", ".join(f'{column.sql} AS "{name}"' for name, column in LONG.items())
    limit = params.get("limit")
    sql = f"""
    WITH first_runs AS (
      SELECT DISTINCT ON (x.cell_id) x.cell_id, x.run_id, x.sweep, x.scale
      FROM run_cells x JOIN runs USING (run_id)
      WHERE ($run IS NULL OR x.run_id = $run) AND ($sweep IS NULL OR x.sweep = $sweep)
      ORDER BY x.cell_id, runs.created_at, x.run_id)
    SELECT * FROM (SELECT {shown}
    FROM cells c LEFT JOIN first_runs f ON f.cell_id = c.cell_id
    LEFT JOIN results r ON r.cell_id = c.cell_id AND c.status = 'done'
    WHERE ($scenario IS NULL OR c.scenario = $scenario)
      AND ($run IS NULL AND $sweep IS NULL OR f.cell_id IS NOT NULL)
      AND {clause.sql})
    ORDER BY {order} {"LIMIT $limit" if limit is not None else ""}
    """
    bound = {
        "scenario": scenario,
        "run": resolve_run(cursor, str(run)) if run else None,
        "sweep": params.get("sweep"),
        **clause.params,
    }
    return Query(sql, bound | ({"limit": int(limit)} if limit is not None else {}))


def cell(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """Everything recorded of one cell but its results and curves: one row."""
    return Query(_CELL, {"cell": resolve_cell(cursor, params)})


def results(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """All numbers of one cell, with the reason where one is missing."""
    return Query(_RESULTS, {"cell": resolve_cell(cursor, params)})


def curves(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """Curve points of one cell, or of every cell of a run."""
    if not params.get("cell") and not params.get("run"):
        raise UsageError("query curves needs the parameter 'cell' or 'run'.")
    run = params.get("run")
    bound = {
        "cell": resolve_cell(cursor, params) if params.get("cell") else None,
        "run": resolve_run(cursor, str(run)) if run else None,
        "name": params.get("name"),
    }
    return Query(_CURVES, bound)


def row(_: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """A window on the cells behind one row of a board, each with its numbers.

    They are those of a label in one context, and of one setting if it is given; `total` counts
    all, `numbers` is a list of objects.
    """
    for name in ("scenario", "label"):
        if not params.get(name):
            raise UsageError(f"query row needs the parameter {name!r}.")
    settings = params.get("settings")
    if settings is not None and not isinstance(settings, str):
        settings = canonical(settings)
    names = ("scenario", "label", "sweep", "scale", "setting", "problem")
    bound = {name: params.get(name) for name in names}
    limit = params.get("limit")
    bound |= {
        "settings": settings,
        "version": params.get("scenario_version"),
        "first": int(params.get("offset") or 0),
        "most": None if limit is None else int(limit),
    }
    return Query(_ROW, bound)


def resolve_cell(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> str:
    """The one id that starts with the parameter `cell`. Raises `UsageError` for none or several."""
    prefix = str(params.get("cell") or "")
    found = cursor.execute(
        "SELECT cell_id FROM cells WHERE starts_with(cell_id, ?) ORDER BY cell_id LIMIT 2", [prefix]
    ).fetchall()
    if len(found) == 1:
        return found[0][0]
    much = "no cell has" if not found else "several cells have"
    raise UsageError(f"{much} an id that starts with {prefix!r}; `augury cells` lists them.")


_CELL = f"""
SELECT cell_id, scenario, scenario_version, problem, setting, environment, subject,
  subject_version, label, CAST(config AS VARCHAR) AS config, CAST(settings AS VARCHAR) AS settings,
  seed, "precision", source, status, attempts, device, width, compile_seconds, train_seconds,
  evaluate_seconds, code_version, jax_version, worker, {TIME.format("finished_at")} AS finished_at,
  error_kind, {SHOWN.format("error_message")} AS error_message,
  {SHOWN.format("error_traceback")} AS error_traceback,
  (SELECT list(run_id ORDER BY run_id) FROM run_cells x WHERE x.cell_id = cells.cell_id) AS runs
FROM cells WHERE cell_id = $cell
"""

_RESULTS = """
SELECT metric, tau, kappa, split, value, stderr, num_samples, reason
FROM results WHERE cell_id = $cell ORDER BY metric, tau, kappa, split
"""

_CURVES = """
SELECT cell_id, name, step, value FROM curves
WHERE ($cell IS NULL OR cell_id = $cell) AND ($name IS NULL OR name = $name)
  AND ($run IS NULL OR cell_id IN (SELECT cell_id FROM run_cells WHERE run_id = $run))
ORDER BY cell_id, name, step
"""

# One line for each cell of a run, without its numbers: what a live monitor draws.
STATES = f"""
SELECT DISTINCT c.cell_id, c.scenario, c.label, c.problem, c.seed, c.status, c.attempts, c.device,
  c.compile_seconds + c.train_seconds + c.evaluate_seconds AS seconds,
  {TIME.format("c.finished_at")} AS finished, c.error_kind,
  {SHOWN.format("c.error_message")} AS error_message,
  CASE WHEN $run IS NULL THEN 0 ELSE x.position END AS position
FROM cells c LEFT JOIN run_cells x ON x.cell_id = c.cell_id
WHERE $run IS NULL OR x.run_id = $run
ORDER BY position, c.scenario, c.problem, c.label, c.seed, c.cell_id
"""

_ROW = f"""
WITH chosen AS (
  SELECT *, count(*) OVER () AS total FROM (
    SELECT * FROM cells
    WHERE scenario = $scenario AND label = $label
      AND ($version IS NULL OR scenario_version = $version)
      AND ($settings IS NULL OR context = $settings)
      AND ($setting IS NULL OR setting = $setting)
      AND ($problem IS NULL OR problem = $problem)
      AND cell_id IN (SELECT cell_id FROM run_cells
        WHERE ($sweep IS NULL OR sweep = $sweep) AND ($scale IS NULL OR scale = $scale))
    QUALIFY subject_version = max(subject_version) OVER (PARTITION BY subject))
  ORDER BY problem, seed, cell_id LIMIT $most OFFSET $first
),
numbers AS (
  SELECT cell_id, list({{'metric': metric, 'tau': tau, 'kappa': kappa, 'split': split,
    'value': value, 'stderr': stderr}} ORDER BY metric, tau, kappa, split) AS numbers
  FROM results WHERE cell_id IN (SELECT cell_id FROM chosen) GROUP BY cell_id
)
SELECT c.cell_id, c.problem, c.seed, c.status, c.attempts, c.device,
  c.compile_seconds + c.train_seconds + c.evaluate_seconds AS seconds,
  {TIME.format("c.finished_at")} AS finished, c.error_kind,
  {SHOWN.format("c.error_message")} AS error_message, c.total,
  coalesce(n.numbers, []) AS numbers
FROM chosen c LEFT JOIN numbers n ON n.cell_id = c.cell_id
ORDER BY c.problem, c.seed, c.cell_id
"""

FAILURES = f"""
SELECT c.cell_id, c.scenario, c.label, c.problem, c.seed, c.error_kind AS kind,
  {SHOWN.format("c.error_message")} AS message, c.attempts, c.device,
  {TIME.format("c.finished_at")} AS finished,
  {SHOWN.format("c.error_traceback")} AS traceback
FROM cells c
WHERE c.status = 'failed' AND ($run IS NULL OR c.cell_id IN
  (SELECT cell_id FROM run_cells WHERE run_id = $run))
ORDER BY c.scenario, c.problem, c.label, c.seed, c.cell_id
"""
