"""A person's table as training and test rows of numbers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from augury.engine.datasets.load import Split
from augury.engine.datasets.own import encode
from augury.engine.datasets.own.arrays import ArrayTable
from augury.engine.datasets.own.columns import KINDS, Strays, Table, find, listed, plain, word
from augury.engine.datasets.own.encode import Encoder
from augury.engine.datasets.own.file import check, form_of, stem_of, unchanged
from augury.engine.datasets.own.header import read_header
from augury.engine.datasets.own.recipe import Recipe, digest, name_of
from augury.engine.datasets.own.split import split
from augury.engine.datasets.own.sql import SqlTable
from augury.engine.datasets.own.target import Target, read_target
from augury.engine.errors import UsageError
from augury.engine.wording import count

MOST_NUMBERS = 2**28  # of all rows and inputs: a gibibyte
MOST_ABSOLUTE = 1e300  # beyond, sums overflow
LEAST_COUNTED = 20  # rows from which on 1, 2, 3 ... is no coincidence
MOSTLY = 0.95  # share of numbers from which on text is taken for numbers with a slip
LEAST_NAMES = 20  # levels from which on text may be an identifier
MOST_TOLD = 4  # columns of one message, each with its reason


@dataclass(frozen=True, slots=True)
class About:
    """What a table is, once it has been read: what a person is told, and what an id needs."""

    name: str  # part of the problem's id
    digest: str
    num_train: int
    num_test: int
    input_dim: int
    classes: tuple[str, ...]
    counts: tuple[int, ...]  # rows of each class
    unlabelled: int  # rows without a label, left out
    kinds: tuple[tuple[str, int], ...]  # kind of column -> how many
    left_out: tuple[str, ...]  # columns that tell nothing, each with its reason
    tested: int  # classes of test rows


@dataclass(slots=True)
class _Plan:
    """Columns that become inputs, and those that do not."""

    encoders: list[tuple[str, str, Encoder]] = field(default_factory=list)  # name, kind, how
    left_out: list[str] = field(default_factory=list)


def describe(path: Path, recipe: Recipe) -> About:
    """Read all of a table and check it. Raises `UsageError`."""
    return _read(path, recipe, "")[0]


def names(path: Path, ignore: Collection[str] = ()) -> tuple[str, ...]:
    """Of the columns, without arrays that are ignored. Raises `UsageError`."""
    form = form_of(path)
    check(path)
    if form == "csv":
        return read_header(path).names
    table = _open(path, form, ignore)
    try:
        return tuple(table.names)
    finally:
        table.close()


def load(path: str, recipe: str, planned: str) -> tuple[Split, About]:
    """Rows of the table with this digest.

    Raises:
        UsageError: the file is gone, no longer what it was, or no table.
    """
    about, rows = _read(Path(path), Recipe.from_text(recipe), planned)
    return rows, about


def _read(path: Path, recipe: Recipe, planned: str) -> tuple[About, Split]:
    form = form_of(path)
    with unchanged(path) as sha256:
        found = digest(sha256, form, recipe)
        if planned and found != planned:
            raise UsageError(
                f"{path} changed since the run was launched; launch it again. What it gave before "
                "is kept under its old digest."
            )
        table = _open(path, form, recipe.ignore, recipe.category)
        try:
            about, rows = _numbers(path, table, recipe, found)
        finally:
            table.close()
    return about, rows


def open_table(path: Path) -> Table:
    """The columns of a file, which the caller closes. Raises `UsageError`."""
    form = form_of(path)
    check(path)
    return _open(path, form)


def _open(
    path: Path, form: str, ignore: Collection[str] = (), category: Collection[str] = ()
) -> Table:
    if form == "npz":
        return ArrayTable(path, ignore, category)
    return SqlTable(path, form, category)


def _numbers(path: Path, table: Table, recipe: Recipe, found: str) -> tuple[About, Split]:
    find(path, recipe.target, table.names, "--target")
    for name in recipe.ignore:
        find(path, name, (*table.names, *table.ignored), "--ignore")
    for name in recipe.category:
        find(path, name, table.names, "--category")
    target = read_target(path, table, recipe.target)
    rows = split(target.labels, recipe.test_share, recipe.split_seed)
    if len(rows.test) < 2:
        raise UsageError(
            f"{path}: {recipe.test_share:g} of {len(target.rows):,} rows leaves "
            f"{len(rows.test)} to test on, and 2 are needed: raise --test-share."
        )
    train, test = target.rows[rows.train], target.rows[rows.test]
    plan = _fit(path, table, recipe, train)
    width = sum(encoder.width for _, _, encoder in plan.encoders)
    if not width:
        why = f": {listed(plan.left_out)}" if plan.left_out else ""
        raise UsageError(f"{path} has no column that tells classes apart{why}.")
    if width * len(target.rows) > MOST_NUMBERS:
        raise UsageError(
            f"{path}: {len(target.rows):,} rows of {width:,} inputs are more than "
            f"{MOST_NUMBERS:,} numbers: leave columns out with --ignore, or take fewer rows."
        )
    arrays = np.empty((len(train), width), np.float32), np.empty((len(test), width), np.float32)
    start = 0
    for name, kind, encoder in plan.encoders:
        block = encoder.encode(_values(table, name, kind))  # type: ignore[arg-type]
        for array, at in zip(arrays, (train, test), strict=True):
            array[:, start : start + encoder.width] = block[at]
        start += encoder.width
    data = Split(arrays[0], target.labels[rows.train], arrays[1], target.labels[rows.test])
    return _about(path, recipe, found, target, plan, data), data


def _values(table: Table, name: str, kind: str) -> object:
    return table.texts(name) if kind == "text" else table.numbers(name)


def _fit(path: Path, table: Table, recipe: Recipe, train: NDArray[np.int64]) -> _Plan:
    plan, refused = _Plan(), dict[str, str]()
    for name in table.names:
        if name == recipe.target or name in recipe.ignore:
            continue
        kind = table.kind(name)
        encoder: Encoder | None = None
        if kind not in KINDS:
            refused[name] = f"is of type {kind}, which is no number, date or text"
        elif kind == "text":
            named = name in recipe.category
            why = "" if named else _stray_trouble(table.strays(name))
            if why := why or _text_trouble(*table.variety(name)):
                refused[name] = why
            else:
                encoder = encode.fit_levels(table.texts(name).codes[train])
        elif kind != "empty":
            values = table.numbers(name)
            if why := _number_trouble(values):
                refused[name] = why
            else:
                fit = encode.fit_booleans if kind == "boolean" else encode.fit_numbers
                encoder = fit(values[train])
        if encoder is not None:
            plan.encoders.append((name, kind, encoder))
        elif name not in refused:
            why = "no value" if kind == "empty" else "the same in all training rows"
            plan.left_out.append(f"{plain(name)} ({why})")
    if refused:
        raise _refusal(path, refused)
    return plan


def _number_trouble(values: NDArray[np.float64]) -> str:
    wild = np.flatnonzero(np.abs(values) > MOST_ABSOLUTE)  # infinite ones too; NaN is not
    if len(wild):
        first = f"the first of them row {wild[0] + 1:,}"
        return f"is infinite or beyond {MOST_ABSOLUTE:g} in {count(len(wild), 'row')}, {first}"
    steps = np.diff(values)
    if len(values) >= LEAST_COUNTED and abs(steps[0]) == 1 and (steps == steps[0]).all():
        return "counts the rows, which tells of their order and of nothing else"
    return ""


def _text_trouble(levels: int, given: int) -> str:
    if levels <= max(LEAST_NAMES, given // 2):
        return ""
    what = "an identifier, or text to be read, and no category"
    return f"has {levels:,} different texts in {given:,} rows: {what}"


def _stray_trouble(found: Strays) -> str:
    """Why text is taken for numbers with a slip: as categories each would be one of its own."""
    if found.given < LEAST_COUNTED or not MOSTLY * found.given <= found.numbers < found.given:
        return ""
    others = found.given - found.numbers
    first = f", the first of {others:,}" if others > 1 else ""
    return (
        f": {found.numbers:,} of {found.given:,} values are numbers, row {found.row:,} is "
        f"{plain(found.value)!r}{first}"
    )


def _refusal(path: Path, refused: Mapping[str, str]) -> UsageError:
    named = [
        f"column {plain(name)!r}{'' if why.startswith(':') else ' '}{why}"
        for name, why in refused.items()
    ]
    slips = [name for name, why in refused.items() if why.startswith(":")]
    meant = " ".join(f"--category {word(name)}" for name in slips[:MOST_TOLD])
    mend = (
        f" Correct such values, or empty them; if they are names of few categories: {meant}."
        if slips
        else ""
    )
    more = f"; and {len(named) - MOST_TOLD:,} more" if len(named) > MOST_TOLD else ""
    options = " ".join(f"--ignore {word(name)}" for name in list(refused)[: 4 * MOST_TOLD])
    return UsageError(
        f"{path}: {'; '.join(named[:MOST_TOLD])}{more}.{mend} To leave out: {options}"
    )


def _about(
    path: Path, recipe: Recipe, found: str, target: Target, plan: _Plan, data: Split
) -> About:
    kinds: dict[str, int] = {}
    for _, kind, _ in plan.encoders:
        kinds[kind] = kinds.get(kind, 0) + 1
    return About(
        name_of(stem_of(path), recipe.target), found, len(data.train_y), len(data.test_y),
        data.train_x.shape[1], target.classes, target.counts, target.unlabelled,
        tuple(kinds.items()), tuple(plan.left_out), len(np.unique(data.test_y)),
    )  # fmt: skip
