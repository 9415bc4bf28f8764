"""Opening a store: ours, theirs, newer, held, absent."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

from augury.engine.errors import StoreError, StoreLockedError
from augury.engine.store import connection, export, queries


def test_creates_directory_for_the_owner_alone(tmp_path: Path) -> None:
    store = tmp_path / "deep" / "store"
    connection.open_store(store).close()
    assert store.stat().st_mode & 0o777 == 0o700
    connection.open_store(store).close()  # and opens what it made


def test_a_folder_of_other_things_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    tmp_path.chmod(0o755)
    connection.open_store(tmp_path).close()
    assert tmp_path.stat().st_mode & 0o777 == 0o755


def test_exports_that_nobody_fetched_go(tmp_path: Path) -> None:
    connection.open_store(tmp_path).close()
    old, new = (tmp_path / connection.EXPORTS / name for name in ("old.csv", "new.csv"))
    old.touch()
    new.touch()
    os.utime(old, (0, 0))
    connection.open_store(tmp_path).close()
    assert (old.exists(), new.exists()) == (False, True)


def test_refuses_what_is_no_database(tmp_path: Path) -> None:
    (tmp_path / connection.FILE_NAME).write_text("hello " * 1000)
    for opener in (connection.open_store, connection.open_read_only):
        with pytest.raises(StoreError, match="no DuckDB file") as caught:
            opener(tmp_path)
        assert "\n" not in caught.value.message


@pytest.mark.parametrize("statement", ["CREATE TABLE t (x INTEGER)", "CREATE TABLE meta (a INT)"])
def test_refuses_a_database_that_is_not_ours(tmp_path: Path, statement: str) -> None:
    other = duckdb.connect(str(tmp_path / connection.FILE_NAME))
    other.execute(statement)
    other.close()
    for opener in (connection.open_store, connection.open_read_only):
        with pytest.raises(StoreError, match="not Augury's"):
            opener(tmp_path)


@pytest.mark.parametrize(
    ("schema", "message"),
    [("99", "schema 99, this version knows 1"), ("0", "schema 0, which no version wrote")],
)
def test_refuses_another_schema(schema: str, message: str, tmp_path: Path) -> None:
    connection.open_store(tmp_path).close()
    other = duckdb.connect(str(tmp_path / connection.FILE_NAME))
    other.execute("UPDATE meta SET value = ? WHERE name = 'schema'", [schema])
    other.close()
    for opener in (connection.open_store, connection.open_read_only):
        with pytest.raises(StoreError, match=message):
            opener(tmp_path)


def test_names_the_process_that_holds_it(tmp_path: Path, con: Any) -> None:
    code = (
        "import sys; from pathlib import Path; from augury.engine.store import connection\n"
        "from augury.engine.errors import StoreLockedError\n"
        "for opener in (connection.open_store, connection.open_read_only):\n"
        "  try: opener(Path(sys.argv[1]))\n"
        "  except StoreLockedError as error: print(error.message)\n"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code, str(tmp_path / "store")],
        capture_output=True, text=True, check=True, env=os.environ,
    )  # fmt: skip
    lines = done.stdout.splitlines()
    assert len(lines) == 2 and all(f"process {os.getpid()} (" in line for line in lines)
    assert all("no engine of Augury. Close the store there" in line for line in lines)


def test_own_process_cannot_open_twice(tmp_path: Path, con: Any) -> None:
    with pytest.raises(StoreLockedError):
        connection.open_read_only(tmp_path / "store")


def test_an_absent_store_reads_as_an_empty_one(tmp_path: Path) -> None:
    con = connection.open_read_only(tmp_path / "nowhere")
    assert queries.run(con, "runs").rows == []
    assert queries.run(con, "board", {"scenario": "ppc"}).rows == []
    assert not (tmp_path / "nowhere").exists()
    con.close()


def test_two_readers_in_one_process(tmp_path: Path) -> None:
    connection.open_store(tmp_path).close()
    one, two = connection.open_read_only(tmp_path), connection.open_read_only(tmp_path)
    assert queries.run(one, "runs").rows == queries.run(two, "runs").rows == []
    one.close()
    two.close()


def test_names_cost_no_duckdb_import() -> None:
    code = (
        "import sys; import augury.engine.store.queries, augury.engine.store.boards\n"
        "import augury.engine.store.export, augury.engine.store.render, augury.engine.store.write\n"
        "print(sorted({'duckdb', '_duckdb', 'jax', 'numpy'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("cut", [False, True])
def test_a_damaged_store_is_named_with_advice(tmp_path: Path, cut: bool) -> None:
    con = connection.open_store(tmp_path)
    con.execute("INSERT INTO meta SELECT i::VARCHAR, md5(i::VARCHAR) FROM range(50000) t(i)")
    con.close()
    path = tmp_path / connection.FILE_NAME
    data = bytearray(path.read_bytes())
    if cut:
        data = data[:400_000]  # in the middle of the first table's block
    else:
        for place in range(12288 + 262144, len(data), 1000):
            data[place] ^= 0xFF
    path.write_bytes(data)

    def ask(use: Callable[[Any], object]) -> None:
        con = connection.open_read_only(tmp_path)
        try:
            use(con)
        finally:
            con.close()

    for use in (
        lambda con: queries.run(con, "runs"),
        lambda con: export.query(con, "runs", {}, "csv", tmp_path),
    ):
        with pytest.raises(StoreError) as caught:
            ask(use)
        assert caught.value.message.startswith(f"{path} is damaged")
        assert "move it away" in caught.value.message


def test_a_file_in_place_of_the_exports_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "exports").write_text("mine")
    with pytest.raises(StoreError, match="exports is a file where the store needs a folder"):
        connection.open_store(tmp_path)
