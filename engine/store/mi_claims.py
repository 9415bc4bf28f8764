"""Published curves of mutual-information estimators beside the stored ones (Lee and Rhee 2024).

Both are medians over the last steps of a stage, as a share of the true value: where a bound
diverges, its mean says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from augury.engine.errors import UsageError
from augury.engine.store.boards import published
from augury.engine.store.compare_query import one_row_each
from augury.engine.store.listed import Kind, listed
from augury.engine.store.table import Query

if TYPE_CHECKING:
    import duckdb

SWEEP = "mi-published"
COLUMNS: Mapping[str, Kind] = {
    "estimator": "VARCHAR", "domain": "VARCHAR", "bits": "DOUBLE", "published": "DOUBLE",
    "ratio": "DOUBLE", "ratio_stderr": "DOUBLE", "expected": "VARCHAR", "holds": "VARCHAR",
    "diverged": "BIGINT", "std": "DOUBLE", "seeds": "BIGINT", "steps": "BIGINT",
    "reason": "VARCHAR",
}  # fmt: skip
NEAR = 0.05  # of the published ratio, which rests on one seed
# Beyond so many bits a batch of 64 has no unlike pair that looks alike: these diverge.
MOST_BITS: Mapping[str, float] = {"dv": 6.0, "nwj": 8.0}
# Problems as published: ten sources; digits in two rows of five, 64 pixels; BERT's sentences.
_PROBLEMS = r"mi/(gaussian-ds10|image-mnist-1x2x5-s64|text-bert-ds10)-\d[\d.-]*bits"
_CELLS = f"""
WITH chosen AS (
  SELECT DISTINCT c.* FROM cells c JOIN run_cells x USING (cell_id)
  WHERE c.scenario = 'mi' AND c.context = $settings AND c.scenario_version = $version
    AND x.sweep = $sweep AND x.scale = $scale AND c.status = 'done'
    AND ($run IS NULL OR x.run_id = $run)
    AND c.label IN (SELECT unnest($labels)) AND regexp_full_match(c.problem, '{_PROBLEMS}')
),
numbers AS (
  SELECT cell_id, split, max(value) FILTER (metric = 'mi_true') AS bits,
    max(value) FILTER (metric = 'mi_median') AS median,
    max(value) FILTER (metric = 'mi_std') AS std,
    max(value) FILTER (metric = 'mi_diverged') AS diverged,
    max(reason) FILTER (metric = 'mi_median') AS reason
  FROM results WHERE cell_id IN (SELECT cell_id FROM chosen) GROUP BY ALL
)
SELECT c.subject, c.problem_columns ->> 'domain' AS domain, n.bits, n.median, n.std, n.diverged,
  coalesce(n.reason, 'no median is stored: evaluated before there was one') AS reason,
  CAST(c.config ->> 'num_steps' AS BIGINT) AS num_steps,
  CAST(c.settings ->> 'max_steps' AS BIGINT) AS max_steps,
  count(*) OVER (PARTITION BY c.cell_id) AS stages
FROM chosen c JOIN numbers n USING (cell_id) WHERE n.bits > 0 ORDER BY c.seed
"""


def claims(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """One row for each estimator, domain and true value that both the paper and the store have.

    Of the sweep that is named, else of `mi-published`, with the configs that it runs by itself.
    Raises `UsageError` for other configs.
    """
    if params.get("config") not in (None, "", "default"):
        raise UsageError("claims of mi are about its default configs: leave out --config.")
    it, names = one_row_each(
        cursor, {"sweep": SWEEP, **params, "scenario": "mi", "config": "default"}
    )
    rows: list[dict[str, Any]] = []
    if it.request.context:
        context = it.request.context
        bound = {
            "settings": context.settings, "version": context.scenario_version,
            "sweep": context.sweep, "scale": context.scale, "run": it.request.run,
            "labels": list(names.values()),
        }  # fmt: skip
        found = cursor.execute(_CELLS, bound)
        columns = [column[0] for column in found.description or ()]
        cells = [dict(zip(columns, row, strict=True)) for row in found.fetchall()]
        rows = list(_beside(cells))
    title = "Median over true value beside the published curves"
    kept = ("context", "contexts", "newest_lacks", "tuning")
    return listed(COLUMNS, rows, {"title": title, **{name: it.meta[name] for name in kept}})


def _beside(cells: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """In the order of the published table."""
    table = published("mi")
    assert table is not None
    for golden in table.dicts():
        place = (golden["estimator"], golden["domain"], golden["true"])
        mine = [c for c in cells if (c["subject"], c["domain"], c["bits"]) == place]
        if golden["source"] == "paper" and mine:
            yield _row(golden, mine)


def _row(golden: Mapping[str, Any], mine: list[dict[str, Any]]) -> dict[str, Any]:
    bits = cast("float", golden["true"])
    ratios = [cell["median"] / bits for cell in mine if cell["median"] is not None]
    reasons = dict.fromkeys(cell["reason"] for cell in mine if cell["reason"])
    row: dict[str, Any] = {
        "estimator": golden["estimator"], "domain": golden["domain"], "bits": bits,
        "published": golden["ratio"], "seeds": len(mine), "steps": _steps(mine[0]),
        "diverged": int(sum(cell["diverged"] or 0 for cell in mine)),
        "reason": "; ".join(reasons),
    }  # fmt: skip
    spreads = [cell["std"] for cell in mine if cell["std"] is not None]
    if spreads:
        row["std"] = sum(spreads) / len(spreads)
    if len(ratios) == len(mine):
        row["ratio"] = mean = sum(ratios) / len(ratios)
        if len(ratios) > 1:
            square = sum((ratio - mean) ** 2 for ratio in ratios) / (len(ratios) - 1)
            row["ratio_stderr"] = math.sqrt(square / len(ratios))
    if bits > MOST_BITS.get(str(golden["estimator"]), math.inf):
        return {**row, "expected": "diverges"}
    holds = "ratio" in row and abs(row["ratio"] - golden["ratio"]) <= NEAR
    return {**row, "expected": f"within {NEAR:g}", "holds": "yes" if holds else "no"}


def _steps(cell: Mapping[str, Any]) -> int:
    """Of a stage."""
    return min(cell["num_steps"], cell["max_steps"] or cell["num_steps"]) // cell["stages"]
