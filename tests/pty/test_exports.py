"""What an export costs on the command line, and that nothing is lost in it."""

from __future__ import annotations

import csv
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

import duckdb
import pytest

from augury.engine.service.reader import Reader
from tests.pty.conftest import Yardstick
from tests.pty.goals import Figures


def _cpu_ms(store: Path, output: Path, cache: Path) -> float:
    """CPU time of `augury leaderboard testbed --format csv` into a file."""
    command = [sys.executable, "-P", "-m", "augury", "leaderboard", "testbed", "--format", "csv",
               "--store", str(store)]  # fmt: skip
    kept = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    actions = [(os.POSIX_SPAWN_OPEN, 1, str(output), flags, 0o600)]
    pid = os.posix_spawn(
        command[0], command, kept | {"XDG_CACHE_HOME": str(cache)}, file_actions=actions
    )
    _, status, usage = os.wait4(pid, 0)
    assert status == 0
    return (usage.ru_utime + usage.ru_stime) * 1e3


@pytest.mark.goal
def test_a_board_as_csv_is_quick(
    store: Path, tmp_path: Path, yardstick: Yardstick, goal: Figures
) -> None:
    out, cache = tmp_path / "board.csv", tmp_path / "cache"
    first = _cpu_ms(store, out, cache)  # finds the intervals, too
    again = []
    for _ in range(4):
        again.append(_cpu_ms(store, out, cache))
        yardstick.look()
    slow = yardstick.slowness
    goal.at_most(18, "10,000 results, as before", median(again), 250, "ms CPU", slow, margin=1.2)
    goal.at_most(18, "10,000 results, for the first time", first, 400, "ms CPU", slow, margin=1.5)


def _csv(path: Path) -> list[dict[str, Any]]:
    return list(csv.DictReader(path.read_text("utf-8").splitlines()))


def _parquet(path: Path) -> list[dict[str, Any]]:
    with duckdb.connect() as con:
        found = con.execute("SELECT * FROM read_parquet(?)", [str(path)])
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _json(path: Path) -> list[dict[str, Any]]:
    return json.loads(path.read_text("utf-8"))


@pytest.mark.goal
@pytest.mark.parametrize(("form", "read"), [("csv", _csv), ("parquet", _parquet), ("json", _json)])
def test_an_export_read_again_has_equal_values(
    store: Path, tmp_path: Path, goal: Figures, form: str, read: Callable[[Path], Any]
) -> None:
    for name, params in (("cells", {}), ("board", {"scenario": "testbed"})):
        stored = Reader(store).query(name, **params)
        path = Reader(store).export(name, params, form, tmp_path / f"{name}.{form}")
        rows = read(path)
        assert len(rows) == len(stored.rows) > 0
        numbers = [column for column in stored.columns
                   if any(isinstance(value, float) for value in stored.column(column))]  # fmt: skip
        assert numbers
        for column in numbers:
            again = [None if row[column] in (None, "") else float(row[column]) for row in rows]
            assert again == stored.column(column), column  # to the last bit
        goal.holds(20, f"{form}: {len(rows):,} rows of {name}, {len(numbers)} columns of numbers")
