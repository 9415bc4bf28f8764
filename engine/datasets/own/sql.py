"""CSV and Parquet by DuckDB, in memory: read in parallel, typed by every row, bounded.

Text of a CSV file is typed here and not by the database's guess: what a column is depends on all
its values, and on nothing but them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from augury.engine.datasets.own import expressions
from augury.engine.datasets.own.columns import Texts, check_names, check_rows
from augury.engine.datasets.own.explain import explained
from augury.engine.datasets.own.header import read_header
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    import duckdb

MEMORY = "2GB"
_FIRST_ROWS = 10_000
_CAST = ("number", "date", "boolean")  # in this order; whatever is none of them is text
_LIMITS = {
    "memory_limit": MEMORY,
    "temp_directory": "",  # no disk is filled in secret
    "threads": 2,
    "autoinstall_known_extensions": False,
    "autoload_known_extensions": False,
    "python_enable_replacements": False,
}


class SqlTable:
    """Columns of a file as a database in memory; c0, c1, ... in the order of the file."""

    def __init__(self, path: Path, form: str) -> None:
        """Read the file. Raises `UsageError` for what is no table, or no whole one."""
        from augury.engine.store import driver

        self._path = path
        self._con: duckdb.DuckDBPyConnection = driver.connect(":memory:", config=_LIMITS)
        try:
            with _told(path):
                self._read(form)
        except BaseException:
            self._con.close()
            raise

    @property
    def names(self) -> Sequence[str]:
        """Of the columns."""
        return self._names

    @property
    def num_rows(self) -> int:
        """Rows."""
        return self._num_rows

    def kind(self, name: str) -> str:
        """As `Table.kind`."""
        return self._kinds[self._place(name)]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """As `Table.numbers`."""
        found = self._fetch(f"SELECT c{self._place(name)} AS v FROM t")
        return np.ma.filled(np.ma.asarray(found, np.float64), np.nan)

    def texts(self, name: str) -> Texts:
        """As `Table.texts`."""
        place = self._place(name)
        with _told(self._path):
            # Not by the database's order, which a collation could change.
            levels = sorted(
                value for (value,) in self._con.execute(
                    f"SELECT DISTINCT c{place} FROM t WHERE c{place} IS NOT NULL"
                ).fetchall()
            )  # fmt: skip
            self._con.execute("CREATE OR REPLACE TEMP TABLE levels (place INTEGER, v VARCHAR)")
            self._con.execute(
                "INSERT INTO levels SELECT generate_subscripts(?, 1) - 1, unnest(?)",
                [levels, levels],
            )
            self._con.execute("DROP TYPE IF EXISTS level")
            self._con.execute("CREATE TYPE level AS ENUM (SELECT v FROM levels ORDER BY place)")
        found = self._fetch(f"SELECT enum_code(c{place}::level)::INTEGER AS v FROM t")
        codes = np.ma.filled(np.ma.asarray(found, np.int32), -1)
        return Texts(codes, tuple(levels))

    def variety(self, name: str) -> tuple[int, int]:
        """As `Table.variety`."""
        place = self._place(name)
        with _told(self._path):
            levels, given = self._one(f"SELECT count(DISTINCT c{place}), count(c{place}) FROM t")
        return levels, given

    def close(self) -> None:
        """Free its memory."""
        self._con.close()

    def _read(self, form: str) -> None:
        if form == "csv":
            self._read_text()
        else:
            self._read_parquet()
        self._num_rows = int(self._one("SELECT count(*) FROM t")[0])
        check_rows(self._path, self._num_rows)

    def _read_text(self) -> None:
        header = read_header(self._path)
        self._names: tuple[str, ...] = header.names
        check_names(self._path, self._names)
        self._con.execute(expressions.csv_view(self._path, header))
        comma = header.delimiter == ";"
        # The first rows rule most kinds out; one pass over the file then mostly is enough.
        self._kinds = self._kinds_in(f"SELECT * FROM v LIMIT {_FIRST_ROWS}", comma)
        self._type_text(comma)
        if self._one("SELECT count(*) FROM t WHERE wrong")[0]:
            self._kinds = self._kinds_in("FROM v", comma)
            self._con.execute("DROP TABLE t")
            self._type_text(comma)

    def _type_text(self, comma: bool) -> None:
        """The table; `wrong` are rows with a value that is not of its column's kind."""
        columns, wrong = [], ["false"]
        for i, kind in enumerate(self._kinds):
            value = expressions.value(f"c{i}", kind, comma)
            columns.append(f"{value} AS c{i}")
            if kind != "text":
                wrong.append(f"(c{i} IS NOT NULL AND {value} IS NULL)")
        self._con.execute(
            f"CREATE TABLE t AS SELECT {', '.join(columns)}, {' OR '.join(wrong)} AS wrong "
            f"FROM ({expressions.given(len(self._names), 'FROM v')})"
        )

    def _kinds_in(self, source: str, comma: bool) -> list[str]:
        """What all values of each column of some rows are."""
        number, parts = len(self._names), ["count(*)"]
        for i in range(number):
            of_kind = (expressions.value(f"c{i}", kind, comma) for kind in _CAST)
            parts += [f"count({value})" for value in (f"c{i}", *of_kind)]
        counts = self._one(f"SELECT {', '.join(parts)} FROM ({expressions.given(number, source)})")
        check_rows(self._path, counts[0])
        found, step = [], 1 + len(_CAST)
        for start in range(1, len(counts), step):
            given, *cast = counts[start : start + step]
            kinds = zip(_CAST, cast, strict=True)
            kind = next((kind for kind, times in kinds if times == given), "text")
            found.append(kind if given else "empty")
        return found

    def _read_parquet(self) -> None:
        source = f"read_parquet({expressions.quoted(self._path)}, hive_partitioning = false)"
        described = self._con.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
        self._names = tuple(row[0] for row in described)
        check_names(self._path, self._names)
        check_rows(self._path, self._one(f"SELECT count(*) FROM {source}")[0])
        self._kinds = [expressions.kind_of(row[1]) for row in described]
        aliases = ", ".join(f"c{i}" for i in range(len(described)))
        columns = ", ".join(
            f"{expressions.typed(f'c{i}', k)} AS c{i}" for i, k in enumerate(self._kinds)
        )
        self._con.execute(f"CREATE TABLE t AS SELECT {columns} FROM {source} AS s({aliases})")
        counts = self._one(
            f"SELECT {', '.join(f'count(c{i})' for i in range(len(described)))} FROM t"
        )
        for i, given in enumerate(counts):
            if not given and self._kinds[i] in (*_CAST, "text"):
                self._kinds[i] = "empty"

    def _one(self, sql: str) -> tuple[Any, ...]:
        found = self._con.execute(sql).fetchone()
        assert found is not None
        return found

    def _fetch(self, sql: str) -> Any:
        with _told(self._path):
            return self._con.execute(sql).fetchnumpy()["v"]

    def _place(self, name: str) -> int:
        return self._names.index(name)


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Errors of the database as one line about the file."""
    from augury.engine.store import driver

    try:
        yield
    except (driver.OutOfMemoryException, MemoryError):
        raise UsageError(
            f"{path} needs more than {MEMORY} of memory: take fewer rows, or fewer columns."
        ) from None
    except driver.Error as error:
        raise explained(path, str(error)) from None
