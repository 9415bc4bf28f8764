"""From an agent down to its seeds: the board's numbers at each level, with the board's errors.

A level is a way to break a board's rows out: all configs of an agent together, one config, one
config on each problem, on each problem's seeds. Means, standard errors and ranks are those of the
board's own statement, so a level says of a row just what a board of those rows would.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from augury.engine.errors import UsageError, unknown
from augury.engine.store import boards
from augury.engine.store.board import PROBLEM_SQL
from augury.engine.store.board_query import Asked, asked
from augury.engine.store.board_sql import curve_means
from augury.engine.store.listed import Kind, listed
from augury.engine.store.table import Query

if TYPE_CHECKING:
    import duckdb

LEVELS = ("agent", "config", "problem", "seed")
_BY: Mapping[str, tuple[str, ...]] = {
    "agent": (), "config": (), "problem": ("problem",), "seed": ("seed",),
}  # fmt: skip
_OWN = ("level", "subject", "label", "problem", "also")
_DIMENSIONS: Mapping[str, Kind] = {"dimension": "VARCHAR", "values": "BIGINT"}


def levels(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """The rows of one level under what is given: `subject`, then `label`, then `problem`.

    `also` keeps rows of a board that has several for one label (a setting, a mode).
    """
    level = str(params.get("level") or _next(params))
    if level not in LEVELS:
        raise unknown("level", level, LEVELS)
    if level == "seed" and not params.get("problem"):
        raise UsageError("level seed is of one problem: name it.")
    it = _asked(cursor, params, by=_BY[level])
    only: dict[str, tuple[str, ...]] = {
        name: (str(value),) for name, value in (params.get("also") or {}).items()
    }
    if level == "config" and params.get("subject"):
        only[it.board.subject] = _labels(cursor, it, str(params["subject"])) or ("",)
    elif level in ("problem", "seed") and params.get("label"):
        only[it.board.subject] = (str(params["label"]),)
    order = level if level in ("problem", "seed") else ""  # else as the board: by rank
    request = replace(
        it.request, sort=params.get("sort") or order, only=only, grouped=level == "agent"
    )
    sql, bound = boards.compile(it.board, request)
    return Query(sql, bound, {**it.meta, "level": level})


def dimensions(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """Columns of problems that tell those of a board apart, and how many values each has."""
    it = _asked(cursor, params)
    context, rows = it.request.context, []
    if context is not None:
        counts = ", ".join(f"count(DISTINCT {sql})" for sql in PROBLEM_SQL.values())
        found = cursor.execute(
            f"SELECT {counts} FROM cells WHERE scenario = $scenario AND context = $settings "
            "AND scenario_version = $version AND cell_id IN "
            "(SELECT cell_id FROM run_cells WHERE sweep = $sweep AND scale = $scale)",
            {"scenario": it.board.name, "settings": context.settings, "sweep": context.sweep,
             "version": context.scenario_version, "scale": context.scale},
        ).fetchone()  # fmt: skip
        pairs = zip(PROBLEM_SQL, found or (), strict=False)
        rows = [{"dimension": name, "values": count} for name, count in pairs if count > 1]
    return listed(_DIMENSIONS, rows, {"context": it.meta["context"]})


def mean_curves(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """A curve of each label by step: mean and standard error over its cells, and their number."""
    labels = [str(label) for label in params.get("labels") or ()]
    name, problem = str(params.get("name") or "loss"), params.get("problem")
    it = _asked(cursor, {k: v for k, v in params.items() if k not in ("labels", "name")})
    for label in labels:
        if it.labels and label not in it.labels:
            raise unknown(f"{it.board.subject} in this store", label, it.labels)
    sql, bound = curve_means(it.board, it.request)
    bound |= {"labels": labels or list(it.labels) or [""], "curve": name}
    return Query(sql, bound, {**it.meta, "curve": name, "problem": problem})


def _asked(
    cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any], by: tuple[str, ...] = ()
) -> Asked:
    """The board asked for, of one problem if it is named."""
    given = {name: value for name, value in params.items() if name not in _OWN}
    terms = [str(params.get("filter") or "")]
    terms += [f'problem="{params["problem"]}"'] if params.get("problem") else []
    given |= {"filter": " ".join(filter(None, terms)), "by": list(by), "intervals": False}
    return asked(cursor, given)


def _next(params: Mapping[str, Any]) -> str:
    if params.get("problem"):
        return "seed"
    if params.get("label"):
        return "problem"
    return "config" if params.get("subject") else "agent"


def _labels(cursor: duckdb.DuckDBPyConnection, it: Asked, subject: str) -> tuple[str, ...]:
    """The board's rows of one subject."""
    found = cursor.execute(
        "SELECT DISTINCT label FROM cells WHERE scenario = ? AND subject = ?",
        [it.board.name, subject],
    ).fetchall()
    stored = {row[0] for row in found}
    tuned = {shown for label, _, shown in it.request.tuned if label in stored}
    return tuple(sorted(label for label in it.labels if label in stored | tuned))
