"""Short names to what they stand for: runs and cells by the start of their ids."""

from __future__ import annotations

from typing import TYPE_CHECKING

from augury.engine.errors import UsageError

if TYPE_CHECKING:
    import duckdb

TIME = "strftime({}, '%Y-%m-%dT%H:%M:%SZ')"  # all times are UTC


def resolve_run(cursor: duckdb.DuckDBPyConnection, prefix: str) -> str:
    """The one run whose id starts with `prefix`. Raises `UsageError` for none or several."""
    found = cursor.execute(
        "SELECT run_id FROM runs WHERE starts_with(run_id, ?) ORDER BY created_at DESC, run_id",
        [prefix],
    ).fetchall()
    ids = [row[0] for row in found]
    if prefix in ids:
        return prefix
    if len(ids) == 1:
        return ids[0]
    if not ids:
        known = cursor.execute(
            "SELECT run_id FROM runs ORDER BY created_at DESC, run_id LIMIT 5"
        ).fetchall()
        newest = ", ".join(row[0] for row in known) or "none yet"
        raise UsageError(f"no run starts with {prefix!r}. Newest runs: {newest}.")
    raise UsageError(f"{prefix!r} is the start of several runs: {', '.join(ids[:5])}.")
