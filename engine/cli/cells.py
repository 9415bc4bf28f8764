"""`augury cells`: every stored number in long form."""

from __future__ import annotations

import click

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.cli.command import Command
from augury.engine.cli.options import chosen_format, format_options, open_store, store_option
from augury.engine.errors import unknown


@click.command(
    cls=Command,
    examples=(
        "augury cells --format csv -o cells.csv",
        "augury cells --scenario mi --run r1a2b3c --format parquet -o mi.parquet",
    ),
)
@click.option("--scenario", metavar="SCENARIO", help="Only this scenario.")
@click.option("--run", metavar="RUN", help="Only this run; a unique prefix will do.")
@format_options
@store_option
def cells(
    scenario: str | None,
    run: str | None,
    fmt: str | None,
    output: str | None,
    store: str | None,
) -> None:
    """Export cells and their numbers: one line for each number, full precision.

    The metric kl is in nats; kappa 0 with tau above 1 means independent test inputs.
    """
    if scenario is not None and scenario not in SCENARIOS:
        raise unknown("scenario", scenario, SCENARIOS)
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    params = {"scenario": scenario, "run": run}
    given = {name: value for name, value in params.items() if value}
    emit(Reader(open_store(store)), "cells", given, chosen_format(fmt, output), output)
