"""The application on a board of made-up rows: `python many_rows.py STORE FIRST ROWS`.

Columns are those of the store's own board. It begins with FIRST rows, read again (r) it still has
those, and then all ROWS. They are made before the application starts: what showing them costs is
its own.
"""

from __future__ import annotations

import gc
import random
import sys
from pathlib import Path
from typing import Any

from augury.engine.service.reader import Reader
from augury.engine.store.table import Table
from augury.tui.app import AuguryApp
from augury.tui.session import Session


def made_up(table: Table, count: int) -> list[tuple[Any, ...]]:
    """So many rows like those of `table`, each of a config of its own, every number drawn anew."""
    draw = random.Random(0).random
    numbers = [isinstance(value, float) for value in table.rows[0]]
    rank, agent = table.columns.index("rank"), table.columns.index("agent")
    found = []
    for number in range(count):
        row = [draw() if is_number else value for is_number, value in zip(
            numbers, table.rows[number % len(table.rows)], strict=True)]  # fmt: skip
        row[rank], row[agent] = number + 1, f"{row[agent]}[learning_rate={number}]"
        found.append(tuple(row))
    return found


class Many(Session):
    """A session whose board has many rows."""

    def __init__(self, store: Path, first: int, rows: int) -> None:
        """Make them."""
        super().__init__(store)
        self._table = Reader(store).query("board", scenario="testbed", intervals=False)
        self._rows = made_up(self._table, rows)
        self._parts = [self._rows[:first]] * 2

    def query(self, name: str, /, **params: Any) -> Table:
        """As the store answers, but for the board."""
        if name != "board":
            return super().query(name, **params)
        rows = self._parts.pop() if self._parts else self._rows
        self.has_read = True
        return Table(self._table.columns, rows, self._table.meta)


if __name__ == "__main__":
    gc.set_threshold(100_000)  # as the command does
    place = Path(sys.argv[1])
    app = AuguryApp(place, Many(place, int(sys.argv[2]), int(sys.argv[3])))
    app.run()
    app.wind_up()
