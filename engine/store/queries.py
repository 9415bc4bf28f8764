"""Named queries: what clients may ask of the store, and how each becomes SQL.

`NAMES` lists them. A query is compiled (`prepare`) before it is run, so that an export is the same
statement under a COPY. DuckDB is imported when one runs, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from augury.engine.errors import UsageError, unknown
from augury.engine.store.board_query import board
from augury.engine.store.cells_query import FAILURES, STATES, cell, cells, curves, results, row
from augury.engine.store.contexts import CONTEXTS
from augury.engine.store.resolve import TIME, resolve_run
from augury.engine.store.table import PRIORITY, Query, Table
from augury.engine.targets import load

if TYPE_CHECKING:
    import duckdb

Params: TypeAlias = Mapping[str, Any]


def run(con: duckdb.DuckDBPyConnection, name: str, params: Params | None = None) -> Table:
    """Answer a named query on a cursor of its own.

    Raises:
        UsageError: an unknown query, parameter, column or name, or refused SQL.
        StoreError: DuckDB could not answer.
    """
    from augury.engine.store import driver
    from augury.engine.store.connection import file_of, store_error
    from augury.engine.store.guard import SECONDS, guarded, interrupted

    given = dict(params or {})
    cursor = con.cursor()
    try:
        if name == "sql":
            return guarded(cursor, str(_take(given, "sql", "sql")))
        cursor.execute("BEGIN TRANSACTION READ ONLY")  # all of an answer is of one moment
        with interrupted(cursor, SECONDS):
            query = prepare(cursor, name, given)
            cursor.execute(query.sql, dict(query.params))
            columns = tuple(column[0] for column in cursor.description or ())
            return Table(columns, cursor.fetchall(), query.meta)
    except driver.InterruptException:
        raise UsageError(f"query {name} took longer than {SECONDS:g} s; narrow it.") from None
    except driver.Error as error:
        raise store_error(error, file=file_of(con)) from error
    finally:
        cursor.close()  # and with it the transaction


def prepare(cursor: duckdb.DuckDBPyConnection, name: str, params: Params) -> Query:
    """The statement a named query stands for; reads contexts and names where it must."""
    if name not in NAMES:
        raise unknown("query", name, [*NAMES, "sql"])
    builder, accepted = NAMES[name]
    for word in params:
        if word not in accepted:
            raise unknown(f"parameter of query {name}", word, accepted)
    return builder(cursor, params)


def _take(params: dict[str, Any], name: str, query: str) -> Any:
    if name not in params:
        raise UsageError(f"query {query} needs the parameter {name!r}.")
    return params[name]


def _contexts(cursor: duckdb.DuckDBPyConnection, params: Params) -> Query:
    return Query(CONTEXTS, {"scenario": params.get("scenario"), "run": _run(cursor, params)})


def _runs(cursor: duckdb.DuckDBPyConnection, params: Params) -> Query:
    return Query(_RUNS, {"run": _run(cursor, params)})


def _states(cursor: duckdb.DuckDBPyConnection, params: Params) -> Query:
    return Query(STATES, {"run": _run(cursor, params)})


def _failures(cursor: duckdb.DuckDBPyConnection, params: Params) -> Query:
    return Query(FAILURES, {"run": _run(cursor, params)})


def _seconds(_: duckdb.DuckDBPyConnection, params: Params) -> Query:
    return Query(_SECONDS, {"scenario": params.get("scenario")})


def _later(target: str) -> Builder:
    """What is asked for now and then only: a board's first frame need not load it."""

    def build(cursor: duckdb.DuckDBPyConnection, params: Params) -> Query:
        return load(f"augury.engine.store.{target}")(cursor, params)

    return build


def _claims(cursor: duckdb.DuckDBPyConnection, params: Params) -> Query:
    place = "mi_claims" if params.get("scenario") == "mi" else "compare_query"
    return _later(f"{place}:claims")(cursor, params)


def _run(cursor: duckdb.DuckDBPyConnection, params: Params) -> str | None:
    prefix = params.get("run")
    return resolve_run(cursor, str(prefix)) if prefix else None


Builder: TypeAlias = Callable[[Any, Params], Query]
_PLACE = ("scenario", "sweep", "scale", "settings", "scenario_version", "run", "config")
# name -> (builder, parameters it takes)
NAMES: Mapping[str, tuple[Builder, tuple[str, ...]]] = {
    "board": (board, ("scenario", "sort", "filter", "columns", "baseline", "common", "by",
                       "sweep", "scale", "settings", "scenario_version", "run", "config", "tau",
                       "kappa", "intervals", "units", "group", "rows")),
    "compare": (_later("compare_query:compare"), (*_PLACE, "subjects", "tau", "kappa", "filter")),
    "differences": (_later("difference_query:differences"),
                    (*_PLACE, "subjects", "column", "by", "filter", "tau", "kappa")),
    "levels": (_later("levels_query:levels"),
               (*_PLACE, "level", "subject", "label", "problem", "also", "filter", "tau", "kappa",
                "sort", "columns")),
    "dimensions": (_later("levels_query:dimensions"), (*_PLACE, "filter")),
    "mean_curves": (_later("levels_query:mean_curves"),
                    (*_PLACE, "labels", "name", "problem", "filter")),
    "claims": (_claims, _PLACE),
    "transfer": (_later("transfer_query:transfer"),
                 ("testbed_sweep", "real_sweep", "scale", "run", "config")),
    "tuning": (_later("tuning_query:tuning"),
               ("sweep", "scale", "settings", "scenario_version", "agents", "every")),
    "contexts": (_contexts, ("scenario", "run")),
    "runs": (_runs, ("run",)),
    "run": (_runs, ("run",)),
    "cells": (cells, ("scenario", "sweep", "run", "filter", "sort", "limit")),
    "states": (_states, ("run",)),
    "row": (row, ("scenario", "label", "sweep", "scale", "setting", "settings", "scenario_version",
                  "problem", "limit", "offset")),
    "cell": (cell, ("cell",)),
    "results": (results, ("cell",)),
    "curves": (curves, ("cell", "run", "name")),
    "checks": (_later("checks_query:checks"), ("cell", "split", "severities")),
    "failures": (_failures, ("run",)),
    "seconds": (_seconds, ("scenario",)),
}  # fmt: skip

_RUNS = f"""
SELECT r.run_id, r.command, r.state, r.reason, {TIME.format("r.created_at")} AS created,
  {TIME.format("r.updated_at")} AS updated, count(c.cell_id) AS total,
  count(*) FILTER (c.status = 'done') AS done, count(*) FILTER (c.status = 'failed') AS failed,
  count(*) FILTER (c.status = 'pending') AS pending, r.code_version,
  CAST(r.selection AS VARCHAR) AS selection,
  coalesce(any_value(TRY_CAST(m.value AS INTEGER)), 0) AS priority
FROM runs r LEFT JOIN meta m ON m.name = '{PRIORITY}' || r.run_id
  LEFT JOIN run_cells x ON x.run_id = r.run_id LEFT JOIN cells c ON c.cell_id = x.cell_id
WHERE $run IS NULL OR r.run_id = $run
GROUP BY ALL ORDER BY max(r.created_at) DESC, r.run_id
"""

_SECONDS = """
SELECT scenario, subject, label, device, width, count(*) AS cells,
  avg(compile_seconds) AS compile_seconds, avg(train_seconds) AS train_seconds,
  avg(evaluate_seconds) AS evaluate_seconds
FROM cells WHERE status = 'done' AND ($scenario IS NULL OR scenario = $scenario)
GROUP BY ALL ORDER BY scenario, subject, label, device, width
"""
