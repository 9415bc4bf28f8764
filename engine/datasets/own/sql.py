"""CSV and Parquet by DuckDB, in memory: read in parallel, typed by every row, bounded.

Text of a CSV file is typed here and not by the database's guess: what a column is depends on all
its values, and on nothing but them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from augury.engine.datasets.own import expressions
from augury.engine.datasets.own.columns import Strays, Texts, check_names, check_rows
from augury.engine.datasets.own.explain import explained
from augury.engine.datasets.own.header import Header, read_header
from augury.engine.errors import UsageError

if TYPE_CHECKING:
    import duckdb

MEMORY = "2GB"
_FIRST_ROWS = 10_000
_FIRST_ROWS_OF_WIDE = 200  # a wide table has few rows: looking at all of them twice is dear
_GROUP = 64  # columns in one statement: their cost grows with the square of that number
_MOST_TOGETHER = 100_000  # rows up to which the numbers of a group are fetched together
_HELD_BYTES = 64 << 20  # of text, each of which takes up to eight in memory
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

    def __init__(self, path: Path, form: str, category: Collection[str] = ()) -> None:
        """Read the file, columns of `category` as text whatever stands in them.

        Raises `UsageError` for what is no table, or no whole one.
        """
        from augury.engine.store import driver

        self._category = frozenset(category)
        self._fetched: tuple[int, dict[int, NDArray[np.float64]]] = -1, {}
        self._path = path
        self._kinds: list[str] = []
        self._header: Header | None = None  # of text
        self._types: list[str] = []  # of Parquet
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
    def ignored(self) -> Sequence[str]:
        """As `Table.ignored`."""
        return ()

    @property
    def _has_comma(self) -> bool:
        return self._header is not None and self._header.delimiter == ";"

    @property
    def num_rows(self) -> int:
        """Rows."""
        return self._num_rows

    def kind(self, name: str) -> str:
        """As `Table.kind`."""
        return self._kinds[self._place(name)]

    def numbers(self, name: str) -> NDArray[np.float64]:
        """As `Table.numbers`."""
        place = self._place(name)
        if self._num_rows > _MOST_TOGETHER:
            return _filled(self._fetch(self._of(name, "{c} AS v")))
        group = place // _GROUP
        if self._fetched[0] != group:
            numbers = [i for i in range(group * _GROUP, min((group + 1) * _GROUP, len(self._names)))
                       if self._kinds[i] in _CAST]  # fmt: skip
            columns = ", ".join(f"c{i}" for i in numbers)
            with _told(self._path):
                found = self._con.execute(f"SELECT {columns} FROM {_table(place)}").fetchnumpy()
            self._fetched = group, {i: _filled(found[f"c{i}"]) for i in numbers}
        known = self._fetched[1].get(place)
        return _filled(self._fetch(self._of(name, "{c} AS v"))) if known is None else known.copy()

    def texts(self, name: str) -> Texts:
        """As `Table.texts`."""
        return self._texts(lambda what: self._of(name, what))

    def _texts(self, of: Callable[[str], str], order: Callable[[str], Any] | None = None) -> Texts:
        """Levels and codes of the query `of` something of a column."""
        with _told(self._path):
            # Not by the database's order, which a collation could change.
            rows = self._con.execute(of("DISTINCT {c}")).fetchall()
            levels = sorted((value for (value,) in rows if value is not None), key=order)
            self._con.execute("CREATE OR REPLACE TEMP TABLE levels (place INTEGER, v VARCHAR)")
            self._con.execute(
                "INSERT INTO levels SELECT generate_subscripts(?, 1) - 1, unnest(?)",
                [levels, levels],
            )
            self._con.execute("DROP TYPE IF EXISTS level")
            self._con.execute("CREATE TYPE level AS ENUM (SELECT v FROM levels ORDER BY place)")
        found = self._fetch(of("enum_code({c}::level)::INTEGER AS v"))
        codes = np.ma.filled(np.ma.asarray(found, np.int32), -1)
        return Texts(codes, tuple(levels))

    def variety(self, name: str) -> tuple[int, int]:
        """As `Table.variety`."""
        with _told(self._path):
            levels, given = self._one(self._of(name, "count(DISTINCT {c}), count({c})"))
        return levels, given

    def strays(self, name: str) -> Strays:
        """As `Table.strays`."""
        place = self._place(name)
        number = expressions.value(f"c{place}", "number", self._has_comma)
        other = f"c{place} IS NOT NULL AND {number} IS NULL"
        with _told(self._path):
            given, numbers = self._one(self._of(name, f"count({{c}}), count({number})"))
            if given == numbers:
                return Strays(given, numbers, 0, "")
            first = self._of(name, "rowid, {c}") + f" WHERE {other} ORDER BY rowid LIMIT 1"
            row, value = self._one(first)
        return Strays(given, numbers, row + 1, value)

    def wholes(self, name: str) -> Texts | None:
        """As `Table.wholes`; the column is read anew, as most tables have no need of it."""
        place = self._place(name)
        with _told(self._path):
            if not self._read_whole(place):
                return None
        return self._texts(lambda what: f"SELECT {what.format(c='c')} FROM whole", Decimal)

    def _read_whole(self, place: int) -> bool:
        """The table `whole` of a column `c` in the order of the file; False: there is no more."""
        if self._header is not None:
            self._con.execute(expressions.csv_rows(self._path, self._header, False))
            rows = expressions.given([place], "FROM v")
            digits = f"coalesce(try_cast(c{place} AS HUGEINT)::VARCHAR, c{place})"
        elif self._types[place].endswith("INT"):
            aliases = ", ".join(f"c{i}" for i in range(len(self._names)))
            rows = f"SELECT c{place} FROM {expressions.parquet_rows(self._path)} AS s({aliases})"
            digits = f"c{place}::VARCHAR"
        else:
            return False
        self._con.execute(
            f"CREATE OR REPLACE TEMP TABLE whole AS SELECT {digits} AS c FROM ({rows})"
        )
        if self._header is not None:
            self._con.execute("DROP VIEW v")
        return True

    def close(self) -> None:
        """Free its memory."""
        self._con.close()

    def _read(self, form: str) -> None:
        if form == "csv":
            self._header = header = read_header(self._path)
            self._names: tuple[str, ...] = header.names
            check_names(self._path, self._names)
            # A wide file is read many times over: in memory once, where it surely fits.
            held = len(self._names) > _GROUP and self._path.stat().st_size <= _HELD_BYTES
            self._con.execute(expressions.csv_rows(self._path, header, held))
            for places in self._groups():
                self._kinds += self._read_text(places, self._has_comma)
            self._con.execute(f"DROP {'TABLE' if held else 'VIEW'} v")
        else:
            self._read_parquet()
        self._places = {name: place for place, name in enumerate(self._names)}
        self._num_rows = int(self._one("SELECT count(*) FROM t0")[0])
        check_rows(self._path, self._num_rows)

    def _groups(self) -> Iterator[range]:
        """Places of columns that are read together."""
        for start in range(0, len(self._names), _GROUP):
            yield range(start, min(start + _GROUP, len(self._names)))

    def _read_text(self, places: range, comma: bool) -> list[str]:
        # The first rows rule most kinds out; one pass over the file then mostly is enough.
        source = (
            f"SELECT {', '.join(f'c{i}' for i in places)} FROM v"  # all would be bound each time
        )
        wide = len(self._names) > _GROUP
        first = f"{source} LIMIT {_FIRST_ROWS_OF_WIDE if wide else _FIRST_ROWS}"
        numbers = self._look_like_numbers(first, places) if wide else set[int]()
        rest = [i for i in places if i not in numbers]
        told = dict(zip(rest, self._kinds_in(first, rest, comma) if rest else (), strict=True))
        kinds = [told.get(i, "number") for i in places]
        table = self._type_text(places, kinds, comma, source)
        if self._one(f"SELECT count(*) FROM {table} WHERE wrong")[0]:
            kinds = self._kinds_in(source, places, comma)
            self._con.execute(f"DROP TABLE {table}")
            self._type_text(places, kinds, comma, source)
        return kinds

    def _look_like_numbers(self, source: str, places: Sequence[int]) -> set[int]:
        """A quick guess: columns of which each given value is a number, and some are given."""
        found = set[int]()
        columns = zip(*self._con.execute(source).fetchall(), strict=True)
        for i, values in zip(places, columns, strict=False):
            given = [v for v in values if v and v.strip().lower() not in expressions.MISSING]
            if given and self._names[i] not in self._category and all(map(_is_float, given)):
                found.add(i)
        return found

    def _type_text(self, places: range, kinds: Sequence[str], comma: bool, source: str) -> str:
        """A table of columns; `wrong` are rows with a value that is not of its column's kind."""
        columns, wrong = [], ["false"]
        for i, kind in zip(places, kinds, strict=True):
            value = expressions.value(f"c{i}", kind, comma)
            columns.append(f"{value} AS c{i}")
            if kind != "text":
                wrong.append(f"(c{i} IS NOT NULL AND {value} IS NULL)")
        table = _table(places[0])
        self._con.execute(
            f"CREATE TABLE {table} AS SELECT {', '.join(columns)}, {' OR '.join(wrong)} AS wrong "
            f"FROM ({expressions.given(places, source)})"
        )
        return table

    def _kinds_in(self, source: str, places: Sequence[int], comma: bool) -> list[str]:
        """What all values of each column of some rows are."""
        found = dict.fromkeys(places, "text")
        rest = [i for i in places if self._names[i] not in self._category]
        given = self._counts(source, places, lambda c: c)
        check_rows(self._path, given[-1])
        # Kind by kind: most columns are numbers, and what is none is dear to find out.
        for kind in _CAST:
            if rest:
                cast = self._counts(source, rest, lambda c, k=kind: expressions.value(c, k, comma))
                found |= {i: kind for i in rest if cast[i] == given[i]}
                rest = [i for i in rest if found[i] == "text"]
        return [found[i] if given[i] else "empty" for i in places]

    def _counts(
        self, source: str, places: Sequence[int], value: Callable[[str], str]
    ) -> dict[int, int]:
        """How often something of each column is given; under -1 how many rows there are."""
        parts = ["count(*)", *(f"count({value(f'c{i}')})" for i in places)]
        rows = expressions.given(places, source)
        return dict(zip((-1, *places), self._one(f"SELECT {', '.join(parts)} FROM ({rows})"),
                        strict=True))  # fmt: skip

    def _read_parquet(self) -> None:
        source = expressions.parquet_rows(self._path)
        described = self._con.execute(f"DESCRIBE SELECT * FROM {source}").fetchall()
        self._names = tuple(row[0] for row in described)
        check_names(self._path, self._names)
        check_rows(self._path, self._one(f"SELECT count(*) FROM {source}")[0])
        self._types = [row[1] for row in described]
        self._kinds = [expressions.kind_of(each) for each in self._types]
        aliases = ", ".join(f"c{i}" for i in range(len(described)))
        for places in self._groups():
            columns = (f"{self._typed(i)} AS c{i}" for i in places)
            table = _table(places[0])
            self._con.execute(
                f"CREATE TABLE {table} AS SELECT {', '.join(columns)} FROM {source} AS s({aliases})"
            )
            counts = self._one(f"SELECT {', '.join(f'count(c{i})' for i in places)} FROM {table}")
            for i, given in zip(places, counts, strict=True):
                if not given and self._kinds[i] in (*_CAST, "text"):
                    self._kinds[i] = "empty"
                elif self._names[i] in self._category and self._kinds[i] in _CAST:
                    self._kinds[i] = "text"

    def _typed(self, place: int) -> str:
        """A column of Parquet as what it is, or as text where it is asked for as that."""
        kind = self._kinds[place]
        value = expressions.typed(f"c{place}", kind)
        if kind in _CAST and self._names[place] in self._category:
            return f"CASE WHEN ({value}) IS NOT NULL THEN c{place}::VARCHAR END"
        return value

    def _one(self, sql: str) -> tuple[Any, ...]:
        found = self._con.execute(sql).fetchone()
        assert found is not None
        return found

    def _fetch(self, sql: str) -> Any:
        with _told(self._path):
            return self._con.execute(sql).fetchnumpy()["v"]

    def _of(self, name: str, what: str) -> str:
        """The query of something of a column, which is `{c}` there."""
        place = self._place(name)
        return f"SELECT {what.format(c=f'c{place}')} FROM {_table(place)}"

    def _place(self, name: str) -> int:
        return self._places[name]


def _is_float(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _filled(found: Any) -> NDArray[np.float64]:
    return np.ma.filled(np.ma.asarray(found, np.float64), np.nan)


def _table(place: int) -> str:
    return f"t{place // _GROUP}"


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
