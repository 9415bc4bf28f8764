"""A person's own table on the command line: `--data FILE --target COLUMN` and what goes with it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from augury.engine.cli.failure import say
from augury.engine.datasets.own.ask import USUAL, Asked, once, read
from augury.engine.errors import UsageError


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--data` and the options that go with it, as one argument `table`; None without `--data`."""

    @click.option("--data", multiple=True, metavar="FILE",
                  help="Your own table of classes: .csv, .parquet or .npz.")  # fmt: skip
    @click.option(
        "--target", multiple=True, metavar="COLUMN", help="The column of it that is predicted."
    )
    @click.option("--ignore", multiple=True, metavar="COLUMN",
                  help="A column of it that is left out, such as an identifier.")  # fmt: skip
    @click.option("--category", multiple=True, metavar="COLUMN",
                  help="A column of it whose values are names, numbers or not.")  # fmt: skip
    @click.option("--test-share", type=float, metavar="SHARE",
                  help="Of each class to test on; default 0.2, 10,000 rows at most.")  # fmt: skip
    @click.option("--split-seed", type=int, metavar="N",
                  help="Draws which rows these are; default 0.")  # fmt: skip
    @functools.wraps(command)
    def with_table(
        *args: Any,
        data: tuple[str, ...],
        target: tuple[str, ...],
        ignore: tuple[str, ...],
        category: tuple[str, ...],
        test_share: float | None,
        split_seed: int | None,
        **options: Any,
    ) -> Any:
        once("--data", data)
        once("--target", target)
        given = {
            "--target": target or None,
            "--ignore": ignore or None,
            "--category": category or None,
            "--test-share": test_share,
            "--split-seed": split_seed,
        }
        if not data:
            alone = [name for name, value in given.items() if value is not None]
            if alone:
                raise UsageError(f"{alone[0]} goes with --data FILE.")
            return command(*args, table=None, **options)
        table = Asked(
            Path(data[0]).expanduser().absolute(),
            target[0] if target else None,
            ignore,
            USUAL.test_share if test_share is None else test_share,
            USUAL.split_seed if split_seed is None else split_seed,
            category,
        )
        return command(*args, table=table, **options)

    return with_table


def read_table(asked: Asked) -> tuple[str, str, int, str, str]:
    """What a selection says of the table, once all of it has been read; a person is told of it.

    Raises `UsageError`.
    """
    found = read(asked)
    for line in found.lines:
        say(line)
    return found.table
