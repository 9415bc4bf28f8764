"""`augury attach`, `cancel`, `resume`, `retry`: what can be done to a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint
from augury.engine.cli.options import existing_store, is_there, store_option
from augury.engine.cli.wording import count
from augury.engine.errors import EngineError, UsageError

if TYPE_CHECKING:
    from augury.engine.service.link import Store

Run = Mapping[str, Any]
UNDER_WAY = ("running", "stopped")  # the next engine takes a stopped one up unasked


@click.command(cls=Command, examples=("augury attach", "augury attach r1a2b3c"))
@click.argument("run", required=False)
@store_option
def attach(run: str | None, store: str | None) -> None:
    """Watch RUN, by default the newest that goes on, to its end, then print its boards."""
    from augury.engine.cli.boards import print_boards, run_boards
    from augury.engine.cli.watch import ENDED, leave, watch

    path = existing_store(store)
    chosen = pick(runs_of(path), run)
    run_id = chosen["run_id"]
    if chosen["state"] not in ENDED:
        chosen = watch(path, run_id)
    print_boards(path, run_boards(path, run_id))
    leave(path, chosen)


@click.command(cls=Command, examples=("augury cancel r1a2b3c", "augury cancel --all"))
@click.argument("run", required=False)
@click.option("--all", "every", is_flag=True, help="Every run that goes on.")
@store_option
def cancel(run: str | None, every: bool, store: str | None) -> None:
    """Stop RUN. Stored cells stay; the others stay pending for `augury resume`."""
    if bool(run) == every:
        raise UsageError("name one run, or give --all. See: " + hint("status"))
    from augury.engine.service import client

    path = existing_store(store)
    runs = runs_of(path)
    going = [r for r in runs if r["state"] in UNDER_WAY]
    chosen = going if every else [pick(runs, run)]
    if every and not chosen:
        say("no run goes on.")
        return
    for each in chosen:
        _refuse(each, "finished", "cancelled")
    # A run whose engine died is cancelled too: by a new engine, before it feeds anything.
    with client.ensure(path) as engine:
        for each in chosen:
            engine.call("cancel", run=each["run_id"])
            say(f"cancelled {each['run_id']}. Go on: {hint('resume', each['run_id'])}")


@click.command(cls=Command, examples=("augury resume", "augury resume r1a2b3c"))
@click.argument("run", required=False)
@store_option
def resume(run: str | None, store: str | None) -> None:
    """Go on with the pending cells of RUN, or of every run that was paused."""
    path = existing_store(store)
    found = runs_of(path)
    chosen = [pick(found, run)] if run else found
    if run:
        _refuse(chosen[0], "finished")
    # Where the engine of a run died, a new one takes it up unasked.
    under_way = [one["run_id"] for one in chosen if one["state"] in UNDER_WAY]
    paused = [one["run_id"] for one in chosen if one["state"] == "paused" or run]
    if paused and not (run and under_way):
        under_way += _ask(path, "resume", run)["runs"]
    elif under_way:
        _wake(path)
    _say_runs(under_way, "nothing to resume: no run is paused. A cancelled one needs its name.")


@click.command(cls=Command, examples=("augury retry --failed", "augury retry --failed r1a2b3c"))
@click.argument("run", required=False)
@click.option("--failed", is_flag=True, required=True, help="The cells that failed.")
@store_option
def retry(run: str | None, failed: bool, store: str | None) -> None:
    """Try the failed cells of RUN, or of all runs, once more."""
    path = existing_store(store)
    # No engine need start on a store that is not there.
    answer: dict[str, Any] = _ask(path, "retry", run) if run or is_there(path) else {"cells": 0}
    if answer["cells"]:
        say(f"{count(answer['cells'], 'failed cell')} to be tried again.")
    _say_runs(answer["runs"] if answer["cells"] else [], "no cell has failed.")


def runs_of(path: Store) -> list[Run]:
    """All runs of a store, newest first."""
    from augury.engine.cli.status import current

    return current(path)["runs"]


def pick(runs: Sequence[Run], prefix: str | None) -> Run:
    """The run a unique prefix names; without one, the newest that goes on, else the newest.

    Raises `UsageError`.
    """
    if not runs:
        raise UsageError("this store has no run yet. Start one: " + hint("run", "quick"))
    if prefix is None:
        return next((run for run in runs if run["state"] in UNDER_WAY), runs[0])
    found = [run for run in runs if run["run_id"].startswith(prefix)]
    exact = [run for run in found if run["run_id"] == prefix]
    if len(exact or found) == 1:
        return (exact or found)[0]
    if found:
        names = ", ".join(run["run_id"] for run in found[:5])
        raise UsageError(f"{prefix!r} is the start of several runs: {names}.")
    newest = ", ".join(run["run_id"] for run in runs[:5])
    raise UsageError(f"no run starts with {prefix!r}. Newest runs: {newest}.")


def _refuse(run: Run, *states: str) -> None:
    """Raises `EngineError` for a run in one of these states; no engine need start to say so."""
    if run["state"] not in states:
        return
    again = ""
    if run["state"] == "finished" and run["failed"]:
        again = f" Its failed cells: {hint('retry', '--failed', run['run_id'])}"
    raise EngineError(f"run {run['run_id']} is {run['state']} already.{again}")


def _wake(path: Store) -> None:
    from augury.engine.service import client

    with client.ensure(path):
        pass


def _ask(path: Store, method: str, run: str | None) -> dict[str, Any]:
    from augury.engine.service import client

    run_id = pick(runs_of(path), run)["run_id"] if run else None
    with client.ensure_for(method, path) as engine:
        return engine.call(method, run=run_id)


def _say_runs(run_ids: Sequence[str], otherwise: str) -> None:
    from augury.engine.cli.watch import goes_on

    for run_id in run_ids:
        goes_on(run_id)
    if not run_ids:
        say(otherwise)
