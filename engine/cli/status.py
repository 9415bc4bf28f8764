"""`augury status`: is an engine alive, and how far are the runs."""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from augury.engine.cli.command import Command
from augury.engine.cli.hints import hint
from augury.engine.cli.options import existing_store, store_option
from augury.engine.cli.terminal import moves_cursor
from augury.engine.cli.wording import columns, count, duration, fit
from augury.engine.text_width import first, width_of

if TYPE_CHECKING:
    from augury.engine.service.link import Store

WATCH_SECONDS = 1.0


@click.command(
    cls=Command, examples=("augury status", "augury status --watch", "augury status --json")
)
@click.option("--watch", is_flag=True, help="Repeat every second until Ctrl-C.")
@click.option("--json", "as_data", is_flag=True, help="As JSON; with --watch one line each time.")
@store_option
def status(watch: bool, as_data: bool, store: str | None) -> None:
    """Show the engine, its workers and all runs, newest first."""
    path = existing_store(store)
    screen = watch and not as_data and moves_cursor(sys.stdout)
    while True:
        found = current(path)
        if as_data:
            text = json.dumps(found, indent=None if watch else 1)
        else:
            width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
            text = "\n".join(lines(found, path, width))
        if screen:  # painted over from the top, without a blank screen between
            text = "\n".join(page(text.split("\n"), *shutil.get_terminal_size()))
            text = "\x1b[H" + text.replace("\n", "\x1b[K\n") + "\x1b[J"
        click.echo(text, color=screen or None)
        if not watch:
            return
        time.sleep(WATCH_SECONDS)


def page(text: list[str], width: int, height: int) -> list[str]:
    """What fits a screen of which the cursor needs the last line: the newest runs come first."""
    cut = [fit(line, width - 1) if width_of(line) >= width else line for line in text]
    room = max(height - 1, 1)
    return (
        cut
        if len(cut) <= room
        else [*cut[: room - 1], f"... {count(len(cut) - room + 1, 'more line')}"]
    )


def current(path: Store) -> dict[str, Any]:
    """The status JSON, from the engine or, where none lives, from the store; newest run first."""
    from augury.engine.service.reader import Reader

    found = Reader(path).status()
    runs = sorted(found["runs"], key=lambda run: run["created"], reverse=True)
    return {**found, "runs": [{**run, "resume": _resume(run)} for run in runs]}


def _resume(run: Mapping[str, Any]) -> str | None:
    """The command that goes on with a run that stands still."""
    still = run["state"] in ("stopped", "paused", "cancelled")
    return hint("resume", run["run_id"]) if still else None


def lines(found: Mapping[str, Any], path: Store, width: int | None = None) -> list[str]:
    """The status as text: the engine, its workers, then a table of runs cut to `width`."""
    engine = found["engine"]
    if engine is None:
        text = [f"no engine is running (store {path})"]
    else:
        up = duration(engine["uptime_seconds"])
        text = [f"engine {engine['pid']}, version {engine['version']}, up {up} (store {path})"]
        text += _workers(engine["workers"])
    rows = [_run(run) for run in found["runs"]]
    if not rows:
        return [*text, f"no runs yet. Start one: {hint('run', 'quick')}"]
    header = ["run", "state", "cells", "failed", "left", "first", "command"]
    if not any(run.get("priority") for run in found["runs"]):
        rows, header = [[*row[:5], *row[6:]] for row in rows], [*header[:5], *header[6:]]
    why = [f"{r['run_id']} is {r['state']}: {r['reason']}" for r in found["runs"] if r["reason"]]
    why += _stopped(found["runs"])
    why += [guessed for run in found["runs"] if (guessed := guess(run))]
    return [
        *text,
        *(first(line, width) if width else line for line in columns([header, *rows])),
        *why,
    ]


def _stopped(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    """How to go on with what no engine works on; one engine takes up all of it."""
    stopped = [run for run in runs if run["state"] == "stopped"]
    if not stopped:
        return []
    left = sum(run["total"] - run["done"] - run["failed"] for run in stopped)
    which = f"{stopped[0]['run_id']} is" if len(stopped) == 1 else f"{len(stopped)} runs are"
    return [f"{which} stopped with {count(left, 'cell')} left. Go on: {hint('resume')}"]


def _workers(workers: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each process, and one for the places that have none yet or any more."""
    living = [worker for worker in workers if worker.get("pid")]
    text = [_worker(worker) for worker in living]
    if waiting := len(workers) - len(living):
        of = "more " if living else ""
        text.append(f"  {count(waiting, f'{of}worker')} can start when there is work")
    return text


def _worker(worker: Mapping[str, Any]) -> str:
    cells = worker.get("cells")
    number = len(cells) if isinstance(cells, (list, tuple)) else cells or 0
    on = f" on {worker['device']}" if worker.get("device") else ""  # known once it says hello
    text = f"  worker {worker['pid']}{on}: {worker['state']}"
    text += f", {count(number, 'cell')}" if number else ""
    return f"{text}, {use}" if (use := usage(worker.get("use") or {})) else text


def usage(use: Mapping[str, Any]) -> str:
    """`71 % busy, 38.0 of 140.4 GiB, 54 °C`, as far as it is known."""
    percent, memory, total = use.get("percent"), use.get("memory"), use.get("total")
    parts = [] if percent is None else [f"{percent} % busy"]
    if memory is not None:
        of = f" of {total / 1024:.1f}" if total else ""
        parts.append(f"{memory / 1024:.1f}{of} GiB")
    if use.get("celsius") is not None:
        parts.append(f"{use['celsius']} °C")
    return ", ".join(parts)


def _run(run: Mapping[str, Any]) -> list[str]:
    done = f"{run['done'] + run['failed']:,}/{run['total']:,}"
    return [
        run["run_id"], run["state"], done, f"{run['failed']:,}", time_left(run),
        f"{run.get('priority', 0):+d}", run["command"],
    ]  # fmt: skip


def time_left(run: Mapping[str, Any]) -> str:
    """How long the run will take; `~` where some of it is a guess, `-` where nothing is known."""
    if run.get("seconds_left") is None:
        return "-"
    return "~" * bool(run.get("guessed_cells")) + duration(run["seconds_left"])


def guess(run: Mapping[str, Any]) -> str:
    """What of a run's time left is a guess; "" where none is."""
    number = run.get("guessed_cells")
    if not number:
        return ""
    open_cells = run["total"] - run["done"] - run["failed"]
    which = f"{run['run_id']}: {number:,} of {count(open_cells, 'cell')} left"
    if run["seconds_left"] is None:
        return f"{which} are of kinds never timed here: how long they take is not known yet"
    return f"{which} are of kinds never timed here: they count as the nearest kind"
