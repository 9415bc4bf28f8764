"""Does the testbed predict real data? Scores of the same agents on both, and how ranks agree.

A score is the mean KL at tau 10, kappa 2 over that of the baseline. All agents of a side are
compared on the (problem, seed) pairs that each of them has.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from augury.engine.canonical import JSON
from augury.engine.errors import UsageError
from augury.engine.store.bootstrap import Unit, paired
from augury.engine.store.compare_query import one_row_each
from augury.engine.store.listed import Kind, listed
from augury.engine.store.ranks import permutation_p, places, spearman
from augury.engine.store.table import Query
from augury.engine.store.unit_values import Value, read, units

if TYPE_CHECKING:
    import duckdb

COLUMN, BASELINE = "kl_t10_k2", "mlp"
SIDES = ("testbed", "real")
UNTRAINED = frozenset({"uniform", "prior"})  # far off on either side: they would prove nothing
LEAST_AGENTS = 3
_NUMBERS: Mapping[str, Kind] = {
    f"{side}{end}": "DOUBLE" for side in SIDES for end in ("", "_low", "_high", "_rank")
}
TRANSFER: Mapping[str, Kind] = {
    "agent": "VARCHAR", **_NUMBERS, "environments": "BIGINT", "data_sets": "BIGINT",
}  # fmt: skip


def transfer(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """One row for each trained agent that both sides have, best on real data first.

    The rank correlation, its interval (environments and data sets drawn anew together) and its
    p-value (agents permuted) go along as meta. `sweep` is that of real data; `config`, `scale` are
    for both sides.
    """
    config = params.get("config") or "default"
    if config == "all":
        raise UsageError("transfer is at --config default or best: one row for each agent.")
    contexts: dict[str, JSON] = {}
    found: dict[str, dict[str, list[Unit]]] = {}
    for side in SIDES:
        own = {name: params[name] for name in ("scale", "run") if params.get(name)}
        named = params.get(f"{side}_sweep")
        own |= {"sweep": named} if named else {"published": True}
        it, names = one_row_each(cursor, {"scenario": side, "config": config, **own})
        contexts[side] = it.meta["context"]
        table = read(cursor, it.board, it.request, (COLUMN,)) if it.request.context else {}
        numbers = {name: table.get((label, COLUMN), {}) for name, label in names.items()}
        found[side] = _common({n: v for n, v in numbers.items() if v and n not in UNTRAINED})
    agents = [name for name in found["real"] if name in found["testbed"]]
    rows = [{"agent": name, **_scores(found, name)} for name in agents]
    for side in SIDES:
        known = [row for row in rows if row.get(side) is not None]
        for row, place in zip(known, places([row[side] for row in known]), strict=True):
            row[f"{side}_rank"] = place
    rows.sort(key=lambda row: (row.get("real") is None, row.get("real"), row["agent"]))
    meta: dict[str, JSON] = {
        "title": "Testbed against real data: KL tau=10 kappa=2 / mlp, 95 % intervals",
        "context": contexts["real"],
        "contexts_of": contexts,
        "correlation": correlation(found, agents),
        "agents_of": {side: list(found[side]) for side in SIDES},
        "config": config,
    }
    return listed(TRANSFER, rows, meta)


def correlation(
    found: Mapping[str, Mapping[str, Sequence[Unit]]], agents: Sequence[str]
) -> dict[str, JSON]:
    """Spearman's correlation of the agents' means on both sides; empty for fewer than three."""
    if len(agents) < LEAST_AGENTS:
        return {}
    both = [(found["testbed"][name], found["real"][name]) for name in agents]
    value, low, high = spearman(both)
    if len(both[0][1]) < 2:  # one data set cannot be drawn anew
        low = high = None
    means = [[sum(u.above for u in side) / len(side) for side in pair] for pair in both]
    p = permutation_p([m[0] for m in means], [m[1] for m in means])
    return {"agents": len(agents), "spearman": value, "low": low, "high": high, "p": p}


def _common(numbers: Mapping[str, Mapping[Any, Value]]) -> dict[str, list[Unit]]:
    """Units of each agent over the pairs that all have, against the baseline if it is there."""
    if not numbers:
        return {}
    pairs = set.intersection(*(set(values) for values in numbers.values()))
    kept = {name: [v for k, v in values.items() if k in pairs] for name, values in numbers.items()}
    found = {name: units(values, kept.get(BASELINE, values)) for name, values in kept.items()}
    return {name: mine for name, mine in found.items() if mine}


def _scores(found: Mapping[str, Mapping[str, list[Unit]]], name: str) -> dict[str, Any]:
    row: dict[str, Any] = {}
    for side, size in zip(SIDES, ("environments", "data_sets"), strict=True):
        mine = found[side][name]
        row[size] = len(mine)
        if BASELINE not in found[side]:
            continue
        pair = paired(mine)
        if pair is not None:
            row |= {side: pair.ratio}
            if name != BASELINE:
                row |= {f"{side}_low": pair.low, f"{side}_high": pair.high}
    return row
