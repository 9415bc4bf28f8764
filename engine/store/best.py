"""Tuned configs as rows of a board: one row for an agent, whatever its configs by dimension."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, TypeAlias

from augury.engine.canonical import JSON
from augury.engine.errors import UsageError
from augury.engine.store.tuning_query import tuned

if TYPE_CHECKING:
    import duckdb

    from augury.engine.store.board import Context

# (label of a stored cell, the input dimension it is wanted for or None, label of its row)
Relabelled: TypeAlias = tuple[str, int | None, str]
BY_DIMENSION = "best by D"


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
    from augury.engine.catalog.tuning import command
    from augury.engine.plan import label

    found, unfinished = tuned(cursor, context.sweep, context)
    if not found:
        words = command(context.sweep, context.scale, json.loads(context.settings))
        raise UsageError(
            f"no config of {context.sweep} is tuned in this store: first augury {shlex.join(words)}"
        )
    by_agent: dict[str, dict[int, str]] = {}
    for agent, dim, config in found:
        by_agent.setdefault(agent, {})[dim] = label(agent, json.loads(config))
    lines: list[Relabelled] = []
    for agent, chosen in by_agent.items():
        same = len(set(chosen.values())) == 1
        for dim, text in chosen.items():
            lines.append((text, dim, text if same else f"{agent}[{BY_DIMENSION}]"))
    plain = (name for name in labels if "[" not in name and not is_tuned(context.sweep, name))
    held = _held(cursor, context)
    dims = {dim for _, dim in held}
    lacking = {
        agent
        for agent, chosen in by_agent.items()
        for dim, text in chosen.items()
        if dim in dims and (text, dim) not in held
    }
    told: dict[str, JSON] = {"unfinished": unfinished, "unevaluated": sorted(lacking)}
    return (*lines, *((name, None, name) for name in plain)), told


def _held(cursor: duckdb.DuckDBPyConnection, context: Context) -> set[tuple[str, int]]:
    """Labels and input dimensions of a context's cells."""
    rows = cursor.execute(
        "SELECT DISTINCT label, CAST(problem_columns ->> 'input_dim' AS INTEGER) FROM cells "
        "JOIN run_cells USING (cell_id) WHERE scenario = 'testbed' AND context = ? "
        "AND scenario_version = ? AND sweep = ? AND scale = ?",
        [context.settings, context.scenario_version, context.sweep, context.scale],
    ).fetchall()
    return {(label, dim) for label, dim in rows}


def shown(lines: Sequence[Relabelled], name: str) -> str:
    """The row of an agent: its label if it has one, else the label of its tuned configs."""
    names = [line[2] for line in lines]
    if name in names:
        return name
    return next((row for row in names if row.partition("[")[0] == name), name)
