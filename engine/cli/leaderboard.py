"""`augury leaderboard`: one scenario's board, sorted and filtered in SQL."""

from __future__ import annotations

import click

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.settings import SCALES
from augury.engine.cli.command import Command
from augury.engine.cli.options import (
    chosen_format,
    format_options,
    open_store,
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
@click.argument("scenario")
@click.option(
    "--sort", multiple=True, metavar="[-]COL", help="Sort column; - reverses; repeatable."
)
@click.option("--filter", "filters", multiple=True, metavar="COL=VALUE",
              help="Keep rows, e.g. input_dim=10; repeatable.")  # fmt: skip
@click.option("--columns", multiple=True, metavar="A,B", help="Only these columns, in this order.")
@click.option("--baseline", metavar="SUBJECT", help="Divide by the mean of this one.")
@click.option("--common", is_flag=True,
              help="Rank subjects with missing cells too, on what all have.")  # fmt: skip
@click.option("--sweep", metavar="SWEEP", help="Default: the newest run's.")
@click.option("--scale", type=click.Choice(SCALES), help="Default: the newest run's.")
@format_options
@store_option
def leaderboard(
    scenario: str,
    sort: tuple[str, ...],
    filters: tuple[str, ...],
    columns: tuple[str, ...],
    baseline: str | None,
    common: bool,
    sweep: str | None,
    scale: str | None,
    fmt: str | None,
    output: str | None,
    store: str | None,
) -> None:
    """Print the board of SCENARIO: testbed, real, ppc or mi."""
    if scenario not in SCENARIOS:
        raise unknown("scenario", scenario, SCENARIOS)
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    params = {
        "board": scenario,
        "sort": words(sort),
        "filters": filters,
        "columns": words(columns),
        "baseline": baseline,
        "common": common,
        "sweep": sweep,
        "scale": scale,
    }
    given = {name: value for name, value in params.items() if value}
    emit(Reader(open_store(store)), "board", given, chosen_format(fmt, output), output)
