"""Contexts: what one board may put side by side, and which of the stored ones is meant."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON, canonical
from augury.engine.catalog.names import FILES, TABLES
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
  count(DISTINCT c.cell_id) FILTER (c.status = 'done' AND r.state <> 'cancelled') AS kept,
  count(DISTINCT c.cell_id) FILTER (c.status = 'done' AND r.state = 'finished') AS whole,
  arg_max(r.state, (r.created_at, r.run_id)) AS newest_state,
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
SELECT x.run_id, x.sweep, x.scale, c.context, c.scenario_version, bool_or(c.status = 'done')
FROM run_cells x JOIN cells c ON c.cell_id = x.cell_id
WHERE c.scenario = $scenario AND ($run IS NULL OR x.run_id = $run)
GROUP BY ALL
"""


@dataclass(frozen=True, slots=True)
class Held:
    """A context: has it results, of runs not cancelled, of finished ones; its newest run."""

    context: Context
    done: bool
    kept: bool
    whole: bool
    newest_state: str

    @property
    def lacks(self) -> str:
        """What its newest run left undone, in a word; "" where it was carried out."""
        return lacks(self.newest_state, self.done, self.kept)

    @property
    def place(self) -> tuple[int, int]:
        """The least is shown where none is named; of equals the newest."""
        return last(self.context.sweep), preference(self.done, self.kept, self.whole)


def preference(done: object, kept: object, whole: object) -> int:
    """Results of a finished run come first, then of one at work, of a cancelled one, then none."""
    return 0 if whole else 1 if kept else 2 if done else 3


def lacks(newest_state: str, done: object, kept: object) -> str:
    """`cancelled`, `empty`, `unfinished`, or ""."""
    if newest_state == "cancelled" and not kept:
        return "cancelled"
    if not done:
        return "empty"
    return "unfinished" if newest_state in ("running", "paused") else ""


def choose(
    cursor: duckdb.DuckDBPyConnection, scenario: str, run: str | None, params: Mapping[str, Any]
) -> tuple[list[Held], Context | None]:
    """All contexts of a scenario, newest first, and the one that is shown of those that fit.

    It is the newest with results of a finished run, so that one which was begun, or begun and
    cancelled, hides nothing.
    Environments that choose configs are no result: their context comes last unless named.
    """
    every = held(cursor, scenario, run)
    if params.get("sweep"):
        _check_sweep(scenario, str(params["sweep"]), {h.context.sweep for h in every})
    return every, next((c for c in preferred(every) if fits(c, params)), None)


def preferred(every: Iterable[Held]) -> list[Context]:
    """The contexts in the order in which they are shown where none is named."""
    return [one.context for one in sorted(every, key=lambda one: one.place)]


def held(cursor: duckdb.DuckDBPyConnection, scenario: str, run: str | None) -> list[Held]:
    """All contexts of a scenario, the newest first and those of tuning last."""
    every = _newest_first(cursor, scenario, run)
    return sorted(every, key=lambda one: is_tuning(one.context.sweep))


def _newest_first(cursor: duckdb.DuckDBPyConnection, scenario: str, run: str | None) -> list[Held]:
    """In the order of `CONTEXTS`."""
    found = cursor.execute(_HELD, {"scenario": scenario, "run": run}).fetchall()
    rows = cursor.execute("SELECT run_id, epoch_us(created_at), state FROM runs").fetchall()
    made = {run_id: (created, state) for run_id, created, state in rows}
    newest: dict[Context, tuple[int, str]] = {}
    done, kept, whole = set[Context](), set[Context](), set[Context]()
    for run_id, *fields, some in found:
        context = Context(*fields)
        created, state = made[run_id]
        newest[context] = max(newest.get(context, (0, "")), (created, run_id))
        if some:
            done.add(context)
        if some and state != "cancelled":
            kept.add(context)
        if some and state == "finished":
            whole.add(context)

    def place(context: Context) -> tuple[int, str, str, str, str, int]:
        created, run_id = newest[context]
        return (-created, run_id, context.sweep, context.scale, context.settings,
                -context.scenario_version)  # fmt: skip

    return [
        Held(
            context,
            context in done,
            context in kept,
            context in whole,
            made[newest[context][1]][1],
        )  # fmt: skip
        for context in sorted(newest, key=place)
    ]


def scored(
    cursor: duckdb.DuckDBPyConnection,
    scenario: str,
    every: Iterable[Held],
    chosen: Context | None,
    params: Mapping[str, Any],
    column: Column,
) -> Context | None:
    """The first context that fits `params` and has a number of the column; else the chosen."""
    for context in preferred(every):
        if fits(context, params) and is_tuning(context.sweep) <= bool(params.get("sweep")):
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


def newest_lacks(every: Iterable[Held], params: Mapping[str, Any]) -> str:
    """What the newest context that fits `params` lacks, as `Held.lacks` says it."""
    return next((one.lacks for one in every if fits(one.context, params)), "")


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


def fits(context: Context, params: Mapping[str, Any]) -> bool:
    """Whether a context is one of those that `params` leave open.

    `published`: of problems that others have too, no person's files or tables.
    """
    settings = params.get("settings")
    if settings is not None and not isinstance(settings, str):
        settings = canonical(settings)
    if params.get("published") and context.sweep in (FILES, TABLES):
        return False
    return (
        params.get("sweep") in (None, "", context.sweep)
        and params.get("scale") in (None, "", context.scale)
        and settings in (None, context.settings)
        and params.get("scenario_version") in (None, context.scenario_version)
    )


def is_tuning(sweep: str) -> bool:
    """Whether a sweep's environments choose configs."""
    return sweep.endswith("-tuning")


def last(sweep: str) -> int:
    """Where boards of a sweep stand: the catalog's first, then a person's tables, then tuning."""
    return 2 if is_tuning(sweep) else int(sweep == TABLES)


def _check_sweep(scenario: str, sweep: str, stored: set[str]) -> None:
    from augury.engine.catalog.sweeps import SWEEPS  # a board without a name needs no catalog

    sweeps = stored | {n for n, s in SWEEPS.items() if s.scenario == scenario}
    if sweep not in sweeps:
        raise unknown(f"sweep of {scenario}", sweep, sweeps)
