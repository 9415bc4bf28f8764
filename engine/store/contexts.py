"""Contexts: what one board may put side by side, and which of the stored ones is meant."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON, canonical
from augury.engine.errors import unknown
from augury.engine.store.board import Column, Context
from augury.engine.store.resolve import TIME

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

# The same contexts for a board, which needs no counts: it is planned and run in a third of the
# time, and runs are few enough to be ordered here.
_HELD = """
SELECT DISTINCT x.run_id, x.sweep, x.scale, c.context, c.scenario_version
FROM run_cells x JOIN cells c ON c.cell_id = x.cell_id
WHERE c.scenario = $scenario AND ($run IS NULL OR x.run_id = $run)
"""


def choose(
    cursor: duckdb.DuckDBPyConnection, scenario: str, run: str | None, params: Mapping[str, Any]
) -> tuple[list[Context], Context | None]:
    """All contexts of a scenario, newest first, and the first that fits `params`.

    Environments that choose configs are no result: their context comes last unless named.
    """
    contexts = held(cursor, scenario, run)
    if params.get("sweep"):
        _check_sweep(scenario, str(params["sweep"]), {c.sweep for c in contexts})
    return contexts, next((c for c in contexts if _fits(c, params)), None)


def held(cursor: duckdb.DuckDBPyConnection, scenario: str, run: str | None) -> list[Context]:
    """All contexts of a scenario, the newest first and those of tuning last."""
    return sorted(_newest_first(cursor, scenario, run), key=lambda c: is_tuning(c.sweep))


def _newest_first(
    cursor: duckdb.DuckDBPyConnection, scenario: str, run: str | None
) -> list[Context]:
    """In the order of `CONTEXTS`."""
    found = cursor.execute(_HELD, {"scenario": scenario, "run": run}).fetchall()
    made = dict(cursor.execute("SELECT run_id, epoch_us(created_at) FROM runs").fetchall())
    newest: dict[Context, tuple[int, str]] = {}
    for run_id, *fields in found:
        context = Context(*fields)
        newest[context] = max(newest.get(context, (0, "")), (made[run_id], run_id))

    def place(context: Context) -> tuple[int, str, str, str, str, int]:
        created, run_id = newest[context]
        return (-created, run_id, context.sweep, context.scale, context.settings,
                -context.scenario_version)  # fmt: skip

    return sorted(newest, key=place)


def scored(
    cursor: duckdb.DuckDBPyConnection,
    scenario: str,
    contexts: list[Context],
    chosen: Context | None,
    params: Mapping[str, Any],
    column: Column,
) -> Context | None:
    """The newest context that fits `params` and has a number of the column; else the chosen."""
    for context in contexts:
        if _fits(context, params) and is_tuning(context.sweep) <= bool(params.get("sweep")):
            found = cursor.execute(
                "SELECT 1 FROM cells JOIN run_cells USING (cell_id) JOIN results USING (cell_id) "
                "WHERE scenario = ? AND context = ? AND scenario_version = ? AND sweep = ? "
                "AND scale = ? AND metric = ? AND tau = ? AND kappa = ? LIMIT 1",
                [scenario, context.settings, context.scenario_version, context.sweep,
                 context.scale, column.metric, column.tau, column.kappa],
            ).fetchone()  # fmt: skip
            if found:
                return context
    return chosen


def context_json(context: Context | None) -> JSON:
    """A context as a reader sees it."""
    if context is None:
        return None
    return {
        "sweep": context.sweep,
        "scale": context.scale,
        "settings": json.loads(context.settings),
        "scenario_version": context.scenario_version,
    }


def _fits(context: Context, params: Mapping[str, Any]) -> bool:
    settings = params.get("settings")
    if settings is not None and not isinstance(settings, str):
        settings = canonical(settings)
    return (
        params.get("sweep") in (None, "", context.sweep)
        and params.get("scale") in (None, "", context.scale)
        and settings in (None, context.settings)
        and params.get("scenario_version") in (None, context.scenario_version)
    )


def is_tuning(sweep: str) -> bool:
    """Whether a sweep's environments choose configs."""
    return sweep.endswith("-tuning")


def _check_sweep(scenario: str, sweep: str, stored: set[str]) -> None:
    from augury.engine.catalog.sweeps import SWEEPS  # a board without a name needs no catalog

    sweeps = stored | {n for n, s in SWEEPS.items() if s.scenario == scenario}
    if sweep not in sweeps:
        raise unknown(f"sweep of {scenario}", sweep, sweeps)
