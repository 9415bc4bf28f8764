"""`augury leaderboard`: one scenario's board, sorted and filtered in SQL."""

from __future__ import annotations

from typing import Any

import click

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.settings import SCALES
from augury.engine.cli import names
from augury.engine.cli.command import Command
from augury.engine.cli.options import (
    chosen_format,
    format_options,
    open_store,
    settings_object,
    sort_words,
    store_option,
    words,
)
from augury.engine.errors import unknown


@click.command(
    cls=Command,
    examples=(
        "augury leaderboard testbed",
        "augury leaderboard testbed --sort -accuracy --columns agent,accuracy",
        "augury leaderboard testbed --filter 'temperature<0.5 agent~ensemble' --by setting",
        "augury leaderboard real --format csv -o real.csv",
    ),
)
@click.argument("scenario", shell_complete=names.scenarios)
@click.option(
    "--sort", multiple=True, metavar="[-]COL", help="Sort column; - reverses; repeatable."
)
@click.option("--filter", "filters", multiple=True, metavar="TERMS",
              help="Keep rows or problems: COL<VALUE, COL~TEXT, a word, ! for not.")  # fmt: skip
@click.option("--columns", multiple=True, metavar="A,B", help="Only these columns, in this order.")
@click.option("--baseline", metavar="SUBJECT", help="Divide by the mean of this one.")
@click.option("--common", is_flag=True,
              help="Rank subjects with missing cells too, on what all have.")  # fmt: skip
@click.option(
    "--by", multiple=True, metavar="setting,split,...", help="Break the rows out further."
)
@click.option("--sweep", metavar="SWEEP", help="Default: the newest run's, as the next two.")
@click.option("--scale", type=click.Choice(SCALES), help="smoke, quick or full.")
@click.option("--settings", metavar="JSON", help="Those that differ from full scale.")
@click.option("--scenario-version", type=int, metavar="N", help="Of an older scenario's cells.")
@click.option("--run", metavar="RUN", help="Only this run's cells; a unique prefix will do.")
@format_options
@store_option
def leaderboard(scenario: str, fmt: str | None, output: str | None, **given: Any) -> None:
    """Print the board of SCENARIO: testbed, real, ppc or mi.

    Every mean has its standard error beside it. A board never mixes sweeps, scales, settings or
    versions.
    """
    if scenario not in SCENARIOS:
        raise unknown("scenario", scenario, SCENARIOS)
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    reader = Reader(open_store(given.pop("store")))
    params = {"scenario": scenario, "filter": " ".join(given.pop("filters")), **given}
    params["sort"] = list(sort_words(params["sort"]))
    for name in ("columns", "by"):
        params[name] = list(words(params[name]))
    params["settings"] = settings_object(params["settings"])
    chosen = {name: value for name, value in params.items() if value not in (None, "", [], False)}
    emit(reader, "board", chosen, chosen_format(fmt, output), output)
