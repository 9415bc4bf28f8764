"""Options that several commands share."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from augury.engine.cli.failure import say
from augury.engine.cli.hints import hint, remember_store
from augury.engine.errors import StoreError, UsageError
from augury.engine.paths import default_store_directory, store_directory

if TYPE_CHECKING:
    from augury.engine.preferences import Preferred
    from augury.engine.service.link import Link, Store


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the options before the command say about the store."""

    store: str | None = None
    ssh: str | None = None
    program: str | None = None
    flags: Mapping[str, Any] = field(default_factory=dict)  # of the application, as given


F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("table", "csv", "markdown", "latex", "json", "parquet")
_SUFFIXES = {
    ".csv": "csv", ".md": "markdown", ".tex": "latex", ".json": "json", ".parquet": "parquet",
    ".txt": "table", ".markdown": "markdown", ".latex": "latex",
}  # fmt: skip


def store_option(command: F) -> F:
    """`--store DIR`."""
    return click.option(
        "--store", metavar="DIR", help="Store directory; else AUGURY_STORE, else XDG data."
    )(command)


def open_store(given: str | None) -> Store:
    """The store: the command's `--store`, the program's, the environment's; with `--ssh` far off.

    Raises:
        EngineError: the other machine cannot be reached.
    """
    link = far_store(given)
    if link is not None:
        told = f"waiting for {link.address.host} to answer; Ctrl-C gives up"
        link.dial(quiet=not sys.stdin.isatty(), slow=lambda: say(told))
        return link
    return _here(store_directory(given or _chosen().store))


def far_store(given: str | None) -> Link | None:
    """What `--ssh` names, not called yet; None without it."""
    chosen = _chosen()
    return None if chosen.ssh is None else _far_store(chosen, given)


def preferences() -> Preferred:
    """What is preferred of the application. Raises `UsageError`."""
    from augury.engine.preferences import choose

    context = click.get_current_context(silent=True)
    outer = context.find_root().obj if context else None
    return choose(outer.flags if isinstance(outer, Chosen) else {})


def is_far(store: Store) -> bool:
    """Whether a store is on another machine."""
    return not isinstance(store, Path)


def local_store(given: str | None) -> Path:
    """As `open_store`, for what must be on this machine. Raises `UsageError` with `--ssh`."""
    return _here(local_path(given))


def local_path(given: str | None) -> Path:
    """As `local_store`, whatever lies there."""
    refuse_far("works on its own machine only:")
    return store_directory(given or _chosen().store)


def refuse_far(why: str) -> None:
    """Raise `UsageError` where there is `--ssh`: why, then the command to call over there."""
    chosen, context = _chosen(), click.get_current_context(silent=True)
    if chosen.ssh is not None and context is not None:
        from augury.engine.service.dial import parse

        there = parse(chosen.ssh, chosen.program)
        raise UsageError(
            f"{context.command_path} {why} "
            f"ssh {there.host} {there.program}{context.command_path.removeprefix('augury')}"
        )


def _chosen() -> Chosen:
    context = click.get_current_context(silent=True)
    outer = context.find_root().obj if context else None
    return outer if isinstance(outer, Chosen) else Chosen()


def _far_store(chosen: Chosen, given: str | None) -> Link:
    from dataclasses import replace

    from augury.engine.service.dial import parse
    from augury.engine.service.link import Link

    address = parse(chosen.ssh or "", chosen.program)
    store = given or chosen.store
    if store and address.directory:
        raise UsageError("the store is named twice: by --ssh HOST:DIR and by --store DIR.")
    link = Link(replace(address, directory=store or address.directory))
    remember_store(link)
    click.get_current_context().find_root().call_on_close(link.close)
    return link


def _here(path: Path) -> Path:
    if path.exists() and not path.is_dir():
        raise StoreError(f"{path} is no directory: give --store a directory.")
    remember_store(path)
    return path


def existing_store(given: str | None) -> Store:
    """As `open_store`, for what only reads or goes on. Raises as `check_there`."""
    store = open_store(given)
    check_there(store)
    return store


def existing_local_store(given: str | None) -> Path:
    """As `local_store`, for what only reads or goes on. Raises as `check_there`."""
    path = local_store(given)
    check_there(path)
    return path


