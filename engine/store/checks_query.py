"""The posterior predictive checks of a cell: verdict, observed value and replicates, by split.

Replicates are kept as counts in bins of equal width, curves named `histogram/SPLIT` and
`histogram/SPLIT/edges`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.store.cells_query import resolve_cell
from augury.engine.store.table import Query

if TYPE_CHECKING:
    import duckdb


def checks(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """One row for each split of a cell that has an observed value, or for the one that is named.

    With `severities` also those of the same subject, config, settings and seed on the problems
    that differ from the cell's in their severity alone.
    """
    bound = {
        "cell": resolve_cell(cursor, params),
        "split": str(params.get("split") or ""),
        "severities": bool(params.get("severities")),
    }
    return Query(_CHECKS, bound)


_SAME = " AND ".join(
    f"CAST(c.{name} AS VARCHAR) = CAST(a.{name} AS VARCHAR)"
    for name in ("scenario", "scenario_version", "subject", "subject_version", "label", "config",
                 "settings", "seed", '"precision"', "source", "environment")
)  # fmt: skip
_SAME_PROBLEM = " AND ".join(
    f"c.problem_columns ->> '{name}' IS NOT DISTINCT FROM a.problem_columns ->> '{name}'"
    for name in ("family", "dataset", "num_train", "num_test")
)
_SEVERITY = "TRY_CAST({}.problem_columns ->> 'severity' AS INTEGER)"
_NUMBERS = ", ".join(
    f"max(value) FILTER (metric = '{name}') AS {name}"
    for name in ("observed", "p_value", "sharpness", "passes", "num_members")
)
_CHECKS = f"""
WITH asked AS (SELECT * FROM cells WHERE cell_id = $cell),
chosen AS (
  SELECT c.*, {_SEVERITY.format("c")} AS severity FROM cells c, asked a
  WHERE c.cell_id = a.cell_id
    OR $severities AND {_SEVERITY.format("a")} IS NOT NULL AND c.status = 'done'
      AND {_SAME} AND {_SAME_PROBLEM}
),
numbers AS (
  SELECT cell_id, split, {_NUMBERS},
    max(stderr) FILTER (metric = 'p_value') AS p_value_stderr,
    max(num_samples) FILTER (metric = 'p_value') AS num_replicates,
    coalesce(max(reason) FILTER (metric = 'p_value'), '') AS reason
  FROM results WHERE cell_id IN (SELECT cell_id FROM chosen)
    AND split IN (SELECT split FROM results r JOIN asked USING (cell_id)
      WHERE r.metric = 'observed' AND ($split = '' OR r.split = $split))
  GROUP BY ALL
),
bins AS (
  SELECT cell_id, name, list(value ORDER BY step) AS bins FROM curves
  WHERE cell_id IN (SELECT cell_id FROM chosen) AND starts_with(name, 'histogram/')
  GROUP BY ALL
)
SELECT c.cell_id, c.label, c.problem, c.severity, c.seed, n.split, n.observed, n.p_value,
  n.p_value_stderr, n.sharpness, n.passes, n.num_members, n.num_replicates, n.reason,
  coalesce(h.bins, []) AS counts, coalesce(e.bins, []) AS edges
FROM chosen c JOIN numbers n ON n.cell_id = c.cell_id
  LEFT JOIN bins h ON h.cell_id = c.cell_id AND h.name = 'histogram/' || n.split
  LEFT JOIN bins e ON e.cell_id = c.cell_id AND e.name = 'histogram/' || n.split || '/edges'
ORDER BY n.split, c.severity, c.problem, c.cell_id
"""
