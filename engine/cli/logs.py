"""`augury logs`: the engine's own log."""

from __future__ import annotations

import os
import time
from collections.abc import Generator
from pathlib import Path
from typing import BinaryIO

import click

from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.options import existing_local_store, store_option

BLOCK_BYTES = 64 * 1024
FOLLOW_SECONDS = 0.25


@click.command(
    cls=Command, examples=("augury logs -n 100", "augury logs -f", "augury logs --cell 3fa9c1")
)
@click.argument("run", required=False)
@click.option("-f", "--follow", is_flag=True, help="Go on printing until Ctrl-C.")
@click.option("-n", "--lines", "number", type=click.IntRange(0), default=50, show_default=True,
              help="Last lines to print.")  # fmt: skip
@click.option("--cell", metavar="CELL", help="Only what concerns this cell and its batches.")
@store_option
def logs(run: str | None, follow: bool, number: int, cell: str | None, store: str | None) -> None:
    """Show the last lines of the engine's log, or only those that name RUN."""
    path = existing_local_store(store)
    if cell:
        _print_cell(path, cell, number)
        return
    if run:
        from augury.engine.cli.control import pick, runs_of

        run = pick(runs_of(path), run)["run_id"]
    log = log_file(path)
    if not log.exists():
        say(f"no log yet: no engine has run on {path}.")
        return
    with log.open("rb") as file:
        for line in last_lines(file, number, run):
            click.echo(line)
        for line in follow_lines(log, file) if follow else ():
            if run is None or run in line:
                click.echo(line)


def _print_cell(path: Path, cell: str, number: int) -> None:
    from augury.engine.service.log import about_cell
    from augury.engine.service.reader import Reader

    cell_id = str(Reader(path).query("cell", cell=cell).rows[0][0])
    log = log_file(path)
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    found = list(about_cell(lines, cell_id))
    for line in found[-number:] if number else ():
        click.echo(line)
    if not found:
        say(f"the log says nothing of cell {cell_id[:12]}: it is older, or another engine's.")


def log_file(path: Path) -> Path:
    """Where the engine of this store writes its log."""
    from augury.engine.service.log import NAME

    return path / NAME


def last_lines(file: BinaryIO, number: int, word: str | None) -> list[str]:
    """The last lines (that hold the word, if any), read from the end of the file."""
    file.seek(0, os.SEEK_END)
    start, found = file.tell(), b""
    while start and (word is not None or found.count(b"\n") <= number):
        step = min(BLOCK_BYTES, start)
        start -= step
        file.seek(start)
        found = file.read(step) + found
    file.seek(0, os.SEEK_END)
    kept = [line for line in _text(found) if word is None or word in line]
    return kept[-number:] if number else []


def follow_lines(log: Path, file: BinaryIO) -> Generator[str, None, None]:
    """New whole lines for ever; goes on in the new file when the log was turned over."""
    rest = b""
    try:
        while True:
            found = file.read()
            if found:
                *whole, rest = (rest + found).split(b"\n")
                yield from _text(b"\n".join(whole))
                continue
            time.sleep(FOLLOW_SECONDS)
            if log.exists() and not os.path.samestat(log.stat(), os.fstat(file.fileno())):
                file.close()
                file = log.open("rb")
    finally:
        file.close()


def _text(lines: bytes) -> list[str]:
    return lines.decode("utf-8", "replace").splitlines()
