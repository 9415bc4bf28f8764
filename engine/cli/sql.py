"""`augury sql`: one read-only statement."""

from __future__ import annotations

import click

from augury.engine.cli.command import Command
from augury.engine.cli.options import chosen_format, existing_store, format_options, store_option


@click.command(
    cls=Command,
    examples=(
        'augury sql "select subject, count(*) from cells group by all order by 2 desc"',
        "augury sql \"select * from results where metric = 'kl'\" --format csv -o kl.csv",
    ),
)
@click.argument("statement")
@format_options
@store_option
def sql(statement: str, fmt: str | None, output: str | None, store: str | None) -> None:
    """Run one SELECT on the store. It cannot write, and is stopped after 30 seconds.

    Tables: runs, cells, run_cells, results, curves, attempts.
    """
    from augury.engine.cli.output import emit
    from augury.engine.service.reader import Reader

    params = {"sql": statement}
    emit(Reader(existing_store(store)), "sql", params, chosen_format(fmt, output), output)
