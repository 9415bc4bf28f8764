"""`augury list`: the catalog's tables, with defaults."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import click

from augury.engine.catalog.corruptions import CORRUPTIONS
from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.entry import as_json
from augury.engine.catalog.metrics import METRICS
from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.settings import SCALES
from augury.engine.catalog.statistics import STATISTICS
from augury.engine.catalog.sweeps import COLLECTIONS, DEFAULT_SWEEPS, SWEEPS
from augury.engine.cli.command import Command
from augury.engine.cli.wording import columns

Row = dict[str, Any]


def _subjects(kind: str) -> list[Row]:
    rows: list[Row] = []
    for scenario, family in SCENARIOS.items():
        for name, entry in family.subjects.items() if family.kind == kind else ():
            of_config = (type(entry.config).__doc__ or "").strip().splitlines()[0]
            summary = entry.summary or of_config
            rows.append({"name": name, "scenario": scenario, "summary": summary,
                         "defaults": as_json(entry.config), "paper": entry.paper})  # fmt: skip
    return rows


def _sweeps() -> list[Row]:
    rows: list[Row] = [
        {"name": name, "scenario": "all", "smoke": "", "quick": "", "full": "",
         "summary": "the sweeps " + ", ".join(members)}
        for name, members in COLLECTIONS.items()
    ]  # fmt: skip
    defaults = set(DEFAULT_SWEEPS.items())
    for name, sweep in SWEEPS.items():
        marked = (
            f"{sweep.summary} (default)" if (sweep.scenario, name) in defaults else sweep.summary
        )
        row = {"name": name, "scenario": sweep.scenario}
        row |= {scale: len(sweep.problems(scale)) for scale in SCALES}
        rows.append({**row, "summary": marked})
    return rows


def _cards(table: dict[str, Any], keep: tuple[str, ...]) -> list[Row]:
    return [
        {"name": name, **{k: v for k, v in asdict(card).items() if k in keep}}
        for name, card in table.items()
    ]


def _datasets() -> list[Row]:
    from augury.engine.datasets.presence import look

    kept = ("input_dim", "num_classes", "num_train", "num_test", "kind", "licence")
    rows = _cards(DATASETS, kept)
    for row in rows:
        found = look(row["name"], DATASETS[row["name"]])
        row |= {"state": found.state, "sweeps": ",".join(found.sweeps) or "-",
                "folder": found.folder}  # fmt: skip
    return rows


def _statistics() -> list[Row]:
    rows = _cards(STATISTICS, ("unit", "better", "definition"))
    kinds = {"probs": "labels", "belief": "both"}
    return [
        {"name": row.pop("name"), "of": kinds.get(STATISTICS[name].needs, "numbers"), **row,
         "defaults": dict(STATISTICS[name].options)}
        for name, row in zip(STATISTICS, rows, strict=True)
    ]  # fmt: skip


def _corruptions() -> list[Row]:
    """Parameters of severities 1 to 5, and whether each distorts more than the one before."""
    return [
        {"name": name, "family": card.family,
         "distortion": f"not in order: {card.disorder}" if card.disorder else "grows with severity",
         "parameters": "  ".join(_point(point) for point in card.parameters)}
        for name, card in CORRUPTIONS.items()
    ]  # fmt: skip


def _point(numbers: tuple[float, ...]) -> str:
    found = ",".join(f"{number:g}" for number in numbers)
    return found if len(numbers) == 1 else f"({found})"


TABLES: dict[str, Callable[[], list[Row]]] = {
    "agents": lambda: _subjects("agent"),
    "estimators": lambda: _subjects("estimator"),
    "sweeps": _sweeps,
    "metrics": lambda: _cards(METRICS, ("unit", "better", "definition")),
    "statistics": _statistics,
    "datasets": _datasets,
    "corruptions": _corruptions,
}


@click.command(
    cls=Command, examples=("augury list", "augury list agents", "augury list sweeps --json")
)
@click.argument("what", required=False, type=click.Choice(list(TABLES)))
@click.option("--json", "as_data", is_flag=True, help="As JSON, with every default.")
def list_catalog(what: str | None, as_data: bool) -> None:
    """List what there is of a kind; all kinds without a word."""
    chosen = [what] if what else list(TABLES)
    if as_data:
        data = {name: TABLES[name]() for name in chosen}
        click.echo(json.dumps(data[what] if what else data, indent=1))
        return
    for number, name in enumerate(chosen):
        if not what:
            click.echo(("\n" if number else "") + f"{name}:")
        for line in _table(TABLES[name]()):
            click.echo(line)


def _table(rows: list[Row]) -> list[str]:
    """Columns, without the lengthy ones; a subject's defaults follow as a line of their own."""
    shown = [name for name in rows[0] if name not in ("defaults", "paper")]
    lines = columns([shown, *([str(row[name]) for name in shown] for row in rows)])
    found = [lines[0]]
    for line, row in zip(lines[1:], rows, strict=True):
        found.append(line)
        if row.get("defaults"):
            found.append("    " + " ".join(f"{k}={_short(v)}" for k, v in row["defaults"].items()))
    return found


def _short(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
