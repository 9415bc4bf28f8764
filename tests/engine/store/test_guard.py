"""SQL from people: what is refused, on a reader's connection and on the engine's own."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from augury.engine.errors import AuguryError, UsageError
from augury.engine.store import connection, export, guard, queries

HOSTILE = (
    "COPY cells TO 'stolen.csv'",
    "COPY (SELECT 1) TO '{exports}/planted.csv'",
    "ATTACH '{dir}/other.duckdb' AS other",
    "SET threads = 1",
    "SET enable_external_access = true",
    "RESET lock_configuration",
    "CHECKPOINT",
    "FORCE CHECKPOINT",
    "PRAGMA database_list",
    "CALL pragma_version()",
    "INSTALL httpfs",
    "LOAD httpfs",
    "EXPORT DATABASE '{dir}/copy'",
    "IMPORT DATABASE '{dir}/copy'",
    "SELECT * FROM read_text('/etc/hostname')",
    "SELECT * FROM read_csv('/etc/hostname')",
    "SELECT * FROM '/etc/hostname'",
    "SELECT * FROM glob('/etc/*')",
    "WITH x AS (INSERT INTO meta VALUES ('a', 'b') RETURNING *) SELECT * FROM x",
    "WITH x AS (DELETE FROM meta RETURNING *) SELECT * FROM x",
    "WITH x AS (UPDATE meta SET value = '9' RETURNING *) SELECT * FROM x",
    "COMMIT; INSERT INTO meta VALUES ('a', 'b')",
    "SELECT 1; DROP TABLE meta",
    "SELECT 1; SELECT 2",
    "BEGIN TRANSACTION",
    "DROP TABLE meta",
    "INSERT INTO meta VALUES ('a', 'b')",
    "UPDATE meta SET value = '9'",
    "DELETE FROM meta",
    "CREATE TABLE mine AS SELECT 1",
    "CREATE TEMP TABLE mine AS SELECT 1",
    "CREATE OR REPLACE MACRO f() AS 1",
    "ALTER TABLE meta ADD COLUMN z INTEGER",
    "PREPARE p AS DELETE FROM meta",
    "EXPLAIN ANALYZE DELETE FROM meta",
    "USE memory",
    "VACUUM",
    "",
    "-- nothing",
    "SELEC 1",
    "SELECT 1) TO '{exports}/planted.csv' (FORMAT csv); --",
)


@pytest.fixture(params=["engine", "reader"], scope="module")
def opened(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Any, Path]]:
    """The engine's read-write connection, and a client's read-only one; with the store's place."""
    path = tmp_path_factory.mktemp(request.param)
    con = connection.open_store(path)
    if request.param == "reader":
        con.close()
        con = connection.open_read_only(path)
    yield con, path
    con.close()


@pytest.mark.parametrize("statement", HOSTILE)
def test_refused(opened: tuple[Any, Path], statement: str) -> None:
    con, path = opened
    before = sorted(p.name for p in path.rglob("*"))
    text = statement.format(dir=path, exports=path / "exports")
    with pytest.raises(AuguryError) as caught:
        queries.run(con, "sql", {"sql": text})
    assert "\n" not in caught.value.message
    with pytest.raises(AuguryError):
        export.query(con, "sql", {"sql": text}, "csv", path)
    assert sorted(p.name for p in path.rglob("*")) == before
    assert queries.run(con, "sql", {"sql": "SELECT * FROM meta ORDER BY name"}).rows == [
        ("application", "augury"), ("schema", "1"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    "statement",
    ["SELECT 1 AS one", "FROM meta", "WITH x AS (SELECT 1) SELECT * FROM x;", "SHOW TABLES",
     "SELECT count(*) FROM cells -- all of them", "VALUES (1), (2)", "DESCRIBE cells"],
)  # fmt: skip
def test_accepted(opened: tuple[Any, Path], statement: str) -> None:
    table = queries.run(opened[0], "sql", {"sql": statement})
    assert table.columns and table.rows


def test_exported_sql_is_the_same_rows(opened: tuple[Any, Path]) -> None:
    con, place = opened
    path = export.query(con, "sql", {"sql": "SELECT 0.1 + 0.2e0 AS x; -- y"}, "csv", place)
    assert path.read_text() == "x\n0.30000000000000004\n"


def test_a_slow_query_is_interrupted(opened: tuple[Any, Path]) -> None:
    endless = "SELECT sum(a.range * b.range) FROM range(1000000) a, range(1000000) b"
    start = time.monotonic()
    with pytest.raises(UsageError, match="longer than"):
        guard.guarded(opened[0].cursor(), endless, seconds=0.2)
    with pytest.raises(UsageError, match="longer than"):
        export.write(opened[0], endless, {}, "csv", opened[1], seconds=0.2)
    assert time.monotonic() - start < 20
    assert queries.run(opened[0], "sql", {"sql": "SELECT 1"}).rows == [(1,)]


def test_too_many_rows_are_refused(opened: tuple[Any, Path]) -> None:
    with pytest.raises(UsageError, match="add a LIMIT"):
        queries.run(opened[0], "sql", {"sql": "SELECT * FROM range(100001)"})
    table = queries.run(opened[0], "sql", {"sql": "SELECT * FROM range(100000)"})
    assert len(table.rows) == guard.MOST_ROWS


def test_an_open_connection_is_refused(tmp_path: Path) -> None:
    import duckdb

    con = duckdb.connect()
    with pytest.raises(AuguryError, match="can reach files"):
        guard.guarded(con, "SELECT 1")
    con.close()


def test_what_ran_late_leaves_the_connection_usable(con: Any) -> None:
    for number in range(20):
        with pytest.raises(UsageError, match="took longer|narrow it"):
            cursor = con.cursor()
            try:
                guard.guarded(cursor, "SELECT repeat('x', 10000000)", 0.001 * number)
                raise UsageError("it was fast; narrow it")
            finally:
                cursor.close()
        assert queries.run(con, "sql", {"sql": "SELECT 1"}).rows == [(1,)]


def test_nothing_is_interrupted_after_its_end(con: Any) -> None:
    calls: list[int] = []

    class Cursor:
        def interrupt(self) -> None:
            calls.append(1)

    with guard.interrupted(Cursor(), 0.02):  # type: ignore[arg-type]
        pass
    with guard.interrupted(Cursor(), 0.01) as late:  # type: ignore[arg-type]
        assert late.wait(5)
    assert calls == [1]


def test_too_much_of_anything_is_one_line(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "MOST_BYTES", 1000)
    with pytest.raises(UsageError, match="narrow it"):
        queries.run(con, "sql", {"sql": "SELECT repeat('x', 2000)"})
    with pytest.raises(UsageError, match="more memory than it may have"):
        queries.run(con, "sql", {"sql": "SELECT list(range) FROM range(1000000000)"})
    assert queries.run(con, "sql", {"sql": "SELECT 1"}).rows == [(1,)]
