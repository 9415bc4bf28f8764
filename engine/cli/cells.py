"""`augury cells`: every stored number in long form, or the cells that failed."""

from __future__ import annotations

import click

from augury.engine.catalog.scenarios import SCENARIOS
from augury.engine.catalog.sweeps import SWEEPS
from augury.engine.cli.command import Command
from augury.engine.cli.options import (
    chosen_format,
    existing_store,
    format_options,
    sort_words,
    store_option,
)
from augury.engine.errors import UsageError, unknown

MOST_LINES = 10**12  # below DuckDB's own bound, above any store


@click.command(
    cls=Command,
    examples=(
        "augury cells --format csv -o cells.csv",
        "augury cells --scenario mi --filter 'metric=mi seed<3' --format parquet -o mi.parquet",
        "augury cells --failed",
    ),
)
@click.option("--scenario", metavar="SCENARIO", help="Only this scenario.")
@click.option("--sweep", metavar="SWEEP", help="Only this sweep.")
@click.option("--run", metavar="RUN", help="Only this run; a unique prefix will do.")
@click.option("--filter", "filters", multiple=True, metavar="TERMS",
              help="Keep lines: COL<VALUE, COL~TEXT, a word, ! for not.")  # fmt: skip
@click.option("--sort", multiple=True, metavar="[-]COL", help="Sort column; repeatable.")
@click.option("--limit", type=click.IntRange(1, MOST_LINES), help="At most so many lines.")
@click.option("--failed", is_flag=True, help="The cells that failed, and why; takes --run only.")
@format_options
@store_option
def cells(
    scenario: str | None,
    sweep: str | None,
    run: str | None,
    filters: tuple[str, ...],
    sort: tuple[str, ...],
    limit: int | None,
    failed: bool,
    fmt: str | None,
    output: str | None,
    store: str | None,
) -> None:
    """Export cells and their numbers: one line for each number, full precision.

    The metric kl is in nats; kappa 0 with tau above 1 is --kappa iid: independent test inputs.
    """
    if scenario in SWEEPS and scenario not in SCENARIOS:
        raise UsageError(f"{scenario} is a sweep: give --sweep {scenario}.")
    if scenario is not None and scenario not in SCENARIOS:
        raise unknown("scenario", scenario, SCENARIOS)
    params = {
        "scenario": scenario,
        "sweep": sweep,
        "filter": " ".join(filters),
        "sort": list(sort_words(sort)),
        "limit": limit,
    }
    given = {name: value for name, value in params.items() if value}
    if failed and given:
        raise UsageError("--failed goes with --run only. Or: `augury cells --filter failed`")
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    name = "failures" if failed else "cells"
    if run:
        given["run"] = run
    emit(Reader(existing_store(store)), name, given, chosen_format(fmt, output), output)
