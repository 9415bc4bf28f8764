"""`augury config`: what the terminal application is like, and where that is said."""

from __future__ import annotations

import click

from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.options import preferences
from augury.engine.errors import UsageError
from augury.engine.paths import config_file
from augury.engine.preferences import toml
from augury.engine.targets import load

# Strings, as that of the application in `home`, and for the same reason.
CHECK, TABLE = "augury.tui.keymap:checked", "augury.tui.keymap:table"


@click.command(cls=Command, examples=("augury config show", "augury --ascii config show",
                                      "augury config keys", "augury config path"))  # fmt: skip
@click.argument("what", type=click.Choice(["show", "path", "keys"]))
def config(what: str) -> None:
    """Print the preferences of the terminal application; flags win over environment over file.

    `show` is TOML with a word on where each value is from, `keys` lists the id of each action
    with its keys, `path` is the file that is read, whether or not it is there.
    """
    if what == "path":
        click.echo(config_file())
        return
    if what == "keys":
        _print_keys()
        return
    chosen = preferences()
    load(CHECK)(chosen.values.keys)
    path = config_file()
    click.echo(f"# {path}{'' if path.exists() else ' (not there)'}")
    click.echo(toml(chosen), nl=False)


def _print_keys() -> None:
    """List the keys that hold; whoever mends a wrong file needs this list most of all."""
    try:
        keys = load(CHECK)(preferences().values.keys)
    except UsageError as error:
        say(f"{error.message} These are the keys without that file's.")
        keys = {}
    for line in load(TABLE)(keys):
        click.echo(line)
