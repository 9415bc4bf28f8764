"""What the engine reads when it starts, so that it plans as well as the last one did."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from augury.engine.types import Cell

if TYPE_CHECKING:
    import duckdb

MOST_KINDS = 2_000


def all_widths(con: duckdb.DuckDBPyConnection) -> dict[str, dict[str, int]]:
    """Batch key -> device kind -> cells in one program."""
    found: dict[str, dict[str, int]] = {}
    rows = con.execute("SELECT batch_key, device, width FROM widths ORDER BY ALL").fetchall()
    for key, device, width in rows:
        found.setdefault(key, {})[device] = width
    return found


def observed_seconds(
    con: duckdb.DuckDBPyConnection,
) -> list[tuple[Cell, str, tuple[float, float, int]]]:
    """(one such cell, device, (mean seconds of work, of compilation, number)) of each kind.

    Cells of a kind differ in problem environment and seed only; the newest kinds, newest last.
    """
    rows = con.execute(
        f"""
        SELECT CAST(any_value(spec) AS VARCHAR), coalesce(device, ''),
          avg(train_seconds + evaluate_seconds), avg(compile_seconds), count(*)
        FROM cells WHERE status = 'done'
        GROUP BY scenario, subject, CAST(config AS VARCHAR), CAST(settings AS VARCHAR), setting,
          device
        ORDER BY max(finished_at) DESC, min(cell_id) LIMIT {MOST_KINDS}
        """
    ).fetchall()
    return [
        (Cell.from_json(json.loads(spec)), device, (work or 0.0, compiling or 0.0, number))
        for spec, device, work, compiling, number in reversed(rows)
    ]
