"""`augury logs`: the engine's own log, here or at the end of a link."""

from __future__ import annotations

import time
from collections.abc import Generator, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click

from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.options import existing_store, is_far, store_option

if TYPE_CHECKING:
    from augury.engine.service.reader import Reader

BLOCK_BYTES = 64 * 1024  # of a first look at the end
PART_BYTES = 256 * 1024  # read at a time
ALL_BYTES = 1 << 60
FOLLOW_SECONDS = 0.25
FAR_SECONDS = 1.0


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
    from augury.engine.service.reader import Reader

    path = existing_store(store)
    reader = Reader(path)
    if cell:
        _print_cell(reader, cell, number)
        return
    if run:
        from augury.engine.cli.control import pick, runs_of

        run = pick(runs_of(path), run)["run_id"]
    lines, last = last_lines(reader, number, run)
    if not last:
        say(f"no log yet: no engine has run on {path}.")
        return
    for line in lines:
        click.echo(line)
    seconds = FAR_SECONDS if is_far(path) else FOLLOW_SECONDS
    for line in follow_lines(reader, last, seconds) if follow else ():
        if run is None or run in line:
            click.echo(line)


def _print_cell(reader: Reader, cell: str, number: int) -> None:
    from augury.engine.service.log import about_cell

    cell_id = str(reader.query("cell", cell=cell).rows[0][0])
    lines = "".join(str(part["text"]) for part in _parts(reader, 0)).splitlines()
    found = list(about_cell(lines, cell_id))
    for line in found[-number:] if number else ():
        click.echo(line)
    if not found:
        say(f"the log says nothing of cell {cell_id[:12]}: it is older, or another engine's.")


def last_lines(
    reader: Reader, number: int, word: str | None
) -> tuple[list[str], Mapping[str, Any]]:
    """The last lines (that hold the word, if any), and the part they end with; {} without a log."""
    wanted = ALL_BYTES if word else BLOCK_BYTES
    while True:
        parts = list(_parts(reader, -wanted))
        if not parts:
            return [], {}
        whole = int(parts[0]["size"]) <= wanted
        lines = "".join(str(part["text"]) for part in parts).splitlines()
        if whole or len(lines) > number:
            break
        wanted *= 8
    kept = [line for line in lines if word is None or word in line]
    return kept[-number:] if number else [], parts[-1]


def _parts(reader: Reader, start: int) -> Iterator[Mapping[str, Any]]:
    """From a byte (from the end where negative) to the end of the newest file."""
    part: Mapping[str, Any] | None
    while (part := reader.log(start, PART_BYTES)) is not None:
        yield part
        start = part["end"]
        if start >= part["size"]:
            return


def follow_lines(
    reader: Reader, last: Mapping[str, Any], seconds: float
) -> Generator[str, None, None]:
    """New whole lines for ever; goes on in the new file when the log was turned over."""
    file, end, rest = last["file"], last["end"], ""
    while True:
        part: Mapping[str, Any] | None = reader.log(end, PART_BYTES, file)
        if part is not None and part["file"] != file:  # the one before is not kept any more
            file, end, rest = part["file"], 0, ""
            continue
        if part is not None:
            *whole, rest = (rest + part["text"]).split("\n")
            yield from whole
            end = part["end"]
            if part.get("turned") and end >= part["size"]:
                file, end = part["next"], 0
                continue
            if end < part["size"]:
                continue
        time.sleep(seconds)
