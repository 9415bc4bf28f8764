"""The boards that a run ends with: one table for each context, and how to get it as CSV."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from augury.engine.canonical import canonical
from augury.engine.catalog.entry import differences
from augury.engine.catalog.scenarios import SCENARIOS, default_settings
from augury.engine.catalog.settings import Scale
from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.output import text_of
from augury.engine.service.reader import Reader
from augury.engine.store.contexts import last, preference

if TYPE_CHECKING:
    from augury.engine.service.link import Store


@dataclass(frozen=True, slots=True)
class Shown:
    """What one board puts side by side."""

    scenario: str
    sweep: str
    scale: Scale
    settings: str  # canonical JSON of those that differ from full scale
    filter: str = ""

    def params(self) -> dict[str, Any]:
        """The board query's parameters that choose it."""
        narrowed = {"filter": self.filter} if self.filter else {}
        return narrowed | {
            "scenario": self.scenario, "sweep": self.sweep, "scale": self.scale,
            "settings": self.settings,
        }  # fmt: skip

    def options(self) -> list[str]:
        """Words after `augury leaderboard` that choose this board and no other."""
        usual = differences(
            default_settings(self.scenario, self.scale), default_settings(self.scenario)
        )
        words = [self.scenario, "--sweep", self.sweep, "--scale", self.scale]
        words += ["--filter", self.filter] if self.filter else []
        return words if self.settings == canonical(usual) else [*words, "--settings", self.settings]


def print_boards(path: Store, shown: Iterable[Shown], config: str = "default") -> None:
    """Print each board on stdout, its CSV command on stderr; of tuned configs if "best"."""
    reader = Reader(path)
    names: list[str] = []
    for board in shown:
        params = board.params() | ({"config": config} if config == "best" else {})
        text = text_of(reader, "board", params, "table")
        click.echo(text)
        names.append(board.sweep + ("-best" if config == "best" else ""))
        again = names.count(names[-1])  # the same sweep at other settings
        name = names[-1] + (f"-{again}" if again > 1 else "")
        say(f"CSV: {csv_command(board, name, config)}")


def csv_command(board: Shown, name: str, config: str = "default") -> str:
    """The command that writes this very board as CSV, to a file of that name."""
    words = [*board.options(), *(["--config", "best"] if config == "best" else [])]
    return f"{hint('leaderboard', *words, '--format', 'csv')} > {name}.csv"


def run_boards(path: Store, run_id: str) -> list[Shown]:
    """The boards that the cells of a run belong to, in the catalog's order."""
    return _in_order(Reader(path).query("contexts", run=run_id).dicts())


def newest_boards(path: Store) -> list[Shown]:
    """The board of each scenario that has one: of several that which `choose` takes."""
    newest: dict[str, dict[str, Any]] = {}
    rows = list(Reader(path).query("contexts").dicts())
    for row in sorted(rows, key=_place):
        newest.setdefault(row["scenario"], row)
    return _in_order(newest.values())


def _place(row: dict[str, Any]) -> tuple[int, int]:
    return last(row["sweep"]), preference(row["done"], row["kept"], row["whole"])


def _in_order(rows: Iterable[dict[str, Any]]) -> list[Shown]:
    found = [
        Shown(r["scenario"], r["sweep"], r["scale"], canonical(_settings(r["settings"])))
        for r in rows
    ]
    return sorted(dict.fromkeys(found), key=lambda shown: list(SCENARIOS).index(shown.scenario))


def _settings(value: Any) -> Any:
    return json.loads(value) if isinstance(value, str) else value
