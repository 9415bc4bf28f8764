"""`augury bridge`: what `augury --ssh` calls at the far end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import click

from augury.engine.canonical import JSON
from augury.engine.cli.command import Command
from augury.engine.cli.options import local_store, store_option


@click.command(
    cls=Command, examples=("augury --ssh gpu1", "augury --ssh ann@gpu1:~/bench leaderboard testbed")
)
@store_option
def bridge(store: str | None) -> None:
    """Serve a store over standard input and output; `augury --ssh HOST` calls it over there.

    ssh is your own: hosts, keys and jump hosts come from its settings, and AUGURY_SSH="ssh -p 2222"
    replaces it. The far Augury is found on the PATH of that machine's shell, or where --ssh-command
    or AUGURY_SSH_COMMAND says. To launch, both ends must be of the same sources; to read, of the
    same protocol.
    """
    from augury.engine.service import bridge as service

    service.main(local_store(store), _examined)


def _examined(store: Path) -> Iterator[JSON]:
    from augury.engine.doctor.report import FAR, report

    return (asdict(found) for found in report(store, FAR))
