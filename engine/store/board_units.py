"""A board's numbers as they are, divided by the baseline's, or as places among the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from augury.engine.catalog.names import UNITS
from augury.engine.errors import UsageError, unknown
from augury.engine.store.board import Board, Column

RAW, NORMALISED, RANK = UNITS
# What the column of a mean is called in other units.
SUFFIX: Mapping[str, str] = {NORMALISED: "_norm", RANK: "_rank"}


def in_units(board: Board, units: str, baseline: str) -> Board:
    """The board with a column in these units behind each mean that has a direction.

    The means themselves become wide: they stay in files, a screen leaves them out. Raises
    `UsageError` for units that are none, and where nothing is there to divide by.
    """
    if units not in ("", *UNITS):
        raise unknown("units", units, UNITS)
    if units in ("", RAW):
        return board
    if units == NORMALISED and not baseline:
        raise UsageError(f"{board.name} has no baseline of its own: give --baseline too.")
    make = _ratio if units == NORMALISED else _place
    there = {column.of: column for column in board.columns if column.stat == "ratio"}
    columns: list[Column] = []
    for column in board.columns:
        columns += _with(column, there if units == NORMALISED else {}, make)
    return replace(board, columns=tuple(columns))


def _with(
    column: Column, there: Mapping[str, Column], make: Callable[[Column], Column]
) -> list[Column]:
    if column.stat == "ratio" and column.of in there:
        return []  # it comes right behind its mean
    if column.stat != "mean" or column.better == "none":
        return [replace(column, wide=True)] if column.stat == "ratio" else [column]
    other = replace(there.get(column.name) or make(column), wide=column.wide)
    return [replace(column, wide=True), other]


def _ratio(column: Column) -> Column:
    return replace(
        column, name=column.name + SUFFIX[NORMALISED], title=f"{column.title} / baseline",
        stat="ratio", of=column.name, unit="ratio",
    )  # fmt: skip


def _place(column: Column) -> Column:
    return replace(
        column, name=column.name + SUFFIX[RANK], title=f"{column.title} rank", stat="rank",
        of=column.name, unit="rank", better="lower",
    )  # fmt: skip
