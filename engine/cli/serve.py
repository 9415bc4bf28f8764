"""`augury serve`: the application in a browser, for whoever has the token."""

from __future__ import annotations

import os

import click

from augury.engine.catalog.entry import Extra
from augury.engine.cli.command import Command
from augury.engine.cli.options import check_readable, local_store, preferences, store_option
from augury.engine.preferences import FLAG
from augury.engine.targets import load

# Strings, as that of the application in `home`, and for the same reason.
CHECK = "augury.tui.keymap:checked"
SERVER = "augury.tui.web.serve:serve"
NEEDED = (Extra("textual_serve", "textual-serve"), Extra("aiohttp", "aiohttp"))


@click.command(cls=Command, examples=("augury serve", "augury serve --port 9000"))
@click.option("--port", type=click.IntRange(0, 65535), default=8793, show_default=True,
              help="On this machine's loopback address only; 0 takes a free one.")  # fmt: skip
@store_option
def serve(port: int, store: str | None) -> None:
    """Show the application in a browser on this machine, to whoever has the printed address.

    The address holds a random token. From elsewhere, forward the port: ssh -L 8793:127.0.0.1:8793
    HOST. Every browser tab is an application of its own on the same store.
    """
    path = local_store(store)
    chosen = preferences()
    # What no tab could start with is refused here, to the person who can mend it.
    load(CHECK)(chosen.values.keys)
    check_readable(path)
    for name, source in chosen.sources.items():
        if source == FLAG:  # the applications in the tabs are processes of their own
            os.environ[f"AUGURY_{name.upper()}"] = str(getattr(chosen.values, name))
    for extra in NEEDED:
        if extra.missing:
            raise extra.refusal("augury serve")
    load(SERVER)(path, port)
