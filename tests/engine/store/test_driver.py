from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import duckdb

from augury.engine.store import connection, driver


def test_is_what_the_package_gives() -> None:
    for name in driver.__all__:
        assert getattr(driver, name) is getattr(duckdb, name)


def test_takes_the_public_names_if_the_core_has_moved() -> None:
    code = (
        "import sys, types, duckdb\n"
        "sys.modules['_duckdb'] = types.ModuleType('_duckdb')\n"
        "from augury.engine.store import driver\n"
        "print(all(getattr(driver, n) is getattr(duckdb, n) for n in driver.__all__))"
    )
    assert _printed(code) == "True"


def test_a_query_never_loads_the_slow_layer(tmp_path: Path) -> None:
    connection.open_store(tmp_path).close()
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from augury.engine.service.reader import Reader\n"
        f"reader = Reader(Path({str(tmp_path)!r}))\n"
        "reader.query('board', scenario='testbed'), reader.query('contexts'), reader.status()\n"
        "reader.query('sql', sql='SELECT * FROM runs')\n"
        f"reader.export('cells', {{}}, 'csv', Path({str(tmp_path / 'cells.csv')!r}))\n"
        "print(sorted({'duckdb', 'numpy'} & set(sys.modules)))"
    )
    assert _printed(code) == "[]"


def _printed(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    return done.stdout.strip()
