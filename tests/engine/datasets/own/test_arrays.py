"""Arrays of an .npz file as columns."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augury.engine.datasets.own.arrays import ArrayTable
from augury.engine.datasets.own.load import describe
from augury.engine.datasets.own.recipe import Recipe
from augury.engine.errors import UsageError


def table(tmp_path: Path, **arrays: Any) -> ArrayTable:
    np.savez(tmp_path / "t.npz", **arrays)
    return ArrayTable(tmp_path / "t.npz")


def test_every_kind_of_array(tmp_path: Path) -> None:
    x = np.arange(12.0).reshape(3, 2, 2)
    x[1, 0, 1] = np.nan
    read = table(
        tmp_path,
        x=x,
        n=np.array([3, 1, 2], np.uint8)[:, None],
        b=np.array([True, False, True]),
        t=np.array(["v", "", "u"]),
        s=np.array([b"q", b"p", b"q"]),
        d=np.array(["1970-01-02T12", "NaT", "1969-12-31"], "datetime64[h]"),
        e=np.full(3, np.nan),
    )
    assert list(read.names) == ["x[0]", "x[1]", "x[2]", "x[3]", "n", "b", "t", "s", "d", "e"]
    kinds = [read.kind(name) for name in read.names[3:]]
    assert kinds == ["number", "number", "boolean", "text", "text", "date", "empty"]
    np.testing.assert_array_equal(read.numbers("x[1]"), [1, np.nan, 9])
    np.testing.assert_array_equal(read.numbers("n"), [3, 1, 2])
    np.testing.assert_array_equal(read.numbers("d"), [1.5, np.nan, -1])
    assert (read.texts("t").codes.tolist(), read.texts("t").levels) == ([1, -1, 0], ("u", "v"))
    assert (read.texts("s").codes.tolist(), read.texts("s").levels) == ([1, 0, 1], ("p", "q"))


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"x": np.zeros((3, 2)), "y": np.zeros(4)}, "different numbers of rows: x 3, y 4."),
        ({"x": np.array([1, "a", None], dtype=object)}, "It holds Python objects"),
        ({"x": np.float64(1)}, "x is no array with a row for each example"),
        ({"x": np.zeros(3, complex)}, "x is of type complex128, which is no number"),
        ({"x": np.zeros(0)}, "has no rows"),
        ({"x[0]": np.zeros(3), "x": np.zeros((3, 2))}, "has several columns named x[0]"),
        ({}, "holds no array"),
    ],
)
def test_what_is_no_table_is_refused(arrays: dict[str, Any], message: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=re.escape(message)):
        table(tmp_path, **arrays)


def test_arrays_that_are_ignored_are_no_columns(tmp_path: Path) -> None:
    y = np.arange(40) % 2
    np.savez(tmp_path / "t.npz", x=np.arange(80).reshape(40, 2) % 7, y=y, z=y + np.arange(40) % 3,
             seed=np.float64(1), other=np.zeros(3))  # fmt: skip
    with pytest.raises(UsageError, match=r"seed is no array.* To leave an array out: --ignore N"):
        describe(tmp_path / "t.npz", Recipe("y"))
    about = describe(tmp_path / "t.npz", Recipe("y", ("seed", "other", "x")))
    assert (about.input_dim, about.num_train) == (1, 32)
    about = describe(tmp_path / "t.npz", Recipe("y", ("seed", "other", "x[1]", "z")))
    assert about.input_dim == 1
    with pytest.raises(UsageError, match="--ignore 'w' is no column"):
        describe(tmp_path / "t.npz", Recipe("y", ("seed", "other", "w")))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 junk", b"x,y\n1,2\n"])
def test_a_damaged_file(content: bytes, tmp_path: Path) -> None:
    (tmp_path / "t.npz").write_bytes(content)
    with pytest.raises(UsageError, match=r"is no \.npz file of arrays, or a damaged one\.$"):
        ArrayTable(tmp_path / "t.npz")
