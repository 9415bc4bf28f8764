"""The boards that a run ends with: one table for each scenario, and how to get it as CSV."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from pathlib import Path

import click

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.cli.failure import say
from augury.engine.cli.output import text_of
from augury.engine.service.reader import Reader


def print_boards(path: Path, contexts: Mapping[str, tuple[str, str]]) -> None:
    """Print the board of each scenario -> (sweep, scale), in the catalog's order."""
    reader = Reader(path)
    for scenario in SCENARIOS:
        if scenario not in contexts:
            continue
        sweep, scale = contexts[scenario]
        table = text_of(
            reader, "board", {"board": scenario, "sweep": sweep, "scale": scale}, "table"
        )
        click.echo(f"{scenario}: {SCENARIOS[scenario].question} [{sweep}, {scale}]")
        click.echo(table)
        say(f"CSV: {csv_command(path, scenario, sweep, scale)}")


def csv_command(path: Path, scenario: str, sweep: str, scale: str) -> str:
    """The command that writes this very board as CSV."""
    from augury.engine.paths import store_directory

    words = ["augury", "leaderboard", scenario, "--sweep", sweep, "--scale", scale]
    words += ["--format", "csv"]
    if path != store_directory():
        words += ["--store", str(path)]
    return f"{shlex.join(words)} > {scenario}.csv"
