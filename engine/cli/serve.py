"""`augury serve`: the application in a browser, for whoever has the token."""

from __future__ import annotations

from importlib.util import find_spec

import click

from augury.engine.cli.command import Command
from augury.engine.cli.options import local_store, store_option
from augury.engine.errors import AuguryError
from augury.engine.targets import load

# A string, as that of the application in `home`, and for the same reason.
SERVER = "augury.tui.web.serve:serve"
NEEDED = ("textual_serve", "aiohttp", "jinja2")


@click.command(cls=Command, examples=("augury serve", "augury serve --port 9000"))
@click.option("--port", type=click.IntRange(0, 65535), default=8793, show_default=True,
              help="On this machine's loopback address only; 0 takes a free one.")  # fmt: skip
@store_option
def serve(port: int, store: str | None) -> None:
    """Show the application in a browser on this machine, to whoever has the printed address.

    The address holds a random token. From elsewhere, forward the port: ssh -L 8793:localhost:8793
    HOST. Every browser tab is an application of its own on the same store.
    """
    path = local_store(store)
    missing = [name for name in NEEDED if find_spec(name) is None]
    if missing:
        raise AuguryError(
            "the browser needs packages that are not installed: pip install 'augury[serve]'."
        )
    load(SERVER)(path, port)
