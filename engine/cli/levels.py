"""`augury levels`: from an agent down to its configs, problems and seeds."""

from __future__ import annotations

from typing import Any

import click

from augury.engine.cli import names
from augury.engine.cli.command import Command
from augury.engine.cli.compare import place_options
from augury.engine.cli.options import (
    chosen_format,
    existing_store,
    format_options,
    settings_object,
    store_option,
    words,
)
from augury.engine.cli.which_board import place
from augury.engine.errors import UsageError
from augury.engine.store.levels_query import LEVELS


@click.command(
    cls=Command,
    examples=(
        "augury levels testbed",
        "augury levels testbed --agent ensemble",
        "augury levels testbed --row ensemble --format csv",
        "augury levels testbed --row ensemble --problem testbed/d2-l1-t0.1/e0",
    ),
)
@click.argument("what", shell_complete=names.boards)
@click.option("--agent", "subject", metavar="A", help="The configs of this agent or estimator.")
@click.option("--row", "label", metavar="LABEL", help="The problems of this row of the board.")
@click.option("--problem", metavar="ID", help="The seeds on this problem.")
@click.option("--level", type=click.Choice(LEVELS), help="Default: the one below what is given.")
@click.option("--also", multiple=True, metavar="COLUMN=VALUE",
              help="Of boards with several rows for a label: which, as mode=bayesian.")  # fmt: skip
@click.option("--columns", multiple=True, metavar="A,B", help="Only these numbers.")
@click.option("--filter", "filters", multiple=True, metavar="TERMS", help="Only these problems.")
@click.option("--config", type=click.Choice(("default", "best", "all")), help="As of leaderboard.")
@place_options
@format_options
@store_option
def levels(what: str, fmt: str | None, output: str | None, **given: Any) -> None:
    """Print means and standard errors of the board of WHAT, one level further down.

    Agents, then the configs of one, its problems, its seeds on one problem. Errors and ranks are
    the board's: stratified over environments, against all that the board has.
    """
    scenario, given["sweep"] = place(what, given["sweep"])
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    store = given.pop("store")
    params = {**given, "settings": settings_object(given["settings"]),
              "filter": " ".join(given.pop("filters")), "also": _pairs(given["also"]),
              "columns": list(words("--columns", given["columns"]))}  # fmt: skip
    params.pop("filters", None)
    chosen = {name: value for name, value in params.items() if value not in (None, "", [], {})}
    reader = Reader(existing_store(store))
    emit(reader, "levels", {"scenario": scenario, **chosen}, chosen_format(fmt, output), output)


def _pairs(given: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for word in given:
        name, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"--also takes COLUMN=VALUE, got {word!r}.")
        found[name] = value
    return found
