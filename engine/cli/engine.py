"""`augury engine`: the process that computes and stores."""

from __future__ import annotations

from pathlib import Path

import click

from augury.engine.cli import stopping
from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.options import existing_local_store, store_option


@click.command(
    cls=Command,
    examples=(
        "augury engine restart", "augury engine stop", "augury engine stop --now",
        "augury engine status",
    ),
)  # fmt: skip
@click.argument("action", type=click.Choice(["restart", "stop", "status"]))
@click.option("--now", is_flag=True,
              help="Do not wait: put the batches back; what is finished is kept.")  # fmt: skip
@click.option("--patience", type=click.FloatRange(min=0), metavar="SECONDS",
              default=stopping.PATIENCE_SECONDS, show_default=True,
              help="Give up waiting after so long; the engine goes on draining.")  # fmt: skip
@store_option
def engine(action: str, now: bool, patience: float, store: str | None) -> None:
    """Restart or stop the engine after it has committed what it is computing, or show it.

    A restarted engine goes on with the runs that were not finished, and long trainings with what
    they kept within the last minute.
    """
    path = existing_local_store(store)
    if action == "status":
        from augury.engine.cli.status import current, lines

        for line in lines({**current(path), "runs": []}, path)[:-1]:
            click.echo(line)
        return
    stopped = stopping.stop(path, patience, now)
    if action == "stop" and not stopped:
        say("no engine is running.")
    if action == "restart":
        _start(path)


def _start(path: Path) -> None:
    from augury.engine.service import client

    with client.ensure(path) as fresh:
        say(f"engine {fresh.hello['pid']} has started.")
