"""`augury engine`: the process that computes and stores."""

from __future__ import annotations

import time
from pathlib import Path

import click

from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.options import open_store, store_option
from augury.engine.errors import EngineAbsentError, EngineError

DRAIN_SECONDS = 600.0  # a batch aims at two minutes; what runs is finished and committed first


@click.command(
    cls=Command, examples=("augury engine restart", "augury engine stop", "augury engine status")
)
@click.argument("action", type=click.Choice(["restart", "stop", "status"]))
@store_option
def engine(action: str, store: str | None) -> None:
    """Restart or stop the engine after it has committed what it is computing, or show it.

    A restarted engine goes on with the runs that were not finished.
    """
    path = open_store(store)
    if action == "status":
        from augury.engine.cli.status import current, lines

        for line in lines({**current(path), "runs": []}, path)[:-1]:
            click.echo(line)
        return
    stopped = _stop(path)
    if action == "stop" and not stopped:
        say("no engine is running.")
    if action == "restart":
        _start(path)


def _stop(path: Path) -> bool:
    """Drain and wait; False if none lives. Raises `EngineError` if it does not end."""
    from augury.engine.service import client

    try:
        living = client.connect(path)
    except EngineAbsentError:
        return False
    pid = living.hello["pid"]
    try:
        living.call("drain")
    except EngineError:
        pass  # it may end before it answers
    finally:
        living.close()
    say(f"engine {pid} finishes what it is computing ...")
    deadline = time.monotonic() + DRAIN_SECONDS
    while time.monotonic() < deadline:
        try:
            client.connect(path).close()
        except EngineAbsentError:
            say(f"engine {pid} has stopped.")
            return True
        except EngineError:
            pass  # between two answers it closes the socket
        time.sleep(0.1)
    raise EngineError(f"engine {pid} still works after {DRAIN_SECONDS:.0f} s; see augury logs.")


def _start(path: Path) -> None:
    from augury.engine.service import client

    with client.ensure(path) as fresh:
        say(f"engine {fresh.hello['pid']} has started.")
