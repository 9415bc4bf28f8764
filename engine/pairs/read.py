"""A person's x and y from files: .npy and .npz hold numbers, .csv and .parquet text too."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from augury.engine.datasets.own.columns import find
from augury.engine.datasets.own.file import FORMS
from augury.engine.datasets.own.load import open_table
from augury.engine.errors import UsageError
from augury.engine.pairs.sides import MOST_NUMBERS, Side, side
from augury.engine.statistics.given import read_column

LEAST_ROWS = 20
_TABLES = tuple(suffix for suffix, form in FORMS.items() if form != "npz")


@dataclass(frozen=True, slots=True)
class Given:
    """Pairs as they were read."""

    x: Side
    y: Side
    left_out: tuple[str, ...]  # columns that are the same in every row: `x[3]`


def read(x: str, y: str, x_columns: tuple[str, ...] = (), y_columns: tuple[str, ...] = ()) -> Given:
    """Rows of both files, in their order: row i of x belongs to row i of y.

    Args:
        x: a file; of an .npz that holds several arrays the one that is called x.
        y: a file, maybe the same.
        x_columns: of a table, instead of all.
        y_columns: as `x_columns`.

    Raises:
        UsageError: a file is missing or damaged or holds what is no number (.npy, .npz); lengths
            differ; there are fewer than `LEAST_ROWS` rows; as `side`.
    """
    found = [_columns(x, "x", x_columns), _columns(y, "y", y_columns)]
    lengths = [len(columns[0]) for _, columns in found]
    if lengths[0] != lengths[1]:
        raise UsageError(f"{x} has {lengths[0]:,} rows and {y} {lengths[1]:,}: give one y each x.")
    if lengths[0] < LEAST_ROWS:
        raise UsageError(f"{x} has {lengths[0]} rows; at least {LEAST_ROWS} are needed.")
    sides = [
        side(columns, names, path) for path, (names, columns) in zip((x, y), found, strict=True)
    ]
    left_out = tuple(name for _, constant in sides for name in constant)
    return Given(sides[0][0], sides[1][0], left_out)


def _columns(path: str, name: str, chosen: tuple[str, ...]) -> tuple[list[str], list[np.ndarray]]:
    if path.lower().endswith(_TABLES):
        return _of_table(Path(path), name, chosen)
    if chosen:
        raise UsageError(f"--{name}-columns is for tables ({', '.join(_TABLES)}), not {path}.")
    array = read_column(path, name)
    if array.ndim == 0:
        raise UsageError(f"{path} holds one number; it takes one a row [rows], or [rows, columns].")
    flat = array.reshape(len(array), -1)
    _check_size(path, *flat.shape)
    names = [name] if array.ndim == 1 else [f"{name}[{i}]" for i in range(flat.shape[1])]
    return names, list(flat.T)


def _of_table(
    path: Path, option: str, chosen: tuple[str, ...]
) -> tuple[list[str], list[np.ndarray]]:
    table = open_table(path)
    try:
        for name in chosen:
            find(path, name, table.names, f"--{option}-columns")
        names = list(dict.fromkeys(chosen or table.names))
        _check_size(str(path), table.num_rows, len(names))
        found = []
        for name in names:
            if table.kind(name) != "text":
                found.append(table.numbers(name))
                continue
            texts = table.texts(name)
            missing = np.flatnonzero(texts.codes < 0)
            if len(missing):
                raise UsageError(
                    f"{path}: {name} of row {missing[0]} is missing; leave such rows out."
                )
            found.append(np.asarray(texts.levels)[texts.codes])
        return names, found
    finally:
        table.close()


def _check_size(path: str, rows: int, columns: int) -> None:
    if rows * columns > MOST_NUMBERS:
        raise UsageError(
            f"{path} has {rows:,} x {columns:,} numbers; at most {MOST_NUMBERS:,} are taken."
        )
