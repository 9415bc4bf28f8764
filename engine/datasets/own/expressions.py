"""What DuckDB is asked: a file as rows, and values of a column as numbers and texts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from augury.engine.datasets.own.header import Header

# In lower case, blanks around them taken away.
MISSING = ("", "na", "n/a", "#n/a", "<na>", "nan", "nat", "null", "none", "?")
_LONGEST = max(map(len, MISSING))
_NUMBERS = re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|DECIMAL\(.*")
_DATES = re.compile(r"DATE|TIMESTAMP.*")


def csv_rows(path: Path, header: Header, held: bool) -> str:
    """The statement that makes `v` the rows of a text file, c0, c1, ... as they stand there.

    They are held in memory, or read from the file whenever they are asked for.
    """
    columns = ", ".join(f"'c{i}': 'VARCHAR'" for i in range(len(header.names)))
    kind = "TABLE" if held else "VIEW"
    return (
        f"CREATE {kind} v AS SELECT * FROM read_csv({quoted(path)}, auto_detect = false, "
        f"columns = {{{columns}}}, header = true, skip = {header.blank_lines}, "
        f"delim = '{header.delimiter}', quote = '\"', escape = '\"', hive_partitioning = false)"
    )


def parquet_rows(path: Path) -> str:
    """All rows of a Parquet file."""
    return f"read_parquet({quoted(path)}, hive_partitioning = false)"


def quoted(path: Path) -> str:
    """One file as a literal, whose name the database does not take for a pattern of names."""
    exact = re.sub(r"[*?[]", lambda found: f"[{found[0]}]", str(path))
    return "'" + exact.replace("'", "''") + "'"


def given(places: Iterable[int], source: str) -> str:
    """Texts without blanks around them, NULL where they say that nothing is given."""
    words = "|".join(["", *MISSING, ""])  # a list is slower by far
    texts, trimmed = [], []
    for i in places:
        is_word = f"length(c{i}) <= {_LONGEST} AND contains('{words}', '|' || lower(c{i}) || '|')"
        texts.append(f"CASE WHEN NOT ({is_word}) THEN c{i} END AS c{i}")
        trimmed.append(f"trim(c{i}) AS c{i}")
    return f"SELECT {', '.join(texts)} FROM (SELECT {', '.join(trimmed)} FROM ({source}))"


def value(text: str, kind: str, comma: bool) -> str:
    """The value of a given text; NULL where it is not of that kind."""
    if kind == "number":
        return _number(text, comma)
    return {
        "date": _days(f"try_cast({text} AS TIMESTAMP)"),
        "boolean": f"CASE lower({text}) WHEN 'true' THEN 1.0::DOUBLE WHEN 'false' THEN 0.0 END",
        "empty": "CAST(NULL AS DOUBLE)",
        "text": text,
    }[kind]


def _number(text: str, comma: bool) -> str:
    """1_000, which the database takes for a number, is none. 1,5 is one where `;` separates."""
    plainly = f"CASE WHEN NOT contains({text}, '_') THEN try_cast({text} AS DOUBLE) END"
    if not comma:
        return plainly
    return f"coalesce({plainly}, try_cast(replace({text}, ',', '.') AS DOUBLE))"


def typed(column: str, kind: str) -> str:
    """The value of a column of Parquet."""
    return {
        "number": f"CASE WHEN NOT isnan({column}::DOUBLE) THEN {column}::DOUBLE END",
        "date": _days(f"{column}::TIMESTAMP"),
        "boolean": f"CAST({column} AS DOUBLE)",
        "text": f"nullif({column}::VARCHAR, '')",
    }.get(kind, "CAST(NULL AS DOUBLE)")


def _days(time: str) -> str:
    return f"CASE WHEN isfinite({time}) THEN epoch({time}) / 86400 END"


def kind_of(kind: str) -> str:
    """The kind of a column of Parquet, or the name of its type where it is of none."""
    if _NUMBERS.fullmatch(kind):
        return "number"
    if _DATES.fullmatch(kind):
        return "date"
    if kind == "VARCHAR" or kind.startswith("ENUM"):
        return "text"
    return "boolean" if kind == "BOOLEAN" else kind
