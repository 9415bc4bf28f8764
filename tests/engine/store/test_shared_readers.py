"""Several threads of one process reading one store at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from augury.engine.store import connection, queries


def test_threads_read_side_by_side(tmp_path: Path) -> None:
    connection.open_store(tmp_path).close()

    def read(_: int) -> int:
        con = connection.open_read_only(tmp_path)
        try:
            return len(queries.run(con, "runs").rows)
        finally:
            con.close()

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(read, range(64))) == [0] * 64
