"""The board query: choose the context, check the baseline, compile."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.errors import UsageError, unknown
from augury.engine.store import boards
from augury.engine.store.records import Query
from augury.engine.store.resolve import TIME, resolve_run
from augury.engine.types import JSON, canonical

if TYPE_CHECKING:
    import duckdb

CONTEXTS = f"""
SELECT c.scenario, x.sweep, x.scale, c.context AS settings, c.scenario_version,
  count(DISTINCT c.cell_id) AS cells,
  count(DISTINCT c.cell_id) FILTER (c.status = 'done') AS done,
  count(DISTINCT c.cell_id) FILTER (c.status = 'failed') AS failed,
  arg_max(r.run_id, (r.created_at, r.run_id)) AS newest_run,
  {TIME.format("max(r.created_at)")} AS created
FROM run_cells x JOIN cells c ON c.cell_id = x.cell_id JOIN runs r ON r.run_id = x.run_id
WHERE ($scenario IS NULL OR c.scenario = $scenario) AND ($run IS NULL OR x.run_id = $run)
GROUP BY ALL
ORDER BY max(r.created_at) DESC, newest_run, c.scenario, x.sweep, x.scale, settings,
  c.scenario_version DESC
"""


def board(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """A board's statement for the newest context that fits `params`."""
    if "scenario" not in params:
        raise UsageError("query board needs the parameter 'scenario'.")
    definition = boards.load(str(params["scenario"]))
    run = resolve_run(cursor, str(params["run"])) if params.get("run") else None
    contexts, chosen = _contexts(cursor, definition.name, run, params)
    request = boards.Request(
        context=chosen,
        run=run,
        sort=params.get("sort") or (),
        filter=str(params.get("filter") or ""),
        columns=_words(params.get("columns")),
        baseline=str(params.get("baseline") or ""),
        common=bool(params.get("common")),
        by=_words(params.get("by")),
    )
    labels = _labels(cursor, definition.name, chosen)
    if request.baseline and labels and request.baseline not in labels:
        raise unknown("baseline", request.baseline, labels)
    baseline = request.baseline or definition.baseline
    sql, bound = boards.compile(definition, request)
    meta: dict[str, JSON] = {
        "scenario": definition.name,
        "title": definition.title,
        "baseline": baseline,
        "baseline_missing": bool(baseline and labels and baseline not in labels),
        "common": request.common,
        "chosen": bool(request.columns),
        "context": _context_json(chosen),
        "contexts": [_context_json(c) for c in contexts],
        **boards.describe(definition),
    }
    return Query(sql, bound, meta)


def _contexts(
    cursor: duckdb.DuckDBPyConnection, scenario: str, run: str | None, params: Mapping[str, Any]
) -> tuple[list[boards.Context], boards.Context | None]:
    rows = cursor.execute(CONTEXTS, {"scenario": scenario, "run": run}).fetchall()
    contexts = [boards.Context(r[1], r[2], r[3], r[4]) for r in rows]
    if params.get("sweep"):
        _check_sweep(scenario, str(params["sweep"]), {c.sweep for c in contexts})
    settings = params.get("settings")
    if settings is not None and not isinstance(settings, str):
        settings = canonical(settings)
    for context in contexts:
        if (
            params.get("sweep") in (None, "", context.sweep)
            and params.get("scale") in (None, "", context.scale)
            and settings in (None, context.settings)
            and params.get("scenario_version") in (None, context.scenario_version)
        ):
            return contexts, context
    return contexts, None


def _check_sweep(scenario: str, sweep: str, stored: set[str]) -> None:
    from augury.engine.catalog.sweeps import SWEEPS  # a board without a name needs no catalog

    sweeps = stored | {n for n, s in SWEEPS.items() if s.scenario == scenario}
    if sweep not in sweeps:
        raise unknown(f"sweep of {scenario}", sweep, sweeps)


def _labels(
    cursor: duckdb.DuckDBPyConnection, scenario: str, context: boards.Context | None
) -> list[str]:
    if context is None:
        return []
    rows = cursor.execute(
        "SELECT DISTINCT label FROM cells JOIN run_cells USING (cell_id) WHERE scenario = ? "
        "AND context = ? AND scenario_version = ? AND sweep = ? AND scale = ?",
        [scenario, context.settings, context.scenario_version, context.sweep, context.scale],
    ).fetchall()
    return [row[0] for row in rows]


def _context_json(context: boards.Context | None) -> JSON:
    if context is None:
        return None
    return {
        "sweep": context.sweep,
        "scale": context.scale,
        "settings": json.loads(context.settings),
        "scenario_version": context.scenario_version,
    }


def _words(value: Any) -> tuple[str, ...]:
    if not value:
        return ()
    words = value.split(",") if isinstance(value, str) else value
    return tuple(str(word).strip() for word in words if str(word).strip())
