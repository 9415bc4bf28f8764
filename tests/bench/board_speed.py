"""How long a board takes: `python tests/bench/board_speed.py [CELLS] [STORE]` prints milliseconds.

With the working tree importable as `augury` (PYTHONPATH=.dev). Wall and CPU, best and median of 15.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from augury.engine.store import connection, export, queries

BOARDS: dict[str, dict[str, Any]] = {
    "board": {},
    "board, no intervals": {"intervals": False},
    "board --common": {"common": True},
    "board by setting": {"by": ["setting"]},
    "board, filtered": {"filter": "agent~ens kl_t10_k2<5 input_dim=10", "sort": "-kl_t1"},
}


def measure(path: Path) -> None:
    """Print one line for each kind of board."""
    con = connection.open_read_only(path)
    cells = queries.run(con, "sql", {"sql": "SELECT count(*) FROM cells"}).rows[0][0]
    results = queries.run(con, "sql", {"sql": "SELECT count(*) FROM results"}).rows[0][0]
    print(f"{cells:,} cells, {results:,} results")
    for name, params in BOARDS.items():
        wall, cpu = [], []
        for _ in range(15):
            start, spent = time.perf_counter(), time.process_time()
            queries.run(con, "board", {"scenario": "testbed", **params})
            wall.append(1e3 * (time.perf_counter() - start))
            cpu.append(1e3 * (time.process_time() - spent))
        best, middle, used = min(wall), statistics.median(wall), min(cpu)
        print(
            f"{name:19} wall best {best:6.1f} ms, median {middle:6.1f} ms; CPU best {used:6.1f} ms"
        )
    start = time.perf_counter()
    size = export.query(con, "cells", {}, "csv", path).stat().st_size
    print(f"cells as csv        wall {1e3 * (time.perf_counter() - start):6.1f} ms, {size:,} bytes")
    con.close()


def main() -> None:
    """Make a store where none is given, then measure."""
    cells = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000
    if len(sys.argv) > 2:
        measure(Path(sys.argv[2]))
        return
    place = Path(__file__).with_name("seeded_store.py")
    spec = importlib.util.spec_from_file_location("seeded_store", place)
    assert spec and spec.loader
    seeded = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(seeded)
    with tempfile.TemporaryDirectory() as folder:
        seeded.make(Path(folder), cells)
        measure(Path(folder))


if __name__ == "__main__":
    main()