def check_there(store: Store) -> None:
    """Refuse a folder that a person named and that is not there: a slip of the pen.

    The default one reads as empty before the first run. Raises `UsageError`.
    """
    if isinstance(store, Path):
        named = store != default_store_directory()
    else:
        named = bool(store.address.directory)
    if named and not is_there(store):
        raise UsageError(absent(store))


def check_readable(store: Path) -> None:
    """Refuse a store that the application could not show. Raises `StoreError`."""
    from augury.engine.service.reader import Reader

    reader = Reader(store)
    if reader.exists():
        reader.query("contexts")


def is_there(store: Store) -> bool:
    """Whether there is a store; one that is not there yet reads as an empty one."""
    if isinstance(store, Path):
        return store.exists()
    from augury.engine.service.reader import Reader

    return Reader(store).exists()


def absent(store: Store) -> str:
    """What to say of a store that is not there."""
    return f"no store at {store} yet; `{hint('run', 'quick')}` makes one."


def format_options(command: F) -> F:
    """`--format` and `-o`."""
    return formats_of(FORMATS)(command)


def formats_of(formats: Iterable[str]) -> Callable[[F], F]:
    """`--format`, one of these, and `-o`."""

    def wrapped(command: F) -> F:
        command = click.option(
            "-o", "--output", metavar="FILE", help="Write there; the suffix may give the format."
        )(command)
        return click.option(
            "--format", "fmt", type=click.Choice(list(formats)),
            help="Default: table, or by FILE's suffix.",
        )(command)  # fmt: skip

    return wrapped


def chosen_format(fmt: str | None, output: str | None, formats: Collection[str] = FORMATS) -> str:
    """The format given, else the file suffix's, else a table, said where a suffix misleads."""
    known = {suffix: name for suffix, name in _SUFFIXES.items() if name in formats}
    suffix = Path(output or "").suffix
    if fmt is None and suffix.lower() not in ("", *known) and _is_plain(output or ""):
        say(f"{suffix} names no format ({' '.join(known)}): a table of text. Or give --format.")
    return fmt or known.get(suffix.lower(), "table")


def _is_plain(output: str) -> bool:
    """Whether a file's name is the caller's choice: that of a device or a pipe is not."""
    path = Path(os.path.expanduser(output))
    return path.is_file() or not path.exists()


def sort_words(values: tuple[str, ...]) -> tuple[str, ...]:
    """Columns to sort by. Raises `UsageError` for what looks like another option."""
    found = words("--sort", values)
    for word in found:
        if word.startswith("--") or word == "-":
            raise UsageError(f"--sort takes COLUMN or -COLUMN, got {word!r}.")
    return found


def settings_object(text: str | None) -> Any:
    """`--settings JSON`; None where it is not given. Raises `UsageError`."""
    if text is None:
        return None
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise UsageError(f"--settings takes a JSON object, got {text!r}.")
    return found


def words(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """Repeated options and comma lists, as one list without doubles.

    Raises `UsageError` where a list has an empty item: it may be a name that got lost.
    """
    return _whole(option, values, [value.split(",") for value in values])


def points(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """The numbers of `--tau` or `--kappa`, or "iid" for a kappa, as words. Raises `UsageError`."""
    found = words(option, values)
    for word in found:
        if option == "--kappa" and word == "iid":
            continue
        if option == "--kappa" and word == "0":
            raise UsageError("--kappa 0 is written --kappa iid: inputs of which none repeats.")
        if not re.fullmatch(r"[1-9]\d{0,8}", word, re.ASCII):
            takes = "whole numbers from 1 on" + (" or iid" if option == "--kappa" else "")
            raise UsageError(f"{option} takes {takes}, such as {option} 1,10; got {word!r}.")
    return found


def labels(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """As `words`, for rows of a board: commas between brackets belong to a name."""
    lists: list[list[str]] = []
    for value in values:
        found: list[str] = []
        depth, start = 0, 0
        for place, char in enumerate(value):
            depth += (char == "[") - (char == "]")
            if char == "," and depth <= 0:
                found.append(value[start:place])
                start = place + 1
        lists.append([*found, value[start:]])
    return _whole(option, values, lists)


def _whole(option: str, values: Sequence[str], lists: Sequence[Sequence[str]]) -> tuple[str, ...]:
    for value, items in zip(values, lists, strict=True):
        if not all(item.strip() for item in items):
            raise UsageError(f"{option} {value!r} has an empty item: write A,B without gaps.")
    return tuple(dict.fromkeys(item.strip() for items in lists for item in items))
