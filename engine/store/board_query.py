"""The board query: choose the context, check the baseline, compile."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.errors import UsageError, unknown
from augury.engine.store import boards
from augury.engine.store.contexts import choose, context_json
from augury.engine.store.records import Query
from augury.engine.store.resolve import resolve_run
from augury.engine.types import JSON

if TYPE_CHECKING:
    import duckdb


def board(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """A board's statement for the newest context that fits `params`."""
    if "scenario" not in params:
        raise UsageError("query board needs the parameter 'scenario'.")
    definition = boards.load(str(params["scenario"]))
    run = resolve_run(cursor, str(params["run"])) if params.get("run") else None
    contexts, chosen = choose(cursor, definition.name, run, params)
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
        "context": context_json(chosen),
        "contexts": [context_json(c) for c in contexts],
        **boards.describe(definition),
    }
    return Query(sql, bound, meta)


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


def _words(value: Any) -> tuple[str, ...]:
    if not value:
        return ()
    words = value.split(",") if isinstance(value, str) else value
    return tuple(str(word).strip() for word in words if str(word).strip())
