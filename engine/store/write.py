"""Every change of the store: one function, one transaction."""

from __future__ import annotations

import json
import math
import struct
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from augury.engine.catalog.entry import as_json, override
from augury.engine.catalog.problems import parse
from augury.engine.catalog.scenarios import SCENARIOS, default_settings
from augury.engine.errors import AuguryError, StoreError
from augury.engine.plan import PlannedCell, label
from augury.engine.store.connection import store_error
from augury.engine.store.records import (
    PRIORITY,
    RUN_STATES,
    FailedCell,
    FinishedCell,
    Provenance,
    RunRecord,
    RunState,
)
from augury.engine.types import Cell, MetricRow, canonical

if TYPE_CHECKING:
    import duckdb

_CELL = (
    "cell_id", "spec", "scenario", "scenario_version", "problem", "setting", "environment",
    "problem_columns", "subject", "subject_version", "label", "config", "settings", "context",
    "seed", "precision", "source", "status", "attempts",
)  # fmt: skip
_OUTCOME = (
    "cell_id", "status", "attempts", "device", "width", "compile_seconds", "train_seconds",
    "evaluate_seconds", "code_version", "jax_version", "worker", "finished_at", "error_kind",
    "error_message", "error_traceback",
)  # fmt: skip


@contextmanager
def transaction(con: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """All or nothing. An error of DuckDB's (a full disk, say) becomes a `StoreError`."""
    from augury.engine.store import driver

    try:
        con.execute("BEGIN")
        yield
        con.execute("COMMIT")
    except BaseException as error:
        try:
            con.execute("ROLLBACK")
        except driver.Error:
            pass  # the failed statement ended it already
        if isinstance(error, driver.Error):
            raise store_error(error) from error
        raise


def add_run(con: duckdb.DuckDBPyConnection, run: RunRecord, planned: Sequence[PlannedCell]) -> None:
    """Record a run and its cells; cells that are stored already stay as they are.

    But those that are not done are sought where their files lie now: they may have been moved.
    """
    rows = {p.cell.cell_id: _cell_row(p.cell) for p in planned}
    ids = list(rows)
    links = {p.cell.cell_id: (p.sweep, p.scale) for p in planned}
    with transaction(con):
        created = _utc(run.created_at)
        con.execute(
            "INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [run.run_id, run.command, canonical(dict(run.selection)), run.state, run.reason,
             run.code_version, created, created],
        )  # fmt: skip
        known = _present(con, ids)
        _append(con, "cells", _CELL, (row for key, row in rows.items() if key not in known))
        moved = (
            p.cell for p in planned
            if p.cell.resources and known.get(p.cell.cell_id, ("done", 0))[0] != "done"
        )  # fmt: skip
        specs = {cell.cell_id: canonical(cell.to_json()) for cell in moved}
        _append(con, "cells", ("cell_id", "spec"), specs.items(), key="cell_id")
        _append(
            con, "run_cells", ("run_id", "cell_id", "sweep", "scale", "position"),
            ((run.run_id, key, *links[key], place) for place, key in enumerate(ids)),
        )  # fmt: skip


