"""Text and Parquet: what a column is, what its values are, and what is no table."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest

from augury.engine.datasets.own.expressions import MISSING
from augury.engine.datasets.own.sql import SqlTable
from augury.engine.errors import UsageError
from augury.engine.store import driver

Make = Callable[..., SqlTable]
ROWS = "x,y\n1.5,a\n2,b\n"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Make]:
    """A table of some text or of a query, closed afterwards."""
    made: list[SqlTable] = []

    def make(text: str | bytes, name: str = "t.csv") -> SqlTable:
        path = tmp_path / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        made.append(SqlTable(path, "parquet" if name.endswith("parquet") else "csv"))
        return made[-1]

    yield make
    for each in made:
        each.close()


def parquet(sql: str) -> bytes:
    """The bytes of a query's rows."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        con = driver.connect(":memory:")
        con.execute(f"COPY ({sql}) TO '{folder}/t.parquet' (FORMAT parquet)")
        con.close()
        return Path(folder, "t.parquet").read_bytes()


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (["1", "2.5", "-3e2", "+.5", "6."], "number"),
        (["1", "", "NA", "?", "2"], "number"),
        (["2020-01-02", "2020-01-02 03:04:05", "2020-01-02T03:04:05Z"], "date"),
        (["TRUE", "false", "True"], "boolean"),
        (["1", "2", "x"], "text"),
        (["1_000", "2"], "text"),
        (["1,5", "2"], "text"),
        (["0", "1", "true"], "text"),
        (["", "NA", " null "], "empty"),
    ],
)
def test_a_column_is_what_all_its_values_are(cells: list[str], kind: str, table: Make) -> None:
    text = "".join(f'"{cell}",k\n' for cell in cells)
    assert table("x,y\n" + text).kind("x") == kind


def test_a_value_behind_the_first_rows_counts_as_much(table: Make) -> None:
    late = table("x,m,y\n" + "1,,a\n" * 12_000 + "u,2,a\n")
    assert (late.kind("x"), late.kind("m")) == ("text", "number")
    assert late.texts("x").levels == ("1", "u")
    assert np.flatnonzero(~np.isnan(late.numbers("m"))).tolist() == [12_000]


def test_numbers_are_those_of_the_file_in_its_order(table: Make) -> None:
    values = np.random.default_rng(0).normal(size=(30_000, 2))
    lines = "".join(f"{a!r},{b!r},k\n" for a, b in values.tolist())
    read = table("a,b,y\n" + lines)
    np.testing.assert_array_equal(read.numbers("a"), values[:, 0])
    np.testing.assert_array_equal(read.numbers("b"), values[:, 1])


@pytest.mark.parametrize("columns", [63, 64, 65, 300])
def test_wide_tables(columns: int, table: Make) -> None:
    values = np.random.default_rng(0).normal(size=(12, columns)).round(3)
    values[3, ::7] = np.nan
    lines = "".join(",".join(map(str, row)) + ",k\n" for row in values.tolist())
    read = table(",".join(f"x{i}" for i in range(columns)) + ",y\n" + lines)
    for i in range(columns):
        np.testing.assert_array_equal(read.numbers(f"x{i}"), values[:, i])
    assert read.texts("y").levels == ("k",)


@pytest.mark.parametrize("word", ["a|b", "|", "n", "nanana", "nul"])
def test_parts_of_missing_words_are_words(word: str, table: Make) -> None:
    assert table(f"x,y\n{word},k\n").texts("x").levels == (word,)


def test_missing_values_have_no_number_and_no_level(table: Make) -> None:
    text = "x,t,y\n" + "".join(f'"{word.upper()}"," {word} ",k\n' for word in MISSING)
    read = table(text + "3,u,k\n")
    assert np.isnan(read.numbers("x")[:-1]).all() and read.numbers("x")[-1] == 3
    assert read.texts("t").codes.tolist() == [-1] * len(MISSING) + [0]


def test_dates_are_days_and_booleans_are_0_and_1(table: Make) -> None:
    read = table("d,b,y\n1970-01-02,true,k\n1969-12-31 12:00:00,FALSE,k\n,,k\n")
    np.testing.assert_array_equal(read.numbers("d"), [1, -0.5, np.nan])
    np.testing.assert_array_equal(read.numbers("b"), [1, 0, np.nan])


