"""Reads and exports of one process, at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from augury.engine.service.reader import Reader
from augury.engine.service.turns import Turns
from augury.engine.store import connection


def test_exports_beside_reads(tmp_path: Path) -> None:
    store = tmp_path / "store"
    connection.open_store(store).close()
    reader = Reader(store)

    def work(n: int) -> int:
        if n % 4:
            return len(reader.query("runs").rows)
        return reader.export("runs", {}, "csv", tmp_path / f"{n}.csv").read_text().count("\n")

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(48))) == [1, 0, 0, 0] * 12


def test_an_export_waits_for_reads_and_later_reads_for_it() -> None:
    turns, told = Turns(), []
    with ThreadPoolExecutor(2) as pool:
        with turns.reading():

            def export() -> None:
                with turns.alone():
                    told.append("export")

            def read() -> None:
                with turns.reading():
                    told.append("read")

            exporting = pool.submit(export)
            while not turns._waiting:
                pass
            reading = pool.submit(read)
            assert told == []
        exporting.result(10)
        reading.result(10)
    assert told == ["export", "read"]
