"""`augury priority`: which run the workers turn to first."""

from __future__ import annotations

import click

from augury.engine.cli.command import Command
from augury.engine.cli.control import pick, runs_of
from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.options import existing_store, store_option
from augury.engine.errors import EngineError


@click.command(
    cls=Command,
    context_settings={"ignore_unknown_options": True},  # -1 is a number here
    examples=("augury priority r1a2b3c 5", "augury priority r1a2b3c -1"),
)
@click.argument("run")
@click.argument("number", type=int, metavar="N")
@store_option
def priority(run: str, number: int, store: str | None) -> None:
    """Feed RUN before runs with a priority below N, after those above; 0 is usual.

    Batches under way are finished first, so it may take two minutes to show.
    """
    from augury.engine.service import client

    path = existing_store(store)
    chosen = pick(runs_of(path), run)
    if chosen["state"] == "finished":
        raise EngineError(f"run {chosen['run_id']} is finished already.")
    with client.ensure(path) as engine:
        engine.call("prioritise", run=chosen["run_id"], priority=number)
    say(f"run {chosen['run_id']} has priority {number}. See: {hint('status')}")
