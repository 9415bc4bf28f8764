"""A person's words about a table of their own, and what is said of it once it is read."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from augury.engine.datasets.own.file import FORMS
from augury.engine.datasets.own.recipe import Recipe
from augury.engine.errors import UsageError, unknown
from augury.engine.wording import count

if TYPE_CHECKING:
    from augury.engine.datasets.own.load import About

OPTIONS = ("--target", "--ignore", "--category", "--test-share", "--split-seed")
SUFFIXES = tuple(FORMS)  # of files that are tables
USUAL = Recipe("")
_NUMBER = r"[+-]?\d*\.?\d+"
_MANY_CLASSES, _FEW_ROWS = 50, 20  # more classes of whole numbers with fewer rows are doubtful
_MOST_CLASSES = 6  # named one by one


@dataclass(frozen=True, slots=True)
class Asked:
    """The options as given."""

    path: Path
    target: str | None = None
    ignore: tuple[str, ...] = ()
    test_share: float = USUAL.test_share
    split_seed: int = USUAL.split_seed
    category: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Read:
    """What a selection says of a table, and what a person is told of it."""

    table: tuple[str, str, int, str, str]  # name, digest, training rows, path, recipe
    lines: tuple[str, ...]


def parse(text: str) -> Asked:
    """`FILE --target COLUMN` and further options, as on the command line. Raises `UsageError`."""
    try:
        words = shlex.split(text)
    except ValueError:
        raise UsageError("a quote is not closed.") from None
    files: list[str] = []
    given: dict[str, list[str]] = {}
    while words:
        name, equals, value = words.pop(0).partition("=")
        if not name.startswith("--"):
            files.append(name + equals + value)
            continue
        if name not in (*OPTIONS, "--data"):
            raise unknown("option of a table", name, OPTIONS)
        if not equals and not words:
            raise UsageError(f"{name} needs a value.")
        value = value if equals else words.pop(0)
        (files if name == "--data" else given.setdefault(name, [])).append(value)
    if len(files) != 1:
        named = ": " + ", ".join(files) if files else ""
        raise UsageError(f"one FILE is taken, with --target COLUMN behind it{named}.")
    for name in ("--target", *OPTIONS[3:]):
        once(name, given.get(name, ()))
    share, seed = (given.get(name, [""])[-1] for name in OPTIONS[3:])
    return Asked(
        Path(files[0]).expanduser().absolute(),
        given.get("--target", [None])[-1],
        tuple(given.get("--ignore", ())),
        _number("--test-share", share) if share else USUAL.test_share,
        int(_number("--split-seed", seed, whole=True)) if seed else USUAL.split_seed,
        tuple(given.get("--category", ())),
    )


def once(name: str, values: Sequence[object]) -> None:
    """Raise `UsageError` for an option of one value that is given several."""
    if len(values) > 1:
        raise UsageError(f"{name} takes one value, got {', '.join(map(str, values))}.")


def _number(name: str, text: str, *, whole: bool = False) -> float:
    try:
        return int(text) if whole else float(text)
    except ValueError:
        raise UsageError(f"{name} takes a {'whole ' * whole}number, got {text!r}.") from None


def read(asked: Asked) -> Read:
    """All of the table, read and checked. Raises `UsageError`."""
    from augury.engine.datasets.own.columns import find, listed
    from augury.engine.datasets.own.load import describe, names

    columns = names(asked.path, asked.ignore)
    if not asked.target:
        raise UsageError(f"--data needs --target, the column that is predicted: {listed(columns)}.")
    # Before a large file is read for nothing.
    find(asked.path, asked.target, columns, "--target")
    recipe = Recipe(asked.target, asked.ignore, asked.test_share, asked.split_seed, asked.category)
    about = describe(asked.path, recipe)
    table = about.name, about.digest, about.num_train, str(asked.path), recipe.text()
    return Read(table, tuple(told(asked.path, recipe, about)))


def table_words(recipe: str) -> list[str]:
    """The options behind `--data FILE` that ask for a recipe."""
    found = Recipe.from_text(recipe)
    words = ["--target", found.target]
    for name in found.ignore:
        words += ["--ignore", name]
    for name in found.category:
        words += ["--category", name]
    if found.test_share != USUAL.test_share:
        words += ["--test-share", f"{found.test_share!r}"]
    if found.split_seed != USUAL.split_seed:
        words += ["--split-seed", str(found.split_seed)]
    return words


def told(path: Path, recipe: Recipe, about: About) -> list[str]:
    """What was read, how it is split, and what is left out."""
    from augury.engine.datasets.own.columns import listed, plain

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
    strange = [n for n in about.classes if not re.fullmatch(_NUMBER, n, re.ASCII)]
    if len(strange) == 1 < len(about.classes) - 1:
        lines.append(
            f"every class but {plain(strange[0])!r} is a number: if that stands for a missing "
            "value, empty it"
        )
    each_has = rows / len(about.classes)
    whole = all(re.fullmatch(r"-?\d+", name, re.ASCII) for name in about.classes)
    if whole and len(about.classes) > _MANY_CLASSES and each_has < _FEW_ROWS:
        lines.append(
            f"target {plain(recipe.target)} may be a measurement: {len(about.classes):,} whole "
            f"numbers of {each_has:.1f} rows each; agents tell classes apart and know no order"
        )
    if about.tested == 1:
        lines.append(
            "all rows to test on are of one class: scores tell nothing of the others; "
            "--test-share takes more of each"
        )
    if about.left_out:
        lines.append(f"left out: {listed(about.left_out)}")
    return lines