def commit_batch(
    con: duckdb.DuckDBPyConnection,
    finished: Sequence[FinishedCell],
    failed: Sequence[FailedCell],
    provenance: Provenance,
) -> list[str]:
    """Record outcomes; return the ids whose state is new.

    A second outcome of a cell that is done changes nothing; `attempts` still records it.
    """
    now = datetime.now(UTC).replace(tzinfo=None)
    who = (provenance.device, provenance.code_version, provenance.jax_version, provenance.worker)
    done = {f.cell.cell_id: f for f in finished}
    lost = {f.cell.cell_id: f for f in failed if f.cell.cell_id not in done}
    cells = {key: item.cell for key, item in (*done.items(), *lost.items())}
    for key, item in done.items():
        if item.result.cell_id != key:
            raise StoreError(f"a result names cell {item.result.cell_id}, expected {key}.")
    with transaction(con):
        before = _present(con, list(cells))
        new = [key for key in cells if before.get(key, ("", 0))[0] != "done"]
        _append(con, "cells", _CELL, (_cell_row(cells[k]) for k in cells if k not in before))
        outcomes: list[tuple[Any, ...]] = []
        for key in new:
            tries = before.get(key, ("", 0))[1] + 1
            if key in done:
                result = done[key].result
                spent = result.seconds
                outcomes.append(
                    (key, "done", tries, who[0], result.width, spent.compile, spent.train,
                     spent.evaluate, *who[1:], now, None, None, None)
                )  # fmt: skip
            else:
                bad = lost[key]
                outcomes.append(
                    (key, "failed", tries, who[0], None, None, None, None, *who[1:], now,
                     bad.kind, bad.message, bad.traceback)
                )  # fmt: skip
        _append(con, "cells", _OUTCOME, outcomes, key="cell_id")
        fresh = [done[key].result for key in new if key in done]
        _append(con, "results", None, (row for r in fresh for row in _results(r.cell_id, r.rows)))
        _append(con, "row_sums", None, (row for r in fresh for row in _sums(r.cell_id, r.rows)))
        tried = [key for key in new if before.get(key, ("", 0))[1] > 0]
        if tried:  # what an attempt that failed had told
            con.execute("DELETE FROM curves WHERE cell_id IN (SELECT unnest($ids))", {"ids": tried})
        told = {key: {"loss": lost[key].loss} for key in new if key in lost}
        told |= {r.cell_id: r.curves for r in fresh}
        _append(
            con, "curves", None,
            ((key, name, int(step), _finite(value))
             for key, curves in told.items() for name, points in curves.items()
             for step, value in points),
        )  # fmt: skip
        _append(
            con, "attempts", None,
            ((key, "done" if key in done else "failed", lost[key].kind if key in lost else "",
              lost[key].message if key in lost else "", provenance.worker, provenance.device,
              provenance.code_version, now) for key in cells),
        )  # fmt: skip
    return new


def set_run_state(
    con: duckdb.DuckDBPyConnection, run_id: str, state: RunState, reason: str = ""
) -> None:
    """Set a run's state, with the reason where it is paused."""
    if state not in RUN_STATES:
        raise StoreError(f"unknown run state {state!r}. Known: {', '.join(RUN_STATES)}.")
    with transaction(con):
        con.execute(
            "UPDATE runs SET state = ?, reason = ?, updated_at = ? WHERE run_id = ?",
            [state, reason, datetime.now(UTC).replace(tzinfo=None), run_id],
        )


def set_priority(con: duckdb.DuckDBPyConnection, run_id: str, priority: int) -> None:
    """Keep a run's priority; every run begins with 0."""
    with transaction(con):
        con.execute(
            "INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            [PRIORITY + run_id, str(priority)],
        )


def reset_failed(con: duckdb.DuckDBPyConnection, run_id: str | None = None) -> int:
    """Make failed cells (of one run, or all) pending again; return how many."""
    with transaction(con):
        ids = con.execute(
            "SELECT cell_id FROM cells WHERE status = 'failed' AND ($run IS NULL OR cell_id IN "
            "(SELECT cell_id FROM run_cells WHERE run_id = $run))",
            {"run": run_id},
        ).fetchall()
        con.execute(
            "UPDATE cells SET status = 'pending' WHERE cell_id IN (SELECT unnest($ids))",
            {"ids": [row[0] for row in ids]},
        )
    return len(ids)


def remember_width(con: duckdb.DuckDBPyConnection, key: str, device: str, width: int) -> None:
    """Keep how many cells one program takes on a kind of device."""
    with transaction(con):
        con.execute(
            "INSERT INTO widths VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET width = excluded.width",
            [key, device, width],
        )


def widths(con: duckdb.DuckDBPyConnection, device: str) -> dict[str, int]:
    """Batch key -> width, on one kind of device."""
    query = "SELECT batch_key, width FROM widths WHERE device = ? ORDER BY batch_key"
    return dict(con.cursor().execute(query, [device]).fetchall())


def pending(con: duckdb.DuckDBPyConnection, run_id: str) -> list[tuple[Cell, str, str]]:
    """The run's cells that are neither done nor failed, with sweep and scale, in order."""
    query = (
        "SELECT spec, sweep, scale FROM run_cells JOIN cells USING (cell_id) "
        "WHERE run_id = ? AND status = 'pending' ORDER BY position"
    )
    rows = con.cursor().execute(query, [run_id]).fetchall()
    return [(Cell.from_json(json.loads(spec)), sweep, scale) for spec, sweep, scale in rows]


