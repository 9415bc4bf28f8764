"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from augury.engine.errors import StoreError
from augury.engine.paths import store_directory

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("table", "csv", "markdown", "latex", "json", "parquet")
_SUFFIXES = {
    ".csv": "csv", ".md": "markdown", ".tex": "latex", ".json": "json", ".parquet": "parquet",
    ".txt": "table",
}  # fmt: skip


def store_option(command: F) -> F:
    """`--store DIR`."""
    return click.option(
        "--store", metavar="DIR", help="Store directory; else AUGURY_STORE, else XDG data."
    )(command)


def open_store(given: str | None) -> Path:
    """The store's directory: the command's `--store`, the program's, the environment's."""
    context = click.get_current_context(silent=True)
    outer = context.find_root().obj if context else None
    path = store_directory(given or (outer if isinstance(outer, str) else None))
    if path.exists() and not path.is_dir():
        raise StoreError(f"{path} is no directory: give --store a directory.")
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
    """The format given, else the file suffix's, else a table."""
    return fmt or _SUFFIXES.get(Path(output or "").suffix.lower(), "table")


def words(values: tuple[str, ...]) -> tuple[str, ...]:
    """Repeated options and comma lists, as one list without blanks and doubles."""
    found = (word.strip() for value in values for word in value.split(","))
    return tuple(dict.fromkeys(word for word in found if word))
