"""A table of typed columns, whatever file it comes from."""

from __future__ import annotations

import re
import shlex
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from augury.engine.errors import UsageError

KINDS = ("number", "date", "boolean", "text", "empty")
MOST_COLUMNS = 10_000
MOST_ROWS = 20_000_000
_MOST_NAMED = 8


@dataclass(frozen=True, slots=True)
class Texts:
    """A column of text: for each row the place of its level, -1 where it is missing."""

    codes: NDArray[np.int32]  # [rows]
    levels: tuple[str, ...]  # in order; each occurs


@dataclass(frozen=True, slots=True)
class Strays:
    """Values of a column of text that are no numbers."""

    given: int  # values in all
    numbers: int  # of these
    row: int  # of the first that is none, from 1
    value: str  # which it is; empty where there is none


class Table(Protocol):
    """Columns that are fetched one at a time, so that few are ever in memory twice."""

    @property
    def names(self) -> Sequence[str]:
        """Of the columns, in the order of the file; each once."""
        ...

    @property
    def ignored(self) -> Collection[str]:
        """What was left out before anything was made of it: arrays of several columns, say."""
        ...

    @property
    def num_rows(self) -> int:
        """Rows, labelled or not."""
        ...

    def kind(self, name: str) -> str:
        """One of `KINDS`, or the name of a type that is none of them.

        Dates are days since 1970, false and true are 0 and 1.
        """
        ...

    def numbers(self, name: str) -> NDArray[np.float64]:
        """[rows], NaN where a value is missing; of all kinds but text."""
        ...

    def texts(self, name: str) -> Texts:
        """Of text columns."""
        ...

    def variety(self, name: str) -> tuple[int, int]:
        """Of text columns: how many levels there are, and how many rows have one."""
        ...

    def strays(self, name: str) -> Strays:
        """Of text columns: what keeps it from being numbers."""
        ...

    def wholes(self, name: str) -> Texts | None:
        """Whole numbers digit by digit; None where they are no more than `numbers` says."""
        ...

    def close(self) -> None:
        """Free its memory."""
        ...


def plain(text: str) -> str:
    """A name or level as it can stand in one line of a message."""
    words = re.sub(r"[\x00-\x1f\x7f-\x9f\s]+", " ", text).strip()
    return words if len(words) <= 60 else f"{words[:57]}..."


def check_names(where: object, names: Sequence[str]) -> None:
    """Raise `UsageError` for columns of one name, and for too many."""
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise UsageError(f"{where} has several columns named {listed(twice)}: rename all but one.")
    if len(names) > MOST_COLUMNS:
        raise UsageError(f"{where} has {len(names):,} columns; at most {MOST_COLUMNS:,} are taken.")


def check_rows(where: object, number: int) -> None:
    """Raise `UsageError` for a table that is empty or beyond all bounds."""
    if number == 0:
        raise UsageError(f"{where} has no rows beneath its names of columns.")
    if number > MOST_ROWS:
        raise UsageError(f"{where} has {number:,} rows; at most {MOST_ROWS:,} are taken.")


_QUOTES = "'\""


def find(where: object, name: str, names: Sequence[str], option: str) -> None:
    """Raise `UsageError` for a name that is no column, with the nearest ones."""
    if name in names:
        return
    alike = [n for n in names if n.strip().lower() == name.strip().lower()]
    near = alike or get_close_matches(name, names, n=1, cutoff=0.5)
    typed = word(near[0]) if near else ""
    guess = f" Did you mean {typed if typed[0] in _QUOTES else repr(typed)}?" if near else ""
    bare = " Its first line is taken for names." if any(map(_is_number, names)) else ""
    raise UsageError(
        f"{option} {plain(name)!r} is no column of {where}.{guess} Columns: {listed(names)}.{bare}"
    )


def word(name: str) -> str:
    """A column's name as a shell takes it, whole: what is shown elsewhere may be cut.

    >>> word("grade"), word("a  b")
    ('grade', "'a  b'")
    """
    return shlex.quote(name) if name.isprintable() else shlex.quote(plain(name))


def _is_number(text: str) -> bool:
    return re.fullmatch(r"[+-]?\d*\.?\d+", text.strip(), re.ASCII) is not None


def listed(names: Iterable[str]) -> str:
    """The first few of them."""
    every = [plain(name) for name in names]
    more = len(every) - _MOST_NAMED
    return ", ".join(every[:_MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
