"""The column that is predicted: its classes, by name, and which rows have one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from augury.engine.datasets.own.columns import KINDS, Table, plain
from augury.engine.datasets.own.recipe import LEAST_ROWS
from augury.engine.errors import UsageError

MOST_CLASSES = 1_000
_EXACT = 2**53  # from here on a floating-point number stands for several whole ones
_MEASURED = 20  # distinct fractions from which on they are no classes


@dataclass(frozen=True, slots=True)
class Target:
    """Labels of the rows that have one."""

    rows: NDArray[np.int64]  # numbers of these rows
    labels: NDArray[np.int32]  # [rows] from 0
    classes: tuple[str, ...]  # numbers by size, others by their letters
    counts: tuple[int, ...]  # rows of each class
    unlabelled: int  # rows left out


def read_target(where: object, table: Table, name: str) -> Target:
    """Classes of a column of any kind.

    Raises `UsageError` where there is nothing to tell apart: no label, one class, a measurement or
    an identifier in place of classes, too few rows.
    """
    column = f"{where}: the target {plain(name)!r}"
    kind = table.kind(name)
    if kind not in KINDS:
        raise UsageError(f"{column} is of type {kind}: no classes.")
    if kind == "empty":
        raise UsageError(f"{column} has no value in any row.")
    if kind == "text":
        _check_shared(column, *table.variety(name))
        texts = table.texts(name)
        codes, classes = texts.codes, texts.levels
    else:
        codes, classes = _of_numbers(column, table, name, kind)
    rows = np.flatnonzero(codes >= 0)
    if len(rows) < LEAST_ROWS:
        raise UsageError(
            f"{column} is given in {len(rows)} of {table.num_rows:,} rows; {LEAST_ROWS} are needed."
        )
    if len(classes) == 1:
        raise UsageError(f"{column} is {plain(classes[0])!r} in every row: one class only.")
    _check_shared(column, len(classes), len(rows))
    if len(classes) > MOST_CLASSES:
        raise UsageError(f"{column} has {len(classes):,} classes; at most {MOST_CLASSES:,}.")
    labels = codes[rows].astype(np.int32)
    counts = tuple(np.bincount(labels, minlength=len(classes)).tolist())
    return Target(rows, labels, classes, counts, table.num_rows - len(rows))


def _check_shared(column: str, classes: int, rows: int) -> None:
    if classes > max(rows // 2, LEAST_ROWS):
        raise UsageError(
            f"{column} has {classes:,} classes in {rows:,} rows: an identifier or a measurement, "
            "and no class that rows share."
        )


def _of_numbers(
    column: str, table: Table, name: str, kind: str
) -> tuple[NDArray[np.int32], tuple[str, ...]]:
    values = table.numbers(name)
    given = ~np.isnan(values)
    distinct, places = np.unique(values[given], return_inverse=True)
    if not np.isfinite(distinct).all():
        raise UsageError(f"{column} has infinite values.")
    if kind == "date":
        raise UsageError(f"{column} is a date: Augury's agents tell classes apart.")
    if len(distinct) > _MEASURED and (distinct != np.round(distinct)).any():
        raise UsageError(
            f"{column} looks like a measurement ({len(distinct):,} different numbers, not all "
            "whole): Augury's agents tell classes apart, so cut it into a few."
        )
    if np.abs(distinct).max() >= _EXACT and (distinct == np.round(distinct)).all():
        _check_shared(column, len(distinct), len(places))
        if (exact := table.wholes(name)) is not None:
            return exact.codes, exact.levels
    codes = np.full(len(values), -1, np.int32)
    codes[given] = places
    if kind == "boolean":
        return codes, tuple("true" if value else "false" for value in distinct)
    return codes, tuple(_number(value) for value in distinct)


def _number(value: float) -> str:
    whole = value == round(value) and abs(value) < _EXACT
    return str(int(value)) if whole else repr(float(value))
