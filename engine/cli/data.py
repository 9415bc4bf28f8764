"""`augury data`: which data sets are here; fetch those that are not."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import click

from augury.engine.catalog.datasets import DATASETS
from augury.engine.catalog.entry import lookup
from augury.engine.cli import names as complete
from augury.engine.cli.command import Command
from augury.engine.cli.failure import say
from augury.engine.cli.hints import as_called
from augury.engine.cli.options import local_path
from augury.engine.cli.wording import columns, fit, size
from augury.engine.datasets.presence import amount, look, verify
from augury.engine.errors import AuguryError, UsageError
from augury.engine.text_width import width_of


@click.command(
    cls=Command,
    examples=(
        "augury data list",
        "augury data fetch mnist emnist/letters",
        "augury data fetch --all --to /scratch/data   # then AUGURY_DATA=/scratch/data",
        "augury data verify",
        "augury data path mnist",
    ),
)
@click.argument("action", type=click.Choice(["list", "fetch", "verify", "path"]))
@click.argument("names", nargs=-1, metavar="[NAME]...", shell_complete=complete.datasets)
@click.option("--all", "every", is_flag=True, help="fetch: every set that is not here.")
@click.option("--to", metavar="DIR", help="fetch: into DIR instead of the cache.")
@click.option("--json", "as_data", is_flag=True, help="list: as JSON, with every file.")
def data(action: str, names: tuple[str, ...], every: bool, to: str | None, as_data: bool) -> None:
    """List data sets, fetch them, verify every byte, or print where they lie.

    What is fetched goes into the cache (augury where cache), whole and verified or not at all; an
    interrupted fetch goes on where it stopped. Files of your own are found in AUGURY_DATA, as
    NAME/FILE. `augury data list --json` names each file, its checksum and its sources.
    """
    local_path(None)  # refuses --ssh: the other machine has data of its own
    for name in names:
        if parts := [part for part in DATASETS if part.startswith(f"{name}/")]:
            raise UsageError(f"{name} is several data sets: {', '.join(parts)}.")
        lookup(DATASETS, name, "data set")
    for option, given, of in (("--all", every, "fetch"), ("--to", to, "fetch"),
                              ("--json", as_data, "list")):  # fmt: skip
        if given and action != of:
            raise UsageError(f"{option} goes with `augury data {of}`.")
    if action == "fetch":
        _fetch(names, every, to)
    elif action == "path":
        _paths(names)
    elif action == "verify":
        _verify(names)
    elif as_data:
        click.echo(json.dumps([card(name) for name in names or DATASETS], indent=1))
    else:
        for line in listing(names or tuple(DATASETS), _width()):
            click.echo(line)


_LISTED = ("data set", "state", "size", "rows", "sha256", "sweeps", "licence")


def listing(names: Sequence[str], width: int | None) -> list[str]:
    """Lines of the list; sweeps are cut to a terminal's width, where there is one."""
    rows = [list(_LISTED), *map(row, names)]
    lines = columns(rows)
    at = _LISTED.index("sweeps")
    if width is not None and (over := max(map(width_of, lines)) - width) > 0:
        room = max(max(width_of(each[at]) for each in rows) - over, len(_LISTED[at]))
        lines = columns([[*each[:at], fit(each[at], room), *each[at + 1 :]] for each in rows])
    return lines


def _width() -> int | None:
    return shutil.get_terminal_size((80, 24)).columns if sys.stdout.isatty() else None


def row(name: str) -> list[str]:
    """What the list says of a set."""
    about, found = DATASETS[name], look(name, DATASETS[name])
    first, *others = about.fetched
    more = f" and {len(others)} more" if others else ""
    return [
        name, found.state, amount(found), f"{about.num_train + about.num_test:,}",
        first.sha256[:12] + more, ",".join(found.sweeps) or "-", about.licence,
    ]  # fmt: skip


def card(name: str) -> dict[str, Any]:
    """All that is known of a set."""
    about, found = DATASETS[name], look(name, DATASETS[name])
    files = [
        {"name": file.name, "bytes": file.size or None, "sha256": file.sha256 or None,
         "urls": list(about.urls(file)), "member": file.member or None}
        for file in (*about.files, *([about.archive] if about.archive else []))
    ]  # fmt: skip
    kept = ("input_dim", "num_classes", "num_train", "num_test", "all_test", "kind", "licence",
            "source", "doi", "note")  # fmt: skip
    return {
        "name": name, "state": found.state, "bytes": found.size, "total_bytes": found.total,
        "folder": found.folder, "missing": list(found.missing), "sweeps": list(found.sweeps),
        **{word: getattr(about, word) for word in kept}, "files": files,
    }  # fmt: skip


def _fetch(names: tuple[str, ...], every: bool, to: str | None) -> None:
    if bool(names) == every:
        total = size(sum(about.size for about in DATASETS.values() if not about.bundled))
        raise UsageError(f"augury data fetch takes names of data sets, or --all ({total}).")
    root = Path(to).expanduser().absolute() if to else None
    _each(names or tuple(DATASETS), lambda name: _fetch_one(name, root))


def _fetch_one(name: str, root: Path | None) -> None:
    from augury.engine.cli.fetching import FetchProgress
    from augury.engine.datasets.fetch import fetch
    from augury.engine.datasets.places import folder

    progress = FetchProgress(name)
    try:
        is_new = fetch(name, DATASETS[name], progress, root)
    finally:
        progress.close()
    if DATASETS[name].bundled:
        say(f"{name}: shipped with Augury.")
    else:
        say(f"{name}: {'fetched and verified' if is_new else 'was here already, and is right'}.")
    place = (
        look(name, DATASETS[name]).folder if root is None else folder(name, DATASETS[name], root)
    )
    click.echo(str(place))


def _verify(names: tuple[str, ...]) -> None:
    def one(name: str) -> None:
        if not names and look(name, DATASETS[name]).state == "absent":
            click.echo(f"{name:<{width}}  absent")
        elif problem := verify(name, DATASETS[name]):
            raise AuguryError(problem)
        else:
            click.echo(f"{name:<{width}}  right")

    width = max(map(len, names or DATASETS))
    _each(names or tuple(DATASETS), one)


def _paths(names: tuple[str, ...]) -> None:
    if not names:
        raise UsageError("augury data path takes names of data sets.")
    for name in names:
        found = look(name, DATASETS[name])
        if found.missing:
            say(f"{name} is not here: its files belong into that folder.")
        click.echo(found.folder)


def _each(names: tuple[str, ...], do: Callable[[str], None]) -> None:
    """Do it for all of them, whatever fails; then raise what failed last, the others are said."""
    failed: list[AuguryError] = []
    for name in names:
        try:
            do(name)
        except AuguryError as error:
            if failed:
                say(f"augury: {as_called(failed[-1].message)}")
            failed.append(error)
    if failed:
        raise failed[-1]
