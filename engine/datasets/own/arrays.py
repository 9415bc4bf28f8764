"""Arrays of an .npz file as a table: each is a column, or several side by side."""

from __future__ import annotations

import zipfile
from collections.abc import Collection, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from augury.engine.datasets.own.columns import Strays, Texts, check_names, check_rows, plain
from augury.engine.errors import UsageError

MOST_BYTES = 4 << 30  # of all arrays, unpacked
_HINT = "To leave an array out: --ignore NAME"
_DAY = np.timedelta64(1, "D")


class ArrayTable:
    """An array [n] is a column of its name; [n, ...] is NAME[0], NAME[1], ..., the axes flattened.

    NaN is missing, as are NaT and the empty text.
    """

    def __init__(
        self, path: Path, ignore: Collection[str] = (), category: Collection[str] = ()
    ) -> None:
        """Read the file, but no array that `ignore` names; columns of `category` are text.

        Raises `UsageError` for no table.
        """
        self._path = path
        self._category = frozenset(category)
        self._arrays: dict[str, np.ndarray] = {}
        self._columns: dict[str, tuple[str, int]] = {}  # name -> array and place in it
        found, self._ignored = _arrays(path, ignore)
        rows = {name: len(array) for name, array in found.items()}
        if len(set(rows.values())) > 1:
            named = ", ".join(
                f"{plain(name)} {number:,}" for name, number in list(rows.items())[:8]
            )
            raise UsageError(f"{path}: its arrays have different numbers of rows: {named}. {_HINT}")
        self._num_rows = next(iter(rows.values()))
        check_rows(path, self._num_rows)
        names: list[str] = []
        for name, array in found.items():
            flat = array.reshape(len(array), -1)
            self._arrays[name] = flat
            of = [name] if flat.shape[1] == 1 else [f"{name}[{i}]" for i in range(flat.shape[1])]
            names += of
            self._columns |= {column: (name, i) for i, column in enumerate(of)}
        check_names(path, names)

    @property
    def names(self) -> Sequence[str]:
        """Of the columns."""
        return tuple(self._columns)

    @property
    def ignored(self) -> Collection[str]:
        """As `Table.ignored`."""
        return self._ignored

    @property
    def num_rows(self) -> int:
        """Rows."""
        return self._num_rows

    def kind(self, name: str) -> str:
        """As `Table.kind`."""
        column = self._column(name)
        if name in self._category or column.dtype.kind in "US":
            column = self._texts(name)
            return "text" if (column != column.dtype.type()).any() else "empty"
        if column.dtype.kind == "b":
            return "boolean"
        if np.isnan(self.numbers(name)).all():
            return "empty"
        return "date" if column.dtype.kind == "M" else "number"

    def numbers(self, name: str) -> NDArray[np.float64]:
        """As `Table.numbers`."""
        column = self._column(name)
        if column.dtype.kind == "M":
            return (column - np.datetime64(0, "D")) / _DAY
        return column.astype(np.float64)

    def texts(self, name: str) -> Texts:
        """As `Table.texts`."""
        column = self._texts(name)
        if column.dtype.kind == "S":
            column = np.char.decode(column, "utf-8", "replace")
        levels, codes = np.unique(column, return_inverse=True)
        if len(levels) and levels[0] == "":
            levels, codes = levels[1:], codes - 1
        return Texts(codes.astype(np.int32), tuple(levels.tolist()))

    def variety(self, name: str) -> tuple[int, int]:
        """As `Table.variety`."""
        texts = self.texts(name)
        return len(texts.levels), int((texts.codes >= 0).sum())

    def strays(self, name: str) -> Strays:
        """As `Table.strays`."""
        texts = self.texts(name)
        other = np.array([not _is_number(level) for level in texts.levels], bool)
        given = texts.codes >= 0
        rows = np.flatnonzero(given & other[texts.codes])
        number = int(given.sum())
        if not len(rows):
            return Strays(number, number, 0, "")
        first = int(rows[0])
        return Strays(number, number - len(rows), first + 1, texts.levels[texts.codes[first]])

    def wholes(self, name: str) -> Texts | None:
        """As `Table.wholes`."""
        column = self._column(name)
        if column.dtype.kind not in "iu":
            return None
        distinct, codes = np.unique(column, return_inverse=True)
        return Texts(codes.astype(np.int32), tuple(map(str, distinct.tolist())))

    def close(self) -> None:
        """Free its memory."""
        self._arrays.clear()

    def _texts(self, name: str) -> np.ndarray:
        """A column of text, or of other values as text: missing ones are empty."""
        column = self._column(name)
        if column.dtype.kind in "US":
            return column
        return np.where(np.isnan(self.numbers(name)), "", column.astype(str))

    def _column(self, name: str) -> np.ndarray:
        array, place = self._columns[name]
        return self._arrays[array][:, place]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _arrays(path: Path, ignore: Collection[str]) -> tuple[dict[str, np.ndarray], tuple[str, ...]]:
    """The arrays that are wanted, and the names of the others."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(entry.file_size for entry in archive.infolist())
        if size > MOST_BYTES:
            raise UsageError(f"{path}: its arrays take more than {MOST_BYTES >> 30} GiB.")
        with np.load(path, allow_pickle=False) as file:
            ignored = tuple(name for name in file.files if name in ignore)
            found = {name: file[name] for name in file.files if name not in ignored}
    except UsageError:
        raise
    # zipfile, the decompressors and NumPy's header parser each have errors of their own.
    except Exception as error:  # noqa: BLE001
        objects = " It holds Python objects, which are not read." if "pickle" in str(error) else ""
        raise UsageError(f"{path} is no .npz file of arrays, or a damaged one.{objects}") from None
    if not found:
        raise UsageError(f"{path} holds no array.")
    for name, array in found.items():
        if not isinstance(array, np.ndarray) or array.ndim == 0:
            raise UsageError(
                f"{path}: {plain(name)} is no array with a row for each example. {_HINT}"
            )
        if array.dtype.kind not in "biufUSM":
            raise UsageError(f"{path}: {plain(name)} is of type {array.dtype}, which is no number.")
    return found, ignored
