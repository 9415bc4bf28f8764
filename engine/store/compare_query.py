"""Subjects side by side: paired ratios of each two, and a paper's claims."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any, cast

from augury.engine.canonical import JSON
from augury.engine.errors import UsageError, unknown
from augury.engine.store import best, contexts
from augury.engine.store.board_columns import PROBLEM
from augury.engine.store.board_query import Asked, asked
from augury.engine.store.bootstrap import holm, paired, replicates, ties
from augury.engine.store.listed import Kind, listed
from augury.engine.store.table import Query
from augury.engine.store.unit_values import Table, read, units, without_interval
from augury.engine.terms import parse
from augury.engine.wording import count

if TYPE_CHECKING:
    import duckdb

    from augury.engine.catalog.names import Scale

PAIRS: Mapping[str, Kind] = {
    "above": "VARCHAR", "below": "VARCHAR", "ratio": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE",
    "p": "DOUBLE", "p_holm": "DOUBLE", "tie": "VARCHAR", "above_mean": "DOUBLE",
    "below_mean": "DOUBLE", "environments": "BIGINT", "settings": "BIGINT", "reason": "VARCHAR",
}  # fmt: skip
CLAIMS: Mapping[str, Kind] = {
    "claim": "VARCHAR", "place": "VARCHAR", "value": "DOUBLE", "low": "DOUBLE", "high": "DOUBLE",
    "expected": "VARCHAR", "holds": "VARCHAR", "p": "DOUBLE", "environments": "BIGINT",
    "detail": "VARCHAR",
}  # fmt: skip
_APART = "no problem in common"
DEFAULT_POINT = {"tau": 10, "kappa": 2}


def compare(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """Every two of the subjects at one (tau, kappa), on the pairs that both have.

    Raises `UsageError` where subjects or a filter were given and no two have any, and for a filter
    of anything but problems.
    """
    for term in parse(str(params.get("filter") or "")):
        if not term.op or term.name not in PROBLEM:
            raise UsageError(
                f"compare --filter chooses problems, {term.name!r} does not: give COLUMN=VALUE "
                f"with one of {', '.join(PROBLEM)}; --agent chooses rows."
            )
    point = {name: params.get(name) or value for name, value in DEFAULT_POINT.items()}
    it = asked(cursor, {**_without(params, "subjects"), **point})
    subjects = _subjects(it, params.get("subjects"))
    column = it.board.rank
    table = read(cursor, it.board, it.request, (column,)) if it.request.context else {}
    rows = [_pair(table, a, b, column, len(subjects)) for a, b in combinations(subjects, 2)]
    narrowed = params.get("filter") or params.get("subjects")
    if narrowed and rows and all(row.get("reason") == _APART for row in rows):
        raise _nothing_in_common(it, params, bool(table))
    tested = [row for row in rows if row.get("p") is not None]
    for row, p in zip(tested, holm([row["p"] for row in tested]), strict=True):
        row["p_holm"] = p
    tied = ties({str(i): row["p"] for i, row in enumerate(tested)})
    for i, row in enumerate(tested):
        row["tie"] = "yes" if tied[str(i)] else "no"
    title = next(c.title for c in it.board.columns if c.name == column)
    return listed(PAIRS, rows, _meta(it, f"Paired ratios of {title}, 95 % intervals"))


def claims(cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]) -> Query:
    """The testbed paper's claims on the default configs, or on the tuned ones.

    If no sweep of the testbed is named, of the newest one that is for every agent: no study, no
    person's files.
    """
    from augury.engine.catalog.sweeps import SWEEPS
    from augury.engine.store import claims as made  # it needs the catalog's problems

    config = params.get("config") or "default"
    scenario = params.get("scenario")
    if scenario not in ("testbed", "real") or config == "all":
        raise UsageError("claims are of testbed and real, at --config default or best.")
    if scenario == "testbed" and not params.get("sweep"):
        held = contexts.preferred(contexts.held(cursor, "testbed", params.get("run")))
        general = {name for name, sweep in SWEEPS.items() if not sweep.subjects}
        params = {**params, "sweep": next((c.sweep for c in held if c.sweep in general), None)}
    own = {} if params.get("sweep") else {"published": True}
    it, names = one_row_each(cursor, {**params, **own, "config": config})
    rows: list[made.Row] = []
    if it.request.context and scenario == "real":
        table = read(cursor, it.board, it.request, made.REAL_COLUMNS)
        rows = made.claims_on_real_data(table, names)
    elif it.request.context:
        rows = made.claims(read(cursor, it.board, it.request, made.COLUMNS), names)
    return listed(CLAIMS, rows, _meta(it, "Claims of arXiv:2202.13509 in these numbers"))


def one_row_each(
    cursor: duckdb.DuckDBPyConnection, params: Mapping[str, Any]
) -> tuple[Asked, dict[str, str]]:
    """A board, and which of its labels stands for each subject.

    A default config is that of the sweep at its scale, which may have a shorter chain.
    """
    from augury.engine.catalog.scenarios import SCENARIOS
    from augury.engine.catalog.sweeps import SWEEPS
    from augury.engine.plan import usual_label

    config = params.get("config")
    it = asked(cursor, {**params, "config": "all" if config == "default" else config})
    context = it.request.context
    if config != "default" or context is None or context.sweep not in SWEEPS:
        return it, {label.partition("[")[0]: label for label in it.labels}
    subjects = SCENARIOS[it.board.name].subjects
    usual = {name: usual_label(context.sweep, cast("Scale", context.scale), name)
             for name in subjects}  # fmt: skip
    return it, {name: label for name, label in usual.items() if label in it.labels}


def _subjects(it: Asked, given: Any) -> Sequence[str]:
    """Labels in the order given; all of the board without. Raises `UsageError`."""
    words = list(given or ())
    if not words:
        return sorted(it.labels)
    named = [_one_of(it.labels, best.shown(it.request.tuned, str(word))) for word in words]
    for word, label in zip(words, named, strict=True):
        if it.labels and label not in it.labels:
            context = it.request.context
            where = f"{context.sweep}, {context.scale}" if context else "this store"
            raise unknown(f"{it.board.subject} of {where}:", str(word), it.labels)
    if len(set(named)) < 2:
        raise UsageError(f"compare needs at least two {it.board.subject}s.")
    return list(dict.fromkeys(named))


def _one_of(labels: Collection[str], name: str) -> str:
    """The label of a name, which may leave out the config where only one row has the name."""
    mine = [label for label in labels if label.startswith(f"{name}[")]
    return mine[0] if name not in labels and len(mine) == 1 else name


def _nothing_in_common(it: Asked, params: Mapping[str, Any], some: bool) -> UsageError:
    subjects = f"no two {it.board.subject}s have a problem in common"
    if not params.get("filter"):
        return UsageError(f"{subjects} at this tau and kappa: evaluate them on the same sweep.")
    if some:
        return UsageError(f"{subjects} that meets --filter {params['filter']!r}.")
    return UsageError(f"no number of this board meets --filter {params['filter']!r}.")


def _pair(table: Table, above: str, below: str, column: str, subjects: int) -> dict[str, Any]:
    row: dict[str, Any] = {"above": above, "below": below}
    mine, theirs = table.get((above, column), {}), table.get((below, column), {})
    both = units(mine.values(), theirs.values())
    if not both:
        why = "numbers are missing" if both is None else _APART
        return {**row, "reason": why}
    row |= {
        "above_mean": sum(unit.above for unit in both) / len(both),
        "below_mean": sum(unit.below for unit in both) / len(both),
        "environments": len(both),
        "settings": len({mine[pair].setting for pair in mine.keys() & theirs.keys()}),
    }
    pair = paired(both, replicates(subjects * (subjects - 1) // 2))
    if pair is None:
        return {**row, "reason": f"the mean of {below} is not above 0"}
    row |= {"ratio": pair.ratio, "low": pair.low, "high": pair.high, "p": pair.p}
    reasons = [without_interval(both)] if pair.low is None else []
    if len(mine) != len(theirs) or len(mine.keys() & theirs.keys()) < len(mine):
        reasons.append(f"on {count(len(mine.keys() & theirs.keys()), 'cell')} that both have")
    return {**row, "reason": "; ".join(reasons)} if reasons else row


def _meta(it: Asked, title: str) -> dict[str, JSON]:
    names = ("context", "contexts", "newest_lacks", "tuning")
    return {"title": title, **{name: it.meta[name] for name in names}}


def _without(params: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in params.items() if key != name}
