"""One cell as its screen shows it: config, scores and what is recorded, as plain values."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from augury.tui.crumbs import names
from augury.tui.formatting import MISSING, number, state
from augury.tui.widgets.sheet import Column, Row, Sheet

_CHANGED = "●"
_RECORD = (
    "cell_id", "scenario_version", "subject_version", "precision", "source", "device", "width",
    "attempts", "compile_seconds", "train_seconds", "evaluate_seconds", "worker", "code_version",
    "jax_version", "finished_at", "runs",
)  # fmt: skip


def config_sheet(cell: Mapping[str, Any], changed_only: bool) -> Sheet:
    """Every field of config and settings with its default; then what is recorded of the cell."""
    rows: list[tuple[str, ...]] = []
    for part in ("config", "settings"):
        known = _defaults(cell, part)
        for name, value in json.loads(cell.get(part) or "{}").items():
            default = known.get(name, value)
            changed = shown(value) != shown(default)
            if changed or not changed_only:
                mark = _CHANGED if changed else ""
                rows.append((mark, part, name, shown(value), shown(default)))
    if not changed_only:
        rows += [("", "record", n.replace("_", " "), shown(cell[n]), "") for n in _RECORD
                 if cell.get(n) not in (None, "")]  # fmt: skip
    return Sheet(_CONFIG, tuple(rows), len(rows), key=(1, 2), frozen=3, row_tone=_muted_same)


def scores_sheet(results: Iterable[Mapping[str, Any]]) -> Sheet:
    """Every stored number with its standard error, and the reason where one is missing."""
    names = [column.name for column in _SCORES]
    rows = tuple(tuple(row[name] for name in names) for row in results)
    return Sheet(_SCORES, rows, len(rows), key=(0, 1, 2, 3))


def facts(cell: Mapping[str, Any]) -> str:
    """State, how long it took and where, in one line."""
    parts = [str(state(str(cell.get("status"))))]
    seconds = [cell.get(f"{part}_seconds") for part in ("compile", "train", "evaluate")]
    if all(value is not None for value in seconds):
        parts.append("compile {:.3g} s, train {:.3g} s, evaluate {:.3g} s".format(*seconds))
    if cell.get("device"):
        parts.append(f"{cell['device']}, width {cell.get('width') or MISSING}")
    attempts = cell.get("attempts") or 0
    if attempts > 1:
        parts.append(f"{attempts} attempts")
    return "   ".join(parts)


def fault(cell: Mapping[str, Any]) -> list[str]:
    """What a failed cell is told to have died of; nothing for another one."""
    if not cell.get("error_kind"):
        return []
    trace = str(cell.get("error_traceback") or "").rstrip().splitlines()
    return [f"✖ {cell['error_kind']}: {cell.get('error_message') or ''}", "", *trace, ""]


def title(cell: Mapping[str, Any], width: int = 10_000) -> str:
    """The cell's place in words; where they have no room, names are cut and the seed is not."""
    seed = f"seed {cell.get('seed', '')}"
    where = (str(cell.get("label", "")), str(cell.get("problem", "")))
    return "  ".join([*names(where, width - len(seed) - 4), seed])


def brief(cell: Mapping[str, Any]) -> list[str]:
    """Config, settings and how long it took, in a narrow column."""
    lines = [f"cell {str(cell.get('cell_id', ''))[:12]}"]
    if cell.get("error_kind"):
        lines += [f"✖ {cell['error_kind']}", str(cell.get("error_message") or ""), ""]
    for part in ("config", "settings"):
        values = json.loads(cell.get(part) or "{}")
        lines += [part, *(f"  {name} {shown(value)}" for name, value in values.items())]
    for name in ("device", "width", "attempts", "finished_at"):
        if cell.get(name) not in (None, ""):
            lines.append(f"{name} {cell[name]}")
    for part in ("compile", "train", "evaluate"):
        value = cell.get(f"{part}_seconds")
        if value is not None:
            lines.append(f"{part} {number(value, '.3f')} s")
    return lines


def plots(cell: Mapping[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """What can be drawn of a cell, the most telling first."""
    curves = [name for name in cell.get("curves", ()) if not name.startswith("histogram/")]
    modes = [n.removeprefix("histogram/") for n in cell.get("curves", ())
             if n.startswith("histogram/") and not n.endswith("/edges")]  # fmt: skip
    kinds = ("replicates", "severities") if modes and _has_severity(cell) else ("replicates",)
    plots: list[tuple[str, dict[str, Any]]] = [
        (kind, {"mode": mode}) for mode in modes for kind in kinds
    ]
    if "mi" in curves:
        plots.append(("steps", {}))
    plots += [("cell", {"curve": name}) for name in curves if name != "mi"]
    return plots or [("cell", {})]


def _has_severity(cell: Mapping[str, Any]) -> bool:
    from augury.engine.catalog.problems import parse

    return "severity" in parse(str(cell["problem"])).columns()


def _defaults(cell: Mapping[str, Any], part: str) -> Mapping[str, Any]:
    """As the catalog has them now; none for a subject from outside."""
    from augury.engine.catalog.entry import as_json
    from augury.engine.catalog.scenarios import SCENARIOS, default_settings

    scenario = SCENARIOS.get(str(cell.get("scenario")))
    if scenario is None:
        return {}
    if part == "settings":
        return as_json(default_settings(str(cell["scenario"])))
    entry = scenario.subjects.get(str(cell.get("subject")))
    return as_json(entry.config) if entry is not None else {}


def shown(value: Any) -> str:
    """A value of a config in few characters."""
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))


def _muted_same(row: Row) -> str:
    return "" if row[0] else "muted"


def _kappa(value: Any) -> str:
    return number(value) if value else ""


_CONFIG = (
    Column("changed", "", "left", sortable=False),
    Column("part", "part", "left", sortable=False),
    Column("field", "field", "left", sortable=False, names=True),
    Column("value", "value", "left", most=60, sortable=False),
    Column("default", "default", "left", most=60, sortable=False),
)
_SCORES = (
    Column("metric", "metric", "left", sortable=False),
    Column("tau", "τ", show=_kappa, sortable=False),
    Column("kappa", "κ", show=_kappa, sortable=False),
    Column("split", "split", "left", sortable=False),
    Column("value", "value", show=lambda v: number(v, ".6g"), sortable=False),
    Column("stderr", "±SE", show=lambda v: number(v, ".2g"), tone=lambda _: "muted",
           sortable=False),
    Column("num_samples", "samples", show=number, sortable=False),
    Column("reason", "reason", "left", most=70, sortable=False),
)  # fmt: skip