def open_problems(con: duckdb.DuckDBPyConnection, run_ids: Sequence[str]) -> list[str]:
    """The problems of the cells of these runs that are not done."""
    query = (
        "SELECT DISTINCT problem FROM run_cells JOIN cells USING (cell_id) "
        "WHERE run_id IN (SELECT unnest($ids)) AND status <> 'done' ORDER BY problem"
    )
    return [row[0] for row in con.cursor().execute(query, {"ids": list(run_ids)}).fetchall()]


def states(con: duckdb.DuckDBPyConnection, ids: Iterable[str]) -> dict[str, str]:
    """Those of `ids` that the store knows: pending, done or failed."""
    return {key: status for key, (status, _) in _present(con.cursor(), list(ids)).items()}


def elsewhere(con: duckdb.DuckDBPyConnection, planned: Sequence[PlannedCell]) -> int:
    """How many of these the store knows under other sweeps or scales only: their board lacks them.

    A cell is the same in every sweep that has it, so it may be done and yet in no run of this one.
    """
    lists = {
        "ids": [p.cell.cell_id for p in planned],
        "sweeps": [p.sweep for p in planned],
        "scales": [p.scale for p in planned],
    }
    (number,) = (
        con.cursor()
        .execute(
            "SELECT count(*) FROM (SELECT unnest($ids) AS cell_id, unnest($sweeps) AS sweep, "
            "unnest($scales) AS scale) ANTI JOIN run_cells USING (cell_id, sweep, scale)",
            lists,
        )
        .fetchall()[0]
    )
    return number


def _present(con: duckdb.DuckDBPyConnection, ids: list[str]) -> dict[str, tuple[str, int]]:
    rows = con.execute(
        "SELECT cell_id, status, attempts FROM cells WHERE cell_id IN (SELECT unnest($ids))",
        {"ids": ids},
    ).fetchall()
    return {key: (status, tries) for key, status, tries in rows}


def _append(
    con: duckdb.DuckDBPyConnection,
    table: str,
    columns: Sequence[str] | None,
    rows: Iterable[Sequence[Any]],
    key: str | None = None,
) -> None:
    """Insert rows, or update those with the same key; executemany is fifteen times slower."""
    rows = list(rows)
    if not rows:
        return
    named = list(columns) if columns else None
    if key:
        appender = con.appender(table, columns=named, action="update", key=[key])
    else:
        appender = con.appender(table, columns=named)
    appender.append_rows(rows)
    appender.flush()


def _cell_row(cell: Cell) -> tuple[Any, ...]:
    problem = parse(cell.problem)
    config, settings = _full(cell)
    name = label(cell.subject, cell.config)
    if cell.precision != "float32":
        name += f"@{cell.precision}"
    if cell.source:
        name += f"@{cell.source[:8]}"
    return (
        cell.cell_id, canonical(cell.to_json()), cell.scenario, cell.scenario_version,
        cell.problem, problem.setting, problem.unit, canonical(dict(problem.columns())),
        cell.subject, cell.subject_version, name, canonical(config), canonical(settings),
        canonical(dict(cell.settings)), cell.seed, cell.precision, cell.source, "pending", 0,
    )  # fmt: skip


def _full(cell: Cell) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """Every field of config and settings; what the catalog lacks stays as the cell says it."""
    config, settings = dict(cell.config), dict(cell.settings)
    scenario = SCENARIOS.get(cell.scenario)
    try:
        if scenario and cell.subject in scenario.subjects:
            default = scenario.subjects[cell.subject].config
            config = as_json(override(default, cell.config, cell.subject))
        if scenario:
            default = default_settings(cell.scenario)
            settings = as_json(override(default, cell.settings, cell.scenario))
    except AuguryError:
        pass  # a cell of another version of the catalog
    return config, settings


def _results(cell_id: str, rows: Iterable[MetricRow]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        value, reason = _finite(row.value), row.reason
        if value is None and not reason:
            reason = "no value" if row.value is None else f"the value was {row.value}"
        yield (cell_id, row.metric, row.tau, row.kappa, row.split, value, _finite(row.stderr),
               row.num_samples, reason)  # fmt: skip


def _sums(cell_id: str, rows: Iterable[MetricRow]) -> Iterator[tuple[Any, ...]]:
    for row in rows:
        if row.sums:
            groups = struct.pack(f"<{len(row.sums.groups)}f", *row.sums.groups)
            yield (cell_id, row.metric, row.tau, row.kappa, row.split, row.sums.own, groups)


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)


def _utc(time: datetime) -> datetime:
    return time.astimezone(UTC).replace(tzinfo=None) if time.tzinfo else time
