"""Two to four subjects against the first of them, setting by setting: differences and wins.

Both are averaged over their seeds in each unit (an environment, a seed) that both have; a
difference's interval and p-value come from the same bootstrap as a board's ratios, within the one
setting of a row, over all of them in the first. Holm's correction is over all rows with a p-value.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON
from augury.engine.errors import UsageError, unknown
from augury.engine.store import best
from augury.engine.store.board_query import asked
from augury.engine.store.bootstrap import ALPHA, REPLICATES, Unit, holm, resampled
from augury.engine.store.listed import Kind, listed
from augury.engine.store.table import Query
from augury.engine.store.unit_values import Table, Value, read, units, without_interval

if TYPE_CHECKING:
    import duckdb

MOST = 4
ALL = "all"
COLUMNS: Mapping[str, Kind] = {
    "place": "VARCHAR", "first": "VARCHAR", "second": "VARCHAR", "first_mean": "DOUBLE",
    "first_stderr": "DOUBLE", "second_mean": "DOUBLE", "second_stderr": "DOUBLE",
    "difference": "DOUBLE", "stderr": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE", "p": "DOUBLE",
    "p_holm": "DOUBLE", "wins": "BIGINT", "losses": "BIGINT", "units": "BIGINT",
    "reason": "VARCHAR",
}  # fmt: skip


def differences(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """The second subject less the first, of each pair with the first named, by setting.

    `column` is one of the board's means; the ranked one without. `by` is setting or problem.
    """
    given = {k: v for k, v in params.items() if k not in ("subjects", "column", "by")}
    it = asked(cursor, {**given, "intervals": False})
    words = [str(word) for word in params.get("subjects") or ()]
    named = list(dict.fromkeys(best.shown(it.request.tuned, word) for word in words))
    for word, label in zip(words, named, strict=False):
        if it.labels and label not in it.labels:
            raise unknown(f"{it.board.subject} in this store", word, it.labels)
    if not 2 <= len(named) <= MOST:
        raise UsageError(f"two to {MOST} different {it.board.subject}s are compared by setting.")
    by = str(params.get("by") or "setting")
    if by not in ("setting", "problem"):
        raise unknown("way to take a comparison apart", by, ("setting", "problem"))
    means = {c.name: c for c in it.board.columns if c.stat == "mean"}
    ranked = it.board.ranked
    column = str(params.get("column") or ranked.of or ranked.name)
    if column not in means:
        raise unknown("mean of this board", column, means)
    table = read(cursor, it.board, it.request, (column,)) if it.request.context else {}
    rows = []
    for second in named[1:]:
        rows += _pair(table, column, named[0], second, by, means[column].better)
    tested = [row for row in rows if row.get("p") is not None]
    for row, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = p
    about = means[column]
    meta: dict[str, JSON] = {
        "title": f"Differences of {about.title}, 95 % intervals",
        "context": it.meta["context"], "contexts": it.meta["contexts"],
        "newest_lacks": it.meta["newest_lacks"],
        "column": column, "column_title": about.title, "unit": about.unit, "better": about.better,
        "of": it.board.unit,
    }  # fmt: skip
    return listed(COLUMNS, rows, meta)


def _pair(
    table: Table, column: str, first: str, second: str, by: str, better: str
) -> list[dict[str, Any]]:
    mine, theirs = table.get((first, column), {}), table.get((second, column), {})
    shared = mine.keys() & theirs.keys()
    groups: dict[str, list[tuple[str, int, str]]] = {}
    for pair in sorted(shared):
        value = mine[pair]
        groups.setdefault(value.setting if by == "setting" else value.problem, []).append(pair)
    groups = dict(sorted(groups.items()))
    if len(groups) != 1:
        groups = {ALL: sorted(shared), **groups}
    found = []
    for place, pairs in groups.items():
        row: dict[str, Any] = {"place": place, "first": first, "second": second}
        ours, other = [mine[p] for p in pairs], [theirs[p] for p in pairs]
        found.append(row | _numbers(ours, other, better))
    return found


def _numbers(mine: Sequence[Value], theirs: Sequence[Value], better: str) -> dict[str, Any]:
    both = units(mine, theirs)
    if not both:
        return {"reason": "numbers are missing" if both is None else "no problem in common"}
    deltas = [unit.below - unit.above for unit in both]
    count, sign = len(both), {"higher": -1.0}.get(better, 1.0)
    if better == "one":
        losses = [abs(u.below - 1) - abs(u.above - 1) for u in both]
    else:
        losses = [sign * d for d in deltas]
    row: dict[str, Any] = {
        "first_mean": sum(unit.above for unit in both) / count,
        "second_mean": sum(unit.below for unit in both) / count,
        "first_stderr": _stderr([(u.stratum, u.above, u.above_stderr) for u in both]),
        "second_stderr": _stderr([(u.stratum, u.below, u.below_stderr) for u in both]),
        "difference": sum(deltas) / count,
        "stderr": _stderr([(u.stratum, u.below - u.above, _root(u)) for u in both]),
        "wins": sum(loss > 0 for loss in losses), "losses": sum(loss < 0 for loss in losses),
        "units": count,
    }  # fmt: skip
    return row | _interval(both)


def _interval(both: Sequence[Unit]) -> dict[str, Any]:
    import numpy as np

    tops, bottoms = resampled(both, REPLICATES)
    if np.isnan(tops).any() or np.isnan(bottoms).any():
        return {"reason": without_interval(both)}
    drawn = (bottoms - tops) / len(both)
    low, high = np.quantile(drawn, [ALPHA / 2, 1 - ALPHA / 2])
    smaller = min((drawn <= 0).sum(), (drawn >= 0).sum())
    p = min(2.0 * (int(smaller) + 1) / (REPLICATES + 1), 1.0)
    return {"low": float(low), "high": float(high), "p": p}


def _root(unit: Unit) -> float | None:
    """The standard error of the difference of two evaluations; None where it is not known."""
    variance = unit.variance()
    return None if math.isnan(variance) else math.sqrt(variance)


def _stderr(values: Sequence[tuple[str, float, float | None]]) -> float | None:
    """Of a mean over units, as a board has it: stratified, a lone unit by its own error."""
    strata: dict[str, list[tuple[float, float | None]]] = {}
    for stratum, value, own in values:
        strata.setdefault(stratum, []).append((value, own))
    total, variance = len(values), 0.0
    for members in strata.values():
        n = len(members)
        if n > 1:
            mean = sum(v for v, _ in members) / n
            within = sum((v - mean) ** 2 for v, _ in members) / (n - 1) / n
        elif members[0][1] is None:
            return None
        else:
            within = members[0][1] ** 2
        variance += (n / total) ** 2 * within
    return math.sqrt(variance)
