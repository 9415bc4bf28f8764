"""Options that several commands share."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from augury.engine.cli.failure import say
from augury.engine.cli.hints import remember_store
from augury.engine.errors import StoreError, UsageError
from augury.engine.paths import store_directory

if TYPE_CHECKING:
    from augury.engine.service.link import Link, Store


@dataclass(frozen=True, slots=True)
class Chosen:
    """What the options before the command say about the store."""

    store: str | None = None
    ssh: str | None = None
    program: str | None = None


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
    context = click.get_current_context(silent=True)
    outer = context.find_root().obj if context else None
    chosen = outer if isinstance(outer, Chosen) else Chosen()
    if chosen.ssh is not None:
        link = _far_store(chosen, given)
        remember_store(link)
        return link
    return _here(store_directory(given or chosen.store))


def is_far(store: Store) -> bool:
    """Whether a store is on another machine."""
    return not isinstance(store, Path)


def local_store(given: str | None) -> Path:
    """As `open_store`, for what must be on this machine. Raises `UsageError` with `--ssh`."""
    return _here(local_path(given))


def local_path(given: str | None) -> Path:
    """As `local_store`, whatever lies there."""
    context = click.get_current_context(silent=True)
    outer = context.find_root().obj if context else None
    chosen = outer if isinstance(outer, Chosen) else Chosen()
    if chosen.ssh is not None and context is not None:
        from augury.engine.service.dial import parse

        raise UsageError(
            f"{context.command_path} works on its own machine only: "
            f"ssh {parse(chosen.ssh).host} {context.command_path}"
        )
    return store_directory(given or chosen.store)


def _far_store(chosen: Chosen, given: str | None) -> Link:
    from dataclasses import replace

    from augury.engine.service.dial import parse
    from augury.engine.service.link import Link

    address = parse(chosen.ssh or "", chosen.program)
    store = given or chosen.store
    if store and address.directory:
        raise UsageError("the store is named twice: by --ssh HOST:DIR and by --store DIR.")
    link = Link(replace(address, directory=store or address.directory))
    link.dial(quiet=not sys.stdin.isatty())
    click.get_current_context().find_root().call_on_close(link.close)
    return link


def _here(path: Path) -> Path:
    if path.exists() and not path.is_dir():
        raise StoreError(f"{path} is no directory: give --store a directory.")
    remember_store(path)
    return path


def format_options(command: F) -> F:
    """`--format` and `-o`."""
    command = click.option(
        "-o", "--output", metavar="FILE", help="Write there; the suffix may give the format."
    )(command)
    return click.option(
        "--format", "fmt", type=click.Choice(FORMATS), help="Default: table, or by FILE's suffix."
    )(command)


def chosen_format(fmt: str | None, output: str | None) -> str:
    """The format given, else the file suffix's, else a table, said where a suffix misleads."""
    suffix = Path(output or "").suffix
    if fmt is None and suffix.lower() not in ("", *_SUFFIXES) and _is_plain(output or ""):
        say(f"{suffix} names no format ({' '.join(_SUFFIXES)}): a table of text. Or give --format.")
    return fmt or _SUFFIXES.get(suffix.lower(), "table")


def _is_plain(output: str) -> bool:
    """Whether a file's name is the caller's choice: that of a device or a pipe is not."""
    path = Path(os.path.expanduser(output))
    return path.is_file() or not path.exists()


def sort_words(values: tuple[str, ...]) -> tuple[str, ...]:
    """Columns to sort by. Raises `UsageError` for what looks like another option."""
    found = words(values)
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


def words(values: tuple[str, ...]) -> tuple[str, ...]:
    """Repeated options and comma lists, as one list without blanks and doubles."""
    found = (word.strip() for value in values for word in value.split(","))
    return tuple(dict.fromkeys(word for word in found if word))


def labels(values: tuple[str, ...]) -> tuple[str, ...]:
    """As `words`, for rows of a board: commas between brackets belong to a name."""
    found: list[str] = []
    for value in values:
        depth, start = 0, 0
        for place, char in enumerate(value):
            depth += (char == "[") - (char == "]")
            if char == "," and depth <= 0:
                found.append(value[start:place])
                start = place + 1
        found.append(value[start:])
    return tuple(dict.fromkeys(word.strip() for word in found if word.strip()))
