"""`augury where`: the places this program reads and writes."""

from __future__ import annotations

import click

from augury.engine.cli.command import Command
from augury.engine.cli.options import local_store, store_option
from augury.engine.datasets.places import fetched_directory
from augury.engine.paths import (
    ASSETS,
    ROOT,
    cache_directory,
    config_file,
    data_directory,
    state_directory,
)

PLACES = ("store", "cache", "state", "config", "data", "assets", "program")


@click.command(cls=Command, examples=("augury where", "augury where store"))
@click.argument("what", required=False, type=click.Choice(PLACES))
@store_option
def where(what: str | None, store: str | None) -> None:
    """Print where things lie: the store, caches, preferences, bundled files.

    With one name, prints that path alone, for use in scripts.
    """
    places = {
        "store": local_store(store),
        "cache": cache_directory(),
        "state": state_directory(),
        "config": config_file(),
        "data": data_directory() or fetched_directory(),
        "assets": ASSETS,
        "program": ROOT,
    }
    if what:
        click.echo(places[what])
        return
    for name, place in places.items():
        click.echo(f"{name:<8} {place}")
