"""A person's own table on the command line: `--data FILE --target COLUMN` and what goes with it."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from augury.engine.cli.failure import say
from augury.engine.datasets.own.recipe import Recipe
from augury.engine.errors import UsageError
from augury.engine.wording import count

if TYPE_CHECKING:
    from augury.engine.datasets.own.load import About

_USUAL = Recipe("")
_MOST_CLASSES = 6  # named one by one


@dataclass(frozen=True, slots=True)
class Asked:
    """The options as given."""

    path: Path
    target: str | None
    ignore: tuple[str, ...]
    test_share: float
    split_seed: int


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """`--data` and the options that go with it, as one argument `table`; None without `--data`."""

    @click.option("--data", metavar="FILE",
                  help="Your own table of classes: .csv, .parquet or .npz.")  # fmt: skip
    @click.option("--target", metavar="COLUMN", help="The column of it that is predicted.")
    @click.option("--ignore", multiple=True, metavar="COLUMN",
                  help="A column of it that is left out, such as an identifier.")  # fmt: skip
    @click.option("--test-share", type=float, metavar="SHARE",
                  help="Of each class to test on; default 0.2, 10,000 rows at most.")  # fmt: skip
    @click.option("--split-seed", type=int, metavar="N",
                  help="Draws which rows these are; default 0.")  # fmt: skip
    @functools.wraps(command)
    def with_table(
        *args: Any,
        data: str | None,
        target: str | None,
        ignore: tuple[str, ...],
        test_share: float | None,
        split_seed: int | None,
        **options: Any,
    ) -> Any:
        given = {"--target": target, "--ignore": ignore or None, "--test-share": test_share,
                 "--split-seed": split_seed}  # fmt: skip
        if data is None:
            alone = [name for name, value in given.items() if value is not None]
            if alone:
                raise UsageError(f"{alone[0]} goes with --data FILE.")
            return command(*args, table=None, **options)
        table = Asked(
            Path(data).expanduser().absolute(),
            target,
            ignore,
            _USUAL.test_share if test_share is None else test_share,
            _USUAL.split_seed if split_seed is None else split_seed,
        )
        return command(*args, table=table, **options)

    return with_table


def read_table(asked: Asked) -> tuple[str, str, int, str, str]:
    """What a selection says of the table, once all of it has been read; a person is told of it.

    Raises `UsageError`.
    """
    from augury.engine.datasets.own.columns import listed
    from augury.engine.datasets.own.load import describe, names

    if not asked.target:
        columns = listed(names(asked.path))
        raise UsageError(f"--data needs --target, the column that is predicted: {columns}.")
    recipe = Recipe(asked.target, asked.ignore, asked.test_share, asked.split_seed)
    about = describe(asked.path, recipe)
    for line in told(asked.path, recipe, about):
        say(line)
    return about.name, about.digest, about.num_train, str(asked.path), recipe.text()


def table_words(recipe: str) -> list[str]:
    """The options behind `--data FILE` that ask for a recipe."""
    found = Recipe.from_text(recipe)
    words = ["--target", found.target]
    for name in found.ignore:
        words += ["--ignore", name]
    if found.test_share != _USUAL.test_share:
        words += ["--test-share", f"{found.test_share!r}"]
    if found.split_seed != _USUAL.split_seed:
        words += ["--split-seed", str(found.split_seed)]
    return words


def told(path: Path, recipe: Recipe, about: About) -> list[str]:
    """What was read, how it is split, and what is left out."""
    from augury.engine.datasets.own.columns import plain

    rows = about.num_train + about.num_test
    each = [
        f"{plain(name)} {number:,}"
        for name, number in zip(about.classes, about.counts, strict=True)
    ]
    more = len(each) - _MOST_CLASSES
    classes = ", ".join(each[:_MOST_CLASSES]) + (f" and {more:,} more" if more > 0 else "")
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in about.kinds)
    lines = [
        f"{path.name}: {count(rows, 'row')}, {about.num_train:,} to learn from and "
        f"{about.num_test:,} to test on, each class in its share (split seed {recipe.split_seed})",
        f"target {plain(recipe.target)}: {count(len(about.classes), 'class')}: {classes}",
        f"{count(about.input_dim, 'input')} from columns by kind: {kinds}",
    ]
    if about.unlabelled:
        lines.append(f"left out: {count(about.unlabelled, 'row')} without a target")
    lone = sum(number == 1 for number in about.counts)
    if lone:
        lines.append(f"{count(lone, 'class')} of one row only: learned from, never tested on")
    if about.left_out:
        from augury.engine.datasets.own.columns import listed

        lines.append(f"left out: {listed(about.left_out)}")
    return lines
