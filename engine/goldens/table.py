"""How known numbers are set beside ours."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple, NoReturn

from augury.engine.cli.failure import exit_code
from augury.engine.errors import AuguryError
from augury.engine.paths import ROOT

_NAME = 46
_DATA = ROOT / "tests" / "golden" / "data"


class Row(NamedTuple):
    """One number beside the known one."""

    name: str
    golden: float
    ours: float
    tolerance: float

    @property
    def ok(self) -> bool:
        """Within tolerance, ends included."""
        return abs(self.ours - self.golden) <= self.tolerance


def data_file(name: str) -> Path:
    """A file of known numbers. Raises `AuguryError` where the project is installed without it."""
    if not (_DATA / name).is_file():
        raise AuguryError(f"{name} is not there: known numbers are compared in a checkout only.")
    return _DATA / name


def show(rows: Iterable[Row], width: int = _NAME) -> int:
    """Print each row as it is computed; 1 if a number is out of tolerance, else 0.

    Names take `width` columns.
    """
    wrong = 0
    heading(width=width)
    for row in rows:
        wrong += not row.ok
        verdict = "ok" if row.ok else "WRONG"
        line(row.name, row.golden, row.ours, row.tolerance, verdict, width)
    return int(wrong > 0)


def show_whole(rows: Iterable[Row], left_out: Iterable[tuple[str, str]], width: int = _NAME) -> int:
    """As `show`; then how many there were, and what of the file is not there, and why."""
    verdicts: list[bool] = []

    def each() -> Iterator[Row]:
        for row in rows:
            verdicts.append(row.ok)
            yield row

    wrong = show(each(), width)
    print(f"\n{len(verdicts)} numbers, {verdicts.count(False)} out of tolerance")
    print("of the file, computed nowhere here:")
    for names, reason in left_out:
        print(f"  {names}: {reason}")
    return wrong


def heading(ours: str = "ours", last: str = "tolerance", width: int = _NAME) -> None:
    """Print what is above the columns."""
    print(f"{'':{width}} {'golden':>12} {ours:>12} {last:>10}")


def line(
    name: str, golden: float, ours: float, last: float, verdict: str = "", width: int = _NAME
) -> None:
    """Print one row of a table."""
    text = f"{name:{width}} {golden:12.7g} {ours:12.7g} {last:10.2g} {verdict}"
    print(text.rstrip(), flush=True)


def leave(main: Callable[[], int]) -> NoReturn:
    """Exit as `main` says, or as a command does where it raises."""
    try:
        code = main()
        sys.stdout.flush()
    except BaseException as error:
        code = exit_code(error)
    sys.exit(code)
