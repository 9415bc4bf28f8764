"""`augury problem`: the reference's problem ids beside ours."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import asdict, fields

import click

from augury.engine.catalog.problems import parse
from augury.engine.catalog.reference_ids import ReferenceProblem, find, sweeps_of, table
from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.wording import columns


@click.command(
    cls=Command,
    examples=(
        "augury problem classification/80",
        "augury problem testbed/d10-l10-t0.1/e0",
        "augury problem classification_2d --format csv > ids.csv",
    ),
)
@click.argument("ids", nargs=-1, metavar="[ID...]")
@click.option("--format", "fmt", type=click.Choice(("table", "csv", "json")), default="table",
              help="Default: table.")  # fmt: skip
def problem(ids: tuple[str, ...], fmt: str) -> None:
    """Say what a problem id of the Neural Testbed is called here, and the other way round.

    ID is an id of either, or a sweep of the reference; without one, every id is listed. The same
    name is the same kind of environment, drawn with other random numbers. kappa 0 is
    --kappa iid: independent test inputs.
    """
    lines = [line for word in ids for line in _found(word)] if ids else list(table())
    rows = [asdict(line) for line in dict.fromkeys(lines)]
    if fmt == "json":
        click.echo(json.dumps(rows, indent=1))
        return
    names = [field.name for field in fields(ReferenceProblem)]
    if fmt == "csv":
        writer = csv.DictWriter(sys.stdout, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        return
    for line in columns([names, *([str(row[name]) for name in names] for row in rows)]):
        click.echo(line)


def _found(word: str) -> tuple[ReferenceProblem, ...]:
    lines = find(word)
    if not lines:
        sweeps = sweeps_of(parse(word).id)
        where = f"in {' and '.join(sweeps)}" if sweeps else "in no sweep (augury list sweeps)"
        say(f"{word}: a valid id, {where}; the reference has no such problem.")
    return lines
