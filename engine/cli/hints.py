"""Commands that other commands suggest: ready to paste where the person stands."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from augury.engine.paths import store_directory

if TYPE_CHECKING:
    from augury.engine.service.link import Store

_STORE = "augury.store"


def remember_store(store: Store) -> None:
    """The store of the command that runs: hints name it where it is not the default."""
    context = click.get_current_context(silent=True)
    if context:
        context.find_root().meta[_STORE] = store


def as_called(message: str) -> str:
    """The message with its commands by the name the program was called by.

    These stand in backquotes; or `first augury` begins one that ends it, which becomes a `hint`.
    """
    program = os.environ.get("AUGURY_PROGRAM", "augury")
    message = message.replace("`augury ", f"`{program} ")
    said, first, words = message.rpartition(": first augury ")
    return f"{said}: first {hint(*shlex.split(words))}" if first else message


def hint(*words: str) -> str:
    """`augury WORDS`, by the name the program was called by and with the `--store` it needs."""
    from augury.engine.cli.plain_streams import command_as_shown

    context = click.get_current_context(silent=True)
    store = context.find_root().meta.get(_STORE) if context else None
    program = os.environ.get("AUGURY_PROGRAM", "augury")
    if store is not None and not isinstance(store, Path):
        return command_as_shown(shlex.join([program, *store.address.options(), *words]))
    place = ["--store", str(store)] if store not in (None, store_directory()) else []
    return command_as_shown(shlex.join([program, *words, *place]))
