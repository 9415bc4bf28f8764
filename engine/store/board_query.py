"""The board query: choose the context, check the baseline, compile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON
from augury.engine.catalog.names import TABLES
from augury.engine.errors import UsageError, unknown
from augury.engine.store import best, board_columns, board_points, board_units, boards
from augury.engine.store.board_intervals import intervals
from augury.engine.store.board_sql import rows
from augury.engine.store.contexts import (
    choose,
    context_json,
    newest_lacks,
    preferred,
    scored,
)
from augury.engine.store.resolve import resolve_run
from augury.engine.store.table import Query

if TYPE_CHECKING:
    import duckdb


@dataclass(frozen=True, slots=True)
class Asked:
    """What a person's words about a board mean in this store."""

    board: boards.Board
    request: boards.Request
    contexts: tuple[boards.Context, ...]
    labels: tuple[str, ...]  # of the rows, whatever a filter leaves of them
    meta: Mapping[str, JSON]


def board(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """A board's statement for the newest context that fits `params`."""
    it = asked(cursor, params)
    found = intervals(cursor, it.board, it.request) if it.request.context else None
    # With intervals out of the tables that were made for them.
    sql, bound = (rows if found else boards.compile)(it.board, it.request, found)
    return Query(sql, bound, it.meta)


def asked(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Asked:
    """The board and request that `params` stand for. Raises `UsageError`."""
    if "scenario" not in params:
        raise UsageError("this query needs the parameter 'scenario'.")
    definition = boards.load(str(params["scenario"]))
    axes = [word for word in _words(params.get("by")) if word in board_points.AXES]
    taus, kappas = _whole(params.get("tau")), _whole(params.get("kappa"))
    run = resolve_run(cursor, str(params["run"])) if params.get("run") else None
    held, chosen = choose(cursor, definition.name, run, params)
    if axes:
        definition = board_points.along(definition, axes, taus, kappas)
    else:
        if taus or kappas:
            definition = board_points.at_points(definition, taus, kappas)
            ranked = definition.ranked
            chosen = scored(cursor, definition.name, held, chosen, params, ranked)
        elif chosen is not None:
            definition = board_points.of_settings(definition, chosen.settings)
    if chosen is not None and chosen.sweep == TABLES:  # tables have nothing to do with each other
        definition = replace(definition, by=(*definition.by, ("setting", "setting")))
    config = str(params.get("config") or "all")
    if config not in ("default", "best", "all"):
        raise unknown("config", config, ("default", "best", "all"))
    if config == "best" and not params.get("sweep"):
        chosen = next((c for c in preferred(held) if best.can_be_tuned(c)), chosen)
    labels = _labels(cursor, definition.name, chosen)
    tuned: tuple[best.Relabelled, ...] = ()
    told: Mapping[str, JSON] = {}
    if config == "best" and chosen is not None:
        tuned, told = best.relabelled(cursor, chosen, labels)
        labels = list(dict.fromkeys(name for _, _, name in tuned))
    elif config == "default":
        labels = [label for label in labels if "[" not in label]
    usual = definition.baseline_of(chosen.sweep if chosen else "")
    baseline = best.shown(tuned, str(params.get("baseline") or usual))
    if params.get("baseline") and labels and baseline not in labels:
        raise unknown("baseline", str(params["baseline"]), labels)
    definition = board_units.in_units(definition, str(params.get("units") or ""), baseline)
    request = boards.Request(
        context=chosen,
        run=run,
        sort=params.get("sort") or (),
        filter=str(params.get("filter") or ""),
        columns=_words(params.get("columns")),
        baseline=baseline,
        common=bool(params.get("common")),
        by=_words(params.get("by")),
        group=str(params.get("group") or ""),
        rows=[str(row) for row in params.get("rows") or ()],
        intervals=params.get("intervals") is not False,
        defaults=config == "default",
        tuned=tuned,
    )
    meta: dict[str, JSON] = {
        "scenario": definition.name,
        "title": definition.title,
        "baseline": baseline,
        "baseline_missing": bool(baseline and labels and baseline not in labels),
        "common": request.common,
        "chosen": bool(request.columns),
        "context": context_json(chosen),
        "contexts": [context_json(one.context) for one in held],
        "newest_lacks": newest_lacks(held, params),
        "kinds": board_columns.kinds(definition, request),
        "problem_kinds": {n: column.kind for n, column in board_columns.PROBLEM.items()},
        "tuning": dict(told),
        **boards.describe(definition, request.by),
    }
    return Asked(definition, request, tuple(one.context for one in held), tuple(labels), meta)


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


def _whole(value: Any) -> tuple[int, ...]:
    """Taus or kappas; "iid" is kappa 0. Raises `UsageError`."""
    found = []
    for word in value if isinstance(value, (list, tuple)) else [value]:
        if word in (None, ""):
            continue
        text = "0" if word == "iid" else str(word)
        if not text.isdecimal():
            raise UsageError(f"tau and kappa are whole numbers, kappa may be iid; got {word!r}.")
        found.append(int(text))
    return tuple(dict.fromkeys(found))


def _words(value: Any) -> tuple[str, ...]:
    if not value:
        return ()
    words = value.split(",") if isinstance(value, str) else value
    return tuple(str(word).strip() for word in words if str(word).strip())