def test_text_keeps_its_letters_and_levels_are_in_order(table: Make) -> None:
    read = table('x,y\n"b, ""q""\nz",k\né,k\na,k\n B,k\né,k\n')
    texts = read.texts("x")
    assert texts.levels == ("B", "a", 'b, "q"\nz', "é")
    assert texts.codes.tolist() == [2, 3, 1, 0, 3]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (ROWS, "plain.csv"),
        (ROWS.replace(",", ";").replace("1.5", "1,5"), "semicolons.csv"),
        (ROWS.replace(",", "\t"), "tabs.tsv"),
        (ROWS.replace(",", "|"), "bars.txt"),
        (ROWS.replace("\n", "\r\n"), "windows.csv"),
        (ROWS.replace("\n", "\r"), "old.csv"),
        ("\n\n" + ROWS, "blank.csv"),
        ("\r\n" + ROWS.replace("\n", "\r\n"), "blank-windows.csv"),
        (ROWS.encode("utf-8-sig"), "mark.csv"),
        (gzip.compress(ROWS.encode()), "packed.csv.gz"),
        (ROWS[:-1], "unended.csv"),
        (ROWS, "a[1]*?.csv"),
        (ROWS, "it's {b,c} %s.csv"),
        (ROWS, "year=2020.csv"),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_the_same_rows_in_many_dresses(text: str | bytes, name: str, table: Make) -> None:
    read = table(text, name)
    assert tuple(read.names) == ("x", "y")
    assert read.numbers("x").tolist() == [1.5, 2]
    assert read.texts("y").levels == ("a", "b")


def test_a_name_with_signs_of_a_pattern_is_that_file_alone(tmp_path: Path) -> None:
    (tmp_path / "a1.csv").write_text("x,y\n9,z\n")
    (tmp_path / "a[1].csv").write_text(ROWS)
    read = SqlTable(tmp_path / "a[1].csv", "csv")
    assert read.numbers("x").tolist() == [1.5, 2]
    read.close()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ROWS + "1\n", "line 4: 1 values where the first line has 2 names"),
        (ROWS + "1,2,3\n", "line 4: 3 values where the first line has 2 names"),
        (ROWS + '1,"b\n', "line 4: a quote that does not end"),
        (ROWS.replace("\n", "\r\n", 1) + "3,c\n", "its lines end in more than one way"),
        (ROWS.encode("utf-16"), "is not UTF-8 but UTF-16: convert it, .*iconv -f UTF-16"),
        (b"\xfe\xff" + ROWS.encode("utf-16-be"), "is not UTF-8 but UTF-16"),
        (ROWS.encode() + b"1,\xe9\n", r"is not UTF-8 \(line 4\)"),
        (ROWS.encode() * 200_000 + b"1,\xe9\n", r"is not UTF-8 \(line 600001\)"),
        (b"\x89PNG\r\n\x00\x00", "is no text: it has null bytes"),
        ("\n \n", "has no line of names"),
        ("x,y\n", "has no rows beneath its names of columns"),
        ("x,y,x\n1,2,3\n", "has several columns named x: rename all but one"),
        (f"x,y\n1,{'z' * 2_100_000}\n", "line 2: longer than 2 MB"),
    ],
    ids=lambda value: "" if len(value) > 60 or not isinstance(value, str) else value[:30],
)
def test_what_is_no_table_is_refused(text: str | bytes, message: str, table: Make) -> None:
    with pytest.raises(UsageError, match=message) as caught:
        table(text)
    assert "\n" not in caught.value.message


def test_a_packed_file_that_ends_too_early_is_no_shorter_table(table: Make) -> None:
    noise = np.random.default_rng(0).random(200_000)
    packed = gzip.compress(("x,y\n" + "".join(f"{v},k\n" for v in noise)).encode(), 1)
    with pytest.raises(UsageError, match=r"damaged gzip file: it ends too early"):
        table(packed[: len(packed) // 2], "t.csv.gz")
    with pytest.raises(UsageError, match=r"is no gzip file"):
        table("x,y\n", "u.csv.gz")


def test_types_of_parquet(table: Make) -> None:
    read = table(
        parquet(
            "SELECT i::UTINYINT AS u, i::DECIMAL(5, 1) AS d, (i % 2 = 0) AS b, DATE '1970-01-02' "
            "+ i::INT AS t, nullif('k' || i, 'k1') AS s, CASE i WHEN 1 THEN 'nan'::DOUBLE ELSE i "
            "END AS f, NULL::INT AS n, [i] AS l, '' AS e FROM range(3) AS r(i)"
        ),
        "t.parquet",
    )
    kinds = {name: read.kind(name) for name in read.names if name != "l"}
    assert kinds == {
        "u": "number", "d": "number", "b": "boolean", "t": "date", "s": "text", "f": "number",
        "n": "empty", "e": "empty",
    }  # fmt: skip
    np.testing.assert_array_equal(read.numbers("f"), [0, np.nan, 2])
    np.testing.assert_array_equal(read.numbers("t"), [1, 2, 3])
    np.testing.assert_array_equal(read.numbers("b"), [1, 0, 1])
    assert read.texts("s").codes.tolist() == [0, -1, 1]
    assert read.kind("l") == "BIGINT[]"


def test_damaged_parquet(table: Make) -> None:
    whole = parquet("SELECT i AS x FROM range(9) AS r(i)")
    for content in (b"hello", whole[:-20], b"PAR1" + b"\x00" * 30 + b"PAR1"):
        with pytest.raises(UsageError, match=r"is no Parquet file, or a damaged one"):
            table(content, "t.parquet")
