"""Boards as data: `leaderboards/<scenario>.toml` read, checked, and asked for."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from augury.engine.canonical import JSON
from augury.engine.catalog.metrics import METRICS
from augury.engine.catalog.names import SCENARIO_NAMES
from augury.engine.catalog.splits import PARTS
from augury.engine.errors import StoreError, unknown
from augury.engine.paths import LEADERBOARDS
from augury.engine.store.board import (
    BY,
    STATS,
    Board,
    Column,
    Context,
    Intervals,
    Request,
)
from augury.engine.store.board_columns import broken_out, ranked_within
from augury.engine.store.board_sql import statement
from augury.engine.store.table import Table

__all__ = [
    "Board",
    "Column",
    "Context",
    "Request",
    "compile",
    "describe",
    "load",
    "published",
]


@cache
def load(name: str) -> Board:
    """The board of a scenario. Raises `UsageError` for a name that is none."""
    if name not in SCENARIO_NAMES:
        raise unknown("scenario", name, SCENARIO_NAMES)
    path = LEADERBOARDS / f"{name}.toml"
    return read(name, tomllib.loads(path.read_text(encoding="utf-8")), path)


def names() -> tuple[str, ...]:
    """All scenarios that have a board."""
    return SCENARIO_NAMES


def read(name: str, text: Mapping[str, Any], path: Path | str) -> Board:
    """A board from its parsed TOML. Raises `StoreError` for one that cannot be compiled."""
    by = tuple((b["name"], b["of"]) for b in text.get("by", ()))
    strata = tuple(text["strata"])
    apart = "split" in strata or any(of in ("split", *PARTS) for _, of in by)
    columns: dict[str, Column] = {}
    for raw in text["column"]:
        columns[raw["name"]] = _column(raw, columns, apart, path)
    if text["rank"] not in columns or any(of not in BY for _, of in by):
        raise StoreError(f"{path}: rank must name a column and `of` one of {', '.join(BY)}.")
    if any(s not in BY for s in strata) or text["unit"] not in BY:
        raise StoreError(f"{path}: unit and strata are of {', '.join(BY)}.")
    return Board(
        name, text["title"], text["subject"], text["unit"], strata, tuple(columns.values()),
        text["rank"], text["better"], text.get("baseline", ""), by,
        tuple(text.get("baselines", {}).items()), text.get("lone", ""),
    )  # fmt: skip


def compile(
    board: Board, request: Request, found: Intervals | None = None
) -> tuple[str, dict[str, Any]]:
    """One SQL statement (sums, errors, ranks, filter, sort) and its parameters."""
    return statement(board, request, found)


def published(scenario: str) -> Table | None:
    """The published board (`leaderboards/published/<scenario>.csv`) of a release, if there is one.

    Cells that read as numbers become floats, empty ones None. `meta["published"]` is true.
    """
    import csv  # only a store without results needs it

    path = LEADERBOARDS / "published" / f"{load(scenario).name}.csv"
    if not path.exists():
        return None
    with path.open(encoding="utf-8", newline="") as lines:
        rows = list(csv.reader(line for line in lines if not line.startswith("#")))
    if not rows:
        return None
    board = load(scenario)
    meta = {"published": True, "title": board.title, "scenario": scenario, **describe(board)}
    return Table(tuple(rows[0]), [tuple(map(_value, row)) for row in rows[1:]], meta)


def describe(board: Board, by: Sequence[str] = ()) -> dict[str, JSON]:
    """What a table needs to say beside the numbers: titles, units, directions, what is ranked."""
    titles: dict[str, JSON] = {}
    sizes = {(c.tau, c.kappa): c.name for c in board.columns if c.metric == "ess"}
    for column in board.columns:
        titles[column.name] = {
            "title": column.title, "unit": column.unit, "better": column.better,
            "stderr": f"{column.name}_stderr" if column.has_stderr else "", "wide": column.wide,
            "stat": column.stat,
        }  # fmt: skip
        if column.metric == "kl" and (column.tau, column.kappa) in sizes:
            titles[column.name]["size"] = sizes[column.tau, column.kappa]
        if column.has_interval:
            ends = {end: f"{column.name}_{end}" for end in ("low", "high")}
            titles[column.name] |= ends
    return {
        "subject": board.subject,
        "rank": board.rank,
        "better": board.better,
        "ranked_within": ranked_within(broken_out(board, by)),
        "unit": board.unit,
        "lone": board.lone,
        "titles": titles,
    }


def _column(
    raw: Mapping[str, Any], known: Mapping[str, Column], apart: bool, path: Path | str
) -> Column:
    fields = dict(raw)
    stat = fields.get("stat", "mean")
    if stat not in STATS:
        raise StoreError(f"{path}: column {raw['name']}: stat is one of {', '.join(STATS)}.")
    if stat == "ratio":
        if fields.get("of") not in known:
            raise StoreError(f"{path}: column {raw['name']}: `of` must name an earlier column.")
        base = known[fields["of"]]
        fields |= {"metric": base.metric, "tau": base.tau, "kappa": base.kappa}
        fields.setdefault("split", base.split)
        fields.setdefault("unit", "ratio")
    if fields["metric"] not in METRICS:
        raise StoreError(f"{path}: column {raw['name']}: no metric {fields['metric']!r}.")
    card = METRICS[fields["metric"]]
    fields.setdefault("split", "*" if apart else "")
    if fields["split"] == "*":
        fields["split"] = None
    fields.setdefault("better", card.better if stat in ("mean", "ratio", "sum") else "none")
    fields.setdefault("unit", card.unit if stat in ("mean", "largest", "least") else "count")
    return Column(**fields)


def _value(text: str) -> Any:
    try:
        return float(text) if text else None
    except ValueError:
        return text
