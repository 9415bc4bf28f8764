"""Tuned configs as rows of a board: one row for an agent, whatever its configs by place."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from augury.engine.canonical import JSON
from augury.engine.errors import UsageError
from augury.engine.store.board import place_sql
from augury.engine.store.tuning_query import tuned

if TYPE_CHECKING:
    import duckdb

    from augury.engine.store.board import Context

# (label of a stored cell, the place it is wanted for or None, label of its row)
Relabelled: TypeAlias = tuple[str, int | str | None, str]
BY_PLACE = {"input_dim": "best by D", "setting": "best by setting"}


def can_be_tuned(context: Context) -> bool:
    """Whether other environments may have chosen configs for these."""
    from augury.engine.catalog.sweeps import TUNING

    return context.sweep in TUNING


def relabelled(
    cursor: duckdb.DuckDBPyConnection, context: Context, labels: Iterable[str]
) -> tuple[tuple[Relabelled, ...], dict[str, JSON]]:
    """The tuned configs, and as they are the defaults of agents that have nothing to tune.

    Beside them what a reader must know: `unfinished` grids, as the tuning query tells of them, and
    `unevaluated`, the agents with no cell of their tuned config at a dimension that the board has.

    Raises `UsageError` where no config is tuned, or the environments are those that choose.
    """
    from augury.engine.catalog.grids import is_tuned
    from augury.engine.catalog.sweeps import SWEEPS
    from augury.engine.catalog.tuning import COLUMNS, command
    from augury.engine.plan import label

    found, unfinished = tuned(cursor, context.sweep, context)
    if not found:
        words = command(context.sweep, context.scale, json.loads(context.settings))
        raise UsageError(
            f"no config of {context.sweep} is tuned in this store: first augury {shlex.join(words)}"
        )
    by_agent: dict[str, dict[int | str, str]] = {}
    for agent, place, config in found:
        by_agent.setdefault(agent, {})[place] = label(agent, json.loads(config))
    many = BY_PLACE[COLUMNS[SWEEPS[context.sweep].scenario]]
    lines: list[Relabelled] = []
    for agent, chosen in by_agent.items():
        same = len(set(chosen.values())) == 1
        for place, text in chosen.items():
            lines.append((text, place, text if same else f"{agent}[{many}]"))
    plain = (name for name in labels if "[" not in name and not is_tuned(context.sweep, name))
    held = _held(cursor, context)
    places = {place for _, place in held}
    lacking = {
        agent
        for agent, chosen in by_agent.items()
        for place, text in chosen.items()
        if place in places and (text, place) not in held
    }
    told: dict[str, JSON] = {"unfinished": unfinished, "unevaluated": sorted(lacking)}
    return (*lines, *((name, None, name) for name in plain)), told


def _held(cursor: duckdb.DuckDBPyConnection, context: Context) -> set[tuple[str, int | str]]:
    """Labels of a context's cells, and the places that configs are chosen for."""
    from augury.engine.catalog.sweeps import SWEEPS

    scenario = SWEEPS[context.sweep].scenario
    rows = cursor.execute(
        f"SELECT DISTINCT label, {place_sql(scenario, 'cells')} FROM cells "
        "JOIN run_cells USING (cell_id) WHERE scenario = ? AND context = ? "
        "AND scenario_version = ? AND sweep = ? AND scale = ?",
        [scenario, context.settings, context.scenario_version, context.sweep, context.scale],
    ).fetchall()
    return {(label, place) for label, place in rows}


def shown(lines: Sequence[Relabelled], name: str) -> str:
    """The row of an agent: its label if it has one, else the label of its tuned configs."""
    names = [line[2] for line in lines]
    if name in names:
        return name
    return next((row for row in names if row.partition("[")[0] == name), name)
