"""Follow one run to its end: events in, progress out; an engine that is lost is found again."""

from __future__ import annotations

import queue
import shlex
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from augury.engine.cli.failure import FAILED_CELLS, INTERRUPTED, say
from augury.engine.cli.hints import hint
from augury.engine.cli.progress import Progress, open_progress
from augury.engine.cli.wording import count
from augury.engine.errors import ChangedError, EngineError
from augury.engine.service import client

if TYPE_CHECKING:
    from augury.engine.service.link import Store

ENDED = ("finished", "cancelled", "paused")
MOST_LOSSES = 5  # engines lost in a row, with no cell committed between, before giving up
POLL_SECONDS, TICK_SECONDS = 3.0, 0.5
Event = Mapping[str, Any]


def watch(path: Store, run_id: str) -> dict[str, Any]:
    """Show a run until it ends; its last status. Ctrl-C leaves it running and exits with 130.

    Raises:
        EngineError: the engine went away again and again.
    """
    progress = open_progress()
    try:
        ended = _until_ended(path, run_id, progress)
        if ended["failed"] > progress.failed_cells:
            progress.failures(_failures(path, run_id))
        return ended
    except KeyboardInterrupt:
        progress.close()
        goes_on(run_id)
        raise SystemExit(INTERRUPTED) from None
    finally:
        progress.close()


def goes_on(run_id: str) -> None:
    """Say that a run needs nobody, and how to come back to it."""
    say(f"run {run_id} goes on by itself")
    say(f"watch: {hint('attach', run_id)}")
    say(f"stop: {hint('cancel', run_id)}")


def leave(path: Store, ended: Event) -> None:
    """Say how a run ended, where that is not plainly well, and exit with its code."""
    failed, state, run_id = ended["failed"], ended["state"], ended.get("run_id")
    if state in ("cancelled", "paused"):
        why = f": {ended['reason']}" if ended.get("reason") else ""
        on = hint("resume", str(run_id))
        raise SystemExit(f"augury: run {run_id} is {state}{why}. Go on: {on}")
    if failed:
        of_run = ("--run", str(run_id)) if run_id else ()
        say(f"{count(failed, 'cell')} failed")
        say(f"why: {hint('cells', '--failed', *of_run)}")
        stale = sum(row["kind"] == ChangedError.__name__ for row in _failures(path, run_id))
        if stale < failed:
            say(f"again: {hint('retry', '--failed', *of_run[1:])}")
        if stale:
            say(f"of a file that has changed: {count(stale, 'cell')}; as it is now: "
                f"{_command(path, run_id)}")  # fmt: skip
        raise SystemExit(FAILED_CELLS)


def _until_ended(path: Store, run_id: str, progress: Progress) -> dict[str, Any]:
    losses, before = 0, -1
    while True:
        try:
            return _follow(path, run_id, progress)
        except EngineError:
            done = progress.finished_cells
            losses, before = (losses + 1, done) if done == before else (1, done)
            if losses > MOST_LOSSES:
                raise
            progress.note("lost the engine; starting it again")
            time.sleep(0.2 * losses)


def _command(path: Store, run_id: str | None) -> str:
    """What started a run, as it would be typed here."""
    from augury.engine.service.reader import Reader

    (row,) = Reader(path).query("runs", run=run_id).dicts()
    return hint(*shlex.split(row["command"])[1:])


def _failures(path: Store, run_id: str | None) -> Iterator[dict[str, Any]]:
    """The store's: cells may have failed before anybody watched, and events may be lost."""
    from augury.engine.service.reader import Reader

    return Reader(path).query("failures", run=run_id).dicts()


def _follow(path: Store, run_id: str, progress: Progress) -> dict[str, Any]:
    """One engine's share of the run. Raises `EngineError` when that engine goes."""
    events: queue.SimpleQueue[Event | None] = queue.SimpleQueue()
    with client.ensure(path) as engine, engine.subscribe() as subscription:
        threading.Thread(target=_pump, args=(subscription, events), daemon=True).start()
        state, asked = status_of(engine, run_id), time.monotonic()
        while state["state"] not in ENDED:
            progress.run(state)
            event = _next(events)
            if event.get("event") == "run":
                state = event["run"] if event["run"]["run_id"] == run_id else state
            else:
                progress.event(run_id, event)
            # Events may be dropped or come before we listen; the engine's answer may not.
            if time.monotonic() - asked > POLL_SECONDS:
                state, asked = status_of(engine, run_id), time.monotonic()
        progress.run(state)
        return dict(state)


def status_of(engine: client.Client, run_id: str) -> Event:
    """One run's part of the status. Raises `EngineError` if the engine knows no such run."""
    for run in engine.call("status")["runs"]:
        if run["run_id"] == run_id:
            return run
    raise EngineError(f"the engine knows no run {run_id}.")


def _pump(events: Iterable[Event], into: queue.SimpleQueue[Event | None]) -> None:
    for event in events:
        into.put(event)
    into.put(None)


def _next(events: queue.SimpleQueue[Event | None]) -> Event:
    """The next event; an empty one after a while, so that the clock is repainted."""
    try:
        event = events.get(timeout=TICK_SECONDS)
    except queue.Empty:
        return {}
    if event is None:
        raise EngineError("the connection ended")
    return event
